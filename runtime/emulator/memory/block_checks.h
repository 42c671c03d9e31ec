#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tilejit/runtime/emulator/execute/launch.h>
#include <tilejit/runtime/emulator/execute/warp.h>
#include <tilejit/runtime/emulator/memory/distinct_loads.h>
#include <tilejit/runtime/emulator/memory/pending_copies.h>
#include <tilejit/runtime/emulator/memory/shared_watch.h>

namespace tilejit::emulator {

/// One access of a thread to a granule of shared memory: when (accesses of the block, one a warp and instruction), by
/// which instruction, by whom. As one number, so that later is greater.
struct Touch {
  std::uint64_t bits = 0;

  static Touch of(std::uint32_t when, std::uint32_t site, std::uint32_t thread, bool strong) {
    return {std::uint64_t{when} << 32 | std::uint64_t{site & 0xFFFFF} << 12 | thread << 2 | (strong ? 1u : 0u)};
  }
  std::uint32_t when() const { return static_cast<std::uint32_t>(bits >> 32); }
  std::uint32_t site() const { return static_cast<std::uint32_t>(bits >> 12) & 0xFFFFF; }
  std::uint32_t thread() const { return static_cast<std::uint32_t>(bits >> 2) & 0x3FF; }
  std::uint32_t warp() const { return thread() / 32; }
  bool strong() const { return (bits & 1) != 0; }   ///< atomic, volatile, relaxed: may meet another strong one
  bool several() const { return (bits & 2) != 0; }  ///< other lanes of the warp too
  Touch by_several() const { return {bits | 2}; }
};

/// What happened to a granule lately: the last weak write, else what two warps did. Weak and strong each for itself, as
/// what a thread did the one way may meet what the other way does not.
struct SharedWord {
  Touch write;
  Touch read[2], strong_read[2], strong_write[2];
};

/// What is kept for a block that is checked.
struct BlockChecks {
  bool distinct = false;
  SharedWatch watch;                         ///< of shared memory; points into what follows
  std::vector<std::uint8_t> shared_written;  ///< by byte, from shared address 0
  std::vector<std::uint8_t> local_written;   ///< as local memory lies: 32-bit words of a warp's lanes side by side
  std::size_t local_bytes = 0;               ///< a warp's
  std::vector<SharedWord> words;             ///< by granule
  std::vector<WarpClock> clocks;             ///< by warp
  std::vector<KeptAccess> kept;
  std::vector<std::uint64_t> chunks;
  std::vector<std::uint32_t> stamps;
  std::uint32_t interval_start = 0;  ///< the access that began the present barrier interval
  std::vector<PendingWord> pending;  ///< by four bytes; empty until a copy is issued
  std::vector<LoadedSectors> loads;  ///< by warp

  void begin(const Schedule& schedule, const Program& program, const std::uint32_t& block_interval,
             std::size_t shared_bytes, std::size_t warps);
  /// The barriers began another interval: what was kept of the one before is forgotten.
  void begin_interval();
  void add_distinct(DistinctLoads& into) const;
  /// Which bytes of local memory a warp's lanes wrote; null: not looked at.
  std::uint8_t* local_of(int warp) {
    return local_written.empty() ? nullptr : local_written.data() + static_cast<std::size_t>(warp) * local_bytes;
  }
};

/// Compares what a warp does to shared memory with what others did in this barrier interval, and keeps it. A Fault: two
/// threads, at least one writing, nothing between that orders them.
void check_races(const Op* op, Warp& warp, const std::uint64_t* address);
/// The same of one lane.
void check_race(const Op* op, Warp& warp, int lane, std::uint64_t address);

}  // namespace tilejit::emulator
