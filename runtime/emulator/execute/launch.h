#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <tilejit/runtime/emulator/kernel/program.h>
#include <tilejit/runtime/emulator/memory/allocations.h>
#include <tilejit/runtime/emulator/report/faults.h>
#include <tilejit/runtime/emulator/report/launch_counts.h>

namespace tilejit::emulator {

/// How a launch runs; the same for all launches of a device.
struct Schedule {
  int workers = 1;               ///< threads that blocks are spread over
  bool deterministic = false;    ///< one worker, blocks and warps in order
  std::uint64_t shuffle = 0;     ///< seed of a random order of warps and blocks; 0: in order
  bool check_unwritten = false;  ///< reads of memory that nobody wrote
  bool check_races = false;      ///< races on shared memory
  bool distinct = false;         ///< count the union of each warp's loads
  bool plain_mma = false;        ///< tensor cores compute as float32 does: faster, not bit for bit
  int sms = 132;
};

/// One kernel over one grid.
struct Launch {
  const Program* program = nullptr;
  std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::vector<std::byte> params;
  std::uint32_t dynamic_shared = 0;
  Allocations* memory = nullptr;
  Schedule schedule;
  std::uint64_t number = 0;  ///< of launches of the device, from 1

  std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
  std::uint32_t threads() const { return block[0] * block[1] * block[2]; }
};

struct Outcome {
  std::optional<Fault> fault;  ///< of the lowest block that had one
  std::string printed;         ///< by printf, block after block
  LaunchCounts counts;
};

/// Runs it to its end or to its first fault.
Outcome run(const Launch& launch);

}  // namespace tilejit::emulator
