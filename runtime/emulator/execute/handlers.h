#pragma once
#include <tilejit/runtime/emulator/kernel/op.h>

/// Ops that are not one value a lane: where lanes go, what they wait for, what they share.
namespace tilejit::emulator {

const Op* run_guarded(const Op* op, Warp& w);
const Op* run_jump(const Op* op, Warp& w);
const Op* run_branch(const Op* op, Warp& w);
const Op* run_exit(const Op* op, Warp& w);
const Op* run_trap(const Op* op, Warp& w);
const Op* run_unsupported(const Op* op, Warp& w);
const Op* run_nothing(const Op* op, Warp& w);
const Op* run_fence(const Op* op, Warp& w);
const Op* run_poll(const Op* op, Warp& w);
const Op* run_clock(const Op* op, Warp& w);         ///< d: 64 bits
const Op* run_global_timer(const Op* op, Warp& w);  ///< d: 64 bits

/// a: barrier, b: threads or no_place.
const Op* run_barrier_sync(const Op* op, Warp& w);
const Op* run_barrier_arrive(const Op* op, Warp& w);
/// c: predicate, d: result, immediate: Reduction.
enum class Reduction : std::int64_t { none, all, any, count };
const Op* run_barrier_reduce(const Op* op, Warp& w);

/// list[0]: member mask.
const Op* run_warp_barrier(const Op* op, Warp& w);
/// d, a, b: lane, c: clamp; list[1]: predicate or no_place.
const Op* run_shuffle_idx(const Op* op, Warp& w);
const Op* run_shuffle_up(const Op* op, Warp& w);
const Op* run_shuffle_down(const Op* op, Warp& w);
const Op* run_shuffle_bfly(const Op* op, Warp& w);
/// a: predicate.
const Op* run_vote_all(const Op* op, Warp& w);
const Op* run_vote_any(const Op* op, Warp& w);
const Op* run_vote_uni(const Op* op, Warp& w);
const Op* run_vote_ballot(const Op* op, Warp& w);
const Op* run_match_any_b32(const Op* op, Warp& w);
const Op* run_match_any_b64(const Op* op, Warp& w);
/// list[1]: predicate or no_place.
const Op* run_match_all_b32(const Op* op, Warp& w);
const Op* run_match_all_b64(const Op* op, Warp& w);
Handler redux_handler(const char* operation_and_type);  ///< "add.s32"; null: there is none
const Op* run_active_mask(const Op* op, Warp& w);
/// d: leader or no_place; list[1]: predicate.
const Op* run_elect(const Op* op, Warp& w);

/// d: old value or no_place, a: address, b, c: operands; null: there is none. `name`: "add.u32".
Handler atomic_handler(const char* name);

/// Generic addresses: sends lanes to the space they point into.
const Op* run_generic_access(const Op* op, Warp& w);
/// Kernel parameters at addresses known only to the lanes.
const Op* run_param_access(const Op* op, Warp& w);
/// d: predicate, a: generic address, immediate: Space.
const Op* run_is_space(const Op* op, Warp& w);

/// immediate: local offset of the parameters; d: result in local memory.
const Op* run_printf(const Op* op, Warp& w);
const Op* run_assert_fail(const Op* op, Warp& w);

}  // namespace tilejit::emulator
