#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tilejit/runtime/emulator/execute/launch.h>
#include <tilejit/runtime/emulator/execute/warp.h>
#include <tilejit/runtime/emulator/memory/distinct_loads.h>
#include <tilejit/runtime/emulator/memory/pending_copies.h>

namespace tilejit::emulator {

/// One access of a thread to a word of shared memory.
struct WordAccess {
  std::uint32_t interval = 0;  ///< of the block's barriers; 0: never
  std::uint32_t syncs = 0;     ///< __syncwarps that its warp had passed
  std::uint32_t access = 0;    ///< which of its warp's accesses
  std::uint32_t site = 0;
  std::uint16_t thread = 0;
  bool atomic = false;
};

/// What happened to a word since the last barrier.
struct SharedWord {
  WordAccess write, read;
  std::uint32_t readers = 0;  ///< warps, by bit; of read's interval
};

/// What is kept for a block that is checked.
struct BlockChecks {
  bool unwritten = false, races = false, distinct = false;
  std::vector<std::uint8_t> shared_written;  ///< by byte, from shared address 0
  std::vector<SharedWord> words;             ///< by four bytes
  std::vector<PendingWord> pending;          ///< by four bytes; empty until a copy is issued
  std::vector<LoadedSectors> loads;          ///< by warp

  void begin(const Schedule& schedule, std::size_t shared_bytes, std::size_t warps);
  void add_distinct(DistinctLoads& into) const;
};

/// Compares a lane's access to shared memory with what others did in this barrier interval, and keeps it. A Fault: two
/// threads, at least one writing, nothing between.
void check_race(const Op* op, Warp& warp, int lane, std::uint64_t address);

}  // namespace tilejit::emulator
