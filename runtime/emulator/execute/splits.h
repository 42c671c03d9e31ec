#pragma once
#include <cstdint>

#include <tilejit/runtime/emulator/execute/warp.h>

/// Where a warp's lanes are: ready splits by rising pc, the lowest of which runs, and parked ones.
namespace tilejit::emulator {

inline const Op* const no_limit = reinterpret_cast<const Op*>(~std::uintptr_t{0});

/// Lanes enter a straight run at `op`.
inline void enter_run(Warp& w, const Op* op, std::uint32_t mask) {
  Flow& flow = w.flow[op - w.ops];
  flow.warps += 1;
  flow.threads += __builtin_popcount(mask);
}
/// The running lanes leave one before `op`.
inline void leave_run(Warp& w, const Op* op, std::uint32_t mask) {
  Flow& flow = w.flow[op - w.ops];
  flow.warps -= 1;
  flow.threads -= __builtin_popcount(mask);
}

/// Puts lanes among the ready ones; joins those at the same op.
void make_ready(Warp& w, const Op* pc, std::uint32_t mask);

/// Takes the next split to run: sets mask, pc and limit. False: none is ready.
bool take_ready(Warp& w);

/// Stops the running lanes: the loop ends behind the present op.
inline const Op* stop(Warp& w, const Op* op) {
  leave_run(w, op + 1, w.mask);
  w.limit = nullptr;
  return nullptr;
}

/// Parks the running lanes at a block's barrier.
const Op* park_at_barrier(const Op* op, Warp& w, int barrier);

/// Makes parked lanes ready whose warp mates have come or are gone.
void wake_assembled(Warp& w);

}  // namespace tilejit::emulator
