#include <tilejit/runtime/emulator/report/launch_counts.h>

namespace tilejit::emulator {

void LaunchCounts::add(const LaunchCounts& other) {
  launches += other.launches;
  blocks += other.blocks;
  threads += other.threads;
  warps += other.warps;
  distinct_load_sectors += other.distinct_load_sectors;
  distinct_load_bytes += other.distinct_load_bytes;
  if (accesses.size() < other.accesses.size()) accesses.resize(other.accesses.size());
  if (executions.size() < other.executions.size()) executions.resize(other.executions.size());
  for (std::size_t i = 0; i < other.accesses.size(); ++i) {
    AccessCounts& a = accesses[i];
    const AccessCounts& b = other.accesses[i];
    a.requests += b.requests;
    a.lanes += b.lanes;
    a.sectors += b.sectors;
    a.ideal_sectors += b.ideal_sectors;
    a.unique_bytes += b.unique_bytes;
    a.wavefronts += b.wavefronts;
    a.ideal_wavefronts += b.ideal_wavefronts;
  }
  for (std::size_t i = 0; i < other.executions.size(); ++i) {
    executions[i].warps += other.executions[i].warps;
    executions[i].threads += other.executions[i].threads;
  }
}

}  // namespace tilejit::emulator
