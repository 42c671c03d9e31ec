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

/// extra: a Handler that needs all 32 lanes of the warp at this op.
const Op* run_whole_warp(const Op* op, Warp& w);
/// a: shared address (as wide as b says: 4 or 8 bytes), c: matrices, list: their registers.
const Op* run_load_matrices(const Op* op, Warp& w);
const Op* run_load_transposed(const Op* op, Warp& w);
const Op* run_store_matrices(const Op* op, Warp& w);
const Op* run_store_transposed(const Op* op, Warp& w);
/// d, a: a matrix's registers.
const Op* run_transpose(const Op* op, Warp& w);

/// cp.async. a: shared address, b: global address, c: bytes read or no_place (all), immediate: added to a, extra: to b.
/// The site before the op's is that of the global side.
const Op* run_copy_32(const Op* op, Warp& w);  ///< shared addresses of 32 bits
const Op* run_copy_64(const Op* op, Warp& w);
const Op* run_copy_commit(const Op* op, Warp& w);
/// immediate: groups that may stay open; -1: none, and what was not committed comes too.
const Op* run_copy_wait(const Op* op, Warp& w);

/// immediate: local offset of the parameters; d: result in local memory.
const Op* run_printf(const Op* op, Warp& w);
const Op* run_assert_fail(const Op* op, Warp& w);

}  // namespace tilejit::emulator
