#include <string>

#include <tilejit/runtime/emulator/execute/block.h>
#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/execute/lane_places.h>
#include <tilejit/runtime/emulator/execute/splits.h>
#include <tilejit/runtime/emulator/report/faults.h>

/// bar.sync, bar.arrive, bar.red: lanes arrive; Block lets them go.
namespace tilejit::emulator {
namespace {

int barrier_of(const Op* op, Warp& w) {
  const int lane = __builtin_ctz(w.mask);
  const std::uint32_t id = lanes_at<const std::uint32_t>(w, op->a)[lane];
  if (id > 15) fault(FaultKind::trap, op, w, lane, "there is no barrier " + std::to_string(id) + ", only 0 to 15");
  if (op->b == no_place) return static_cast<int>(id);
  const std::uint32_t threads = lanes_at<const std::uint32_t>(w, op->b)[lane];
  Barrier& barrier = w.block->barriers[id];
  if (threads % 32 != 0 || threads == 0) {
    fault(FaultKind::trap, op, w, lane,
          "a barrier for " + std::to_string(threads) + " threads: their number must be a multiple of 32");
  }
  if (barrier.threads != 0 && barrier.threads != threads) {
    fault(FaultKind::trap, op, w, lane,
          "barrier " + std::to_string(id) + " for " + std::to_string(threads) +
              " threads while others wait there for " + std::to_string(barrier.threads));
  }
  barrier.threads = threads;
  return static_cast<int>(id);
}

const Op* reduce(const Op* op, Warp& w) {
  const int id = barrier_of(op, w);
  const std::uint32_t yes = predicate_at(w, op->c) & w.mask;
  Barrier& barrier = w.block->barriers[id];
  barrier.all = yes == w.mask ? barrier.all : 0;
  barrier.any |= yes;
  barrier.count += static_cast<std::uint32_t>(__builtin_popcount(yes));
  return park_at_barrier(op, w, id);
}

}  // namespace

const Op* run_barrier_sync(const Op* op, Warp& w) { return park_at_barrier(op, w, barrier_of(op, w)); }

const Op* run_barrier_arrive(const Op* op, Warp& w) {
  const int id = barrier_of(op, w);
  w.block->barriers[id].arrived += w.mask == w.live ? 32 : static_cast<std::uint32_t>(__builtin_popcount(w.mask));
  return op + 1;
}

const Op* run_barrier_reduce(const Op* op, Warp& w) { return reduce(op, w); }

}  // namespace tilejit::emulator
