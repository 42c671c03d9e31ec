#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <tilejit/runtime/emulator/execute/launch.h>
#include <tilejit/runtime/emulator/execute/warp.h>
#include <tilejit/runtime/emulator/memory/distinct_loads.h>

namespace tilejit::emulator {

struct Block;

/// One thread's share of a launch: its counters and the blocks it holds.
struct Worker {
  const Launch* launch = nullptr;
  const Program* program = nullptr;
  const std::vector<std::byte>* constants = nullptr;  ///< with what the launch fills in
  std::vector<SiteState> sites;
  std::vector<Flow> flow;
  DistinctLoads distinct;
  std::vector<std::unique_ptr<Block>> spare;  ///< finished ones, to be used again

  Worker(const Launch& launch, const std::vector<std::byte>& constants);
  ~Worker();
  std::unique_ptr<Block> start(std::uint64_t index);
  void finish(std::unique_ptr<Block> block);
  void add_counts(LaunchCounts& counts);
};

}  // namespace tilejit::emulator
