#pragma once
#include <cstdint>

#include <tilejit/runtime/emulator/kernel/op.h>
#include <tilejit/runtime/emulator/report/site_state.h>

namespace tilejit::emulator {

struct Block;
struct SharedWatch;
struct Worker;

/// Lanes of a warp that stand at one op.
struct Split {
  const Op* pc = nullptr;
  std::uint32_t mask = 0;
};

/// What a split waits at, besides a block's barriers by number: its warp's other lanes at any instruction of the kind,
/// or at this very one.
constexpr int at_warp = -1, at_aligned = -2;

/// Why a split waits.
struct Parked {
  const Op* pc = nullptr;      ///< the op that parked it
  const Op* resume = nullptr;  ///< where it goes on
  std::uint32_t mask = 0;
  std::uint32_t need = 0;  ///< lanes that must come (a warp's synchronisation); 0: a block's barrier
  int barrier = at_warp;   ///< which of the block's, or at_warp, at_aligned
};

/// Executions of an op are kept as differences: +n where lanes enter a straight run, -n behind where they leave it.
struct Flow {
  std::int64_t warps = 0, threads = 0;
};

/// Up to 32 threads. Plain data; handlers for all instruction sets read it.
struct Warp {
  std::byte* base[2];           ///< registers, constants: what a Place's lowest bit selects
  std::uint32_t mask = 0;       ///< lanes that run now
  std::uint32_t live = 0;       ///< lanes that have not returned
  const Op* limit = nullptr;    ///< the straight loop ends at or behind it; null: at once
  const Op* pc = nullptr;       ///< where the loop stopped, if limit is null
  const Op* segment = nullptr;  ///< where the present straight run began
  SiteState* sites = nullptr;   ///< the worker's, by Op::site
  Flow* flow = nullptr;         ///< the worker's, by op index
  const Op* ops = nullptr;      ///< the kernel's first
  std::byte* shared = nullptr;  ///< host address of shared address 0
  std::int64_t shared_begin = 0, shared_end = 0;
  std::byte* local = nullptr;  ///< 32-bit words of the lanes side by side
  std::int64_t local_bytes = 0;
  SharedWatch* watch = nullptr;  ///< the block's, while `checking`
  Block* block = nullptr;
  Worker* worker = nullptr;
  int index = 0;               ///< in the block
  std::uint32_t syncs = 0;     ///< __syncwarps passed
  std::uint32_t accesses = 0;  ///< inspected: tells one instruction's lanes from the next's
  int polls = 0;               ///< polling operations until others get a turn
  bool yielded = false;        ///< gave up its turn although it could run
  bool checking = false;       ///< reads of unwritten memory or races are looked for
  bool plain_mma = false;      ///< mma.sync as float32 computes, not bit for bit as tensor cores do
  int ready_count = 0, parked_count = 0;
  Split ready[32];    ///< by rising pc, what runs now taken out
  Parked parked[32];  ///< in order of arrival
};

}  // namespace tilejit::emulator
