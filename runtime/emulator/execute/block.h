#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tilejit/runtime/emulator/execute/copies.h>
#include <tilejit/runtime/emulator/execute/warp.h>

namespace tilejit::emulator {

struct Worker;
struct BlockChecks;

/// One of a block's 16 named barriers.
struct Barrier {
  std::uint32_t threads = 0;                    ///< that must come; 0: all
  std::uint32_t arrived = 0;                    ///< by bar.arrive, which does not wait
  std::uint32_t all = ~0u, any = 0, count = 0;  ///< of bar.red's predicates
};

/// Cache-line aligned bytes.
struct AlignedBytes {
  std::unique_ptr<std::byte[]> memory;
  std::byte* start = nullptr;
  std::size_t size = 0;
  void resize(std::size_t bytes);  ///< contents are lost
};

/// A block that runs: it may stop between its warps' turns and go on later.
struct Block {
  Worker* worker = nullptr;
  std::uint64_t index = 0;  ///< in the grid
  std::uint32_t ctaid[3] = {};
  std::vector<Warp> warps;
  std::vector<AsyncCopies> copies;  ///< by warp; empty until one is issued
  AlignedBytes registers, shared, local, constants;
  Barrier barriers[16];
  std::uint32_t interval = 1;           ///< grows with every barrier
  std::unique_ptr<BlockChecks> checks;  ///< where they are asked for
  std::uint64_t random = 0;
  std::string printed;

  Block();
  ~Block();

  enum class Status { finished, yielded };
  /// Gives every warp that can run turns until all have returned, or one polls in vain. Throws Fault.
  Status run();
  /// Of where its threads are and what their registers hold: equal as long as nothing changes for them.
  std::uint64_t digest() const;
  std::uint64_t last_digest = 0;
  /// A Fault: it polls, as all of the launch's blocks do that were begun, what nobody writes any more.
  [[noreturn]] void report_standstill(std::uint64_t blocks);

 private:
  std::vector<std::uint32_t> order_;  ///< of warps' turns
  bool release_barriers();
  void release(int id);
  [[noreturn]] void report_deadlock();
};

/// A warp's turn: until no lane is ready or it yields.
void run_warp(Warp& warp);

}  // namespace tilejit::emulator
