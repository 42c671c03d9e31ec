#include <tilejit/runtime/emulator/memory/block_checks.h>

namespace tilejit::emulator {

void BlockChecks::begin(const Schedule& schedule, std::size_t shared_bytes, std::size_t warps) {
  unwritten = schedule.check_unwritten;
  races = schedule.check_races;
  distinct = schedule.distinct;
  if (unwritten) shared_written.assign(shared_bytes, 0);
  if (races) words.resize((shared_bytes + 3) / 4);  // intervals grow over blocks, so old entries say nothing
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
