#include <tilejit/runtime/emulator/memory/block_checks.h>

#include <algorithm>

namespace tilejit::emulator {
namespace {

/// Beyond it times of accesses begin anew.
constexpr std::uint32_t most_accesses = 1u << 31;

/// As many are quick to copy and stay in the processor's cache.
constexpr std::uint32_t most_kept = 1024;

int granule_bits_of(const Program& program) {
  int bytes = 4;
  for (const Site& site : program.sites) {
    if (site.bytes > 0 && (site.space == Space::shared || site.space == Space::generic))
      bytes = std::min<int>(bytes, site.bytes);
  }
  return __builtin_ctz(static_cast<unsigned>(bytes));
}

}  // namespace

void BlockChecks::begin(const Schedule& schedule, const Program& program, const std::uint32_t& block_interval,
                        std::size_t shared_bytes, std::size_t warps) {
  watch.unwritten = schedule.check_unwritten;
  watch.races = schedule.check_races;
  watch.copies = false;
  distinct = schedule.distinct;
  if (watch.unwritten) {
    shared_written.assign(shared_bytes, 0);
    watch.written = shared_written.data();
    watch.unwritten_bytes = static_cast<std::int64_t>(shared_bytes) - shared_start;
    local_bytes = static_cast<std::size_t>(program.local_bytes) * 32;
    local_written.assign(local_bytes * warps, 0);
  }
  if (watch.races) {
    if (watch.accesses > most_accesses) words.clear(), watch.accesses = 0;
    if (words.empty()) {
      watch.granule_bits = granule_bits_of(program);
      words.resize((shared_bytes >> watch.granule_bits) + 1);
      stamps.assign(words.size(), 0);
      watch.stamps = stamps.data();
      watch.chunk_words = static_cast<std::uint32_t>(shared_bytes / bytes_a_chunk_word + 1);
      chunks.resize(std::size_t{4} * watch.chunk_words);
      watch.chunks = chunks.data();
      kept.resize(most_kept);
      watch.kept = kept.data();
      watch.kept_most = most_kept;
    }
    watch.block_interval = &block_interval;
    clocks.assign(warps, WarpClock{});
    watch.clocks = clocks.data();
    // Times grow over blocks, so what is kept of earlier ones lies before this one's first interval.
    begin_interval();
  }
  pending.clear();
  if (distinct) {
    loads.resize(warps);
    for (LoadedSectors& one : loads) one.clear();
  }
}

void BlockChecks::begin_interval() {
  ++watch.accesses;
  interval_start = watch.accesses;
  watch.interval = *watch.block_interval;
  watch.kept_count = watch.stamped = watch.seen = 0;
  std::fill(chunks.begin(), chunks.end(), 0);
  if (++watch.epoch < Stamp::epochs) return;
  std::fill(stamps.begin(), stamps.end(), 0);
  watch.epoch = 1;
}

void BlockChecks::add_distinct(DistinctLoads& into) const {
  if (!distinct) return;
  for (const LoadedSectors& one : loads) one.count(into);
}

}  // namespace tilejit::emulator
