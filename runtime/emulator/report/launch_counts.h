#pragma once
#include <cstdint>
#include <vector>

#include <tilejit/runtime/emulator/report/site_state.h>

namespace tilejit::emulator {

/// How often an instruction ran.
struct ExecutionCount {
  std::uint64_t warps = 0, threads = 0;
};

/// What a launch, or several of one kernel, did; indexed by Program::sites.
struct LaunchCounts {
  std::uint64_t launches = 0, blocks = 0, threads = 0;
  std::uint64_t warps = 0, distinct_load_sectors = 0, distinct_load_bytes = 0;  ///< where asked for
  std::vector<AccessCounts> accesses;
  std::vector<ExecutionCount> executions;

  void add(const LaunchCounts& other);
};

}  // namespace tilejit::emulator
