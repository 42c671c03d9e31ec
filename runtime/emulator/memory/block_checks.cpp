#include <tilejit/runtime/emulator/memory/block_checks.h>

#include <algorithm>

namespace tilejit::emulator {
namespace {

/// Beyond it times of accesses begin anew.
constexpr std::uint32_t most_accesses = 1u << 31;

/// As many are quick to copy and stay in the processor's cache.
constexpr std::size_t most_kept = 1024;

int granule_bits_of(const Program& program) {
  int bytes = 4;
  for (const Site& site : program.sites) {
    if (site.bytes > 0 && (site.space == Space::shared || site.space == Space::generic))
      bytes = std::min<int>(bytes, site.bytes);
  }
  return __builtin_ctz(static_cast<unsigned>(bytes));
}

}  // namespace

void BlockChecks::begin(const Schedule& schedule, const Program& program, std::size_t shared_bytes, std::size_t warps) {
  unwritten = schedule.check_unwritten;
  races = schedule.check_races;
  distinct = schedule.distinct;
  if (unwritten) {
    shared_written.assign(shared_bytes, 0);
    local_bytes = static_cast<std::size_t>(program.local_bytes) * 32;
    local_written.assign(local_bytes * warps, 0);
  }
  if (races) {
    if (accesses > most_accesses) words.clear(), accesses = 0;
    if (words.empty()) {
      granule_bits = granule_bits_of(program);
      words.resize((shared_bytes >> granule_bits) + 1);
    }
    // Times grow over blocks, so what is kept of earlier ones lies before this one's first interval.
    ++accesses;
    interval = 0;
    kept_count = 0;
    kept.resize(most_kept);
    read.open(shared_bytes);
    written.open(shared_bytes);
    clocks.assign(warps, WarpClock{});
  }
  pending.clear();
  if (distinct) {
    loads.resize(warps);
    for (LoadedSectors& one : loads) one.clear();
  }
}

void BlockChecks::add_distinct(DistinctLoads& into) const {
  if (!distinct) return;
  for (const LoadedSectors& one : loads) one.count(into);
}

}  // namespace tilejit::emulator
