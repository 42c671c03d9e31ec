#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/execute/splits.h>
#include <tilejit/runtime/emulator/memory/access.h>
#include <tilejit/runtime/emulator/report/faults.h>

#include <atomic>
#include <chrono>

/// Guards, jumps, branches, exits.
namespace tilejit::emulator {
namespace {

template <class T>
T* at(Warp& w, Place place) {
  return reinterpret_cast<T*>(w.base[place & 1] + (place & ~Place{1}));
}

std::uint32_t guard_bits(const Op* op, const Warp& w) {
  const Place place = op->guard;
  std::uint32_t bits = *reinterpret_cast<const std::uint32_t*>(w.base[place & 1] + (place & ~Place{3}));
  if ((place & guard_negated) != 0) bits = ~bits;
  return bits & w.mask;
}

const Op* go(const Op* op, Warp& w, const Op* target) {
  leave_run(w, op + 1, w.mask);
  enter_run(w, target, w.mask);
  return target;
}

}  // namespace

const Op* run_guarded(const Op* op, Warp& w) {
  const std::uint32_t passes = guard_bits(op, w);
  if (passes == 0) return op + 1;
  const std::uint32_t all = w.mask;
  w.mask = passes;
  op->inner(op, w);
  w.mask = all;
  return op + 1;
}

const Op* run_jump(const Op* op, Warp& w) { return go(op, w, op->target); }

const Op* run_branch(const Op* op, Warp& w) {
  const std::uint32_t taken = guard_bits(op, w);
  if (taken == w.mask) return go(op, w, op->target);
  if (taken == 0) return op + 1;
  leave_run(w, op + 1, w.mask);
  make_ready(w, op->target, taken);
  make_ready(w, op + 1, w.mask & ~taken);
  w.limit = nullptr;
  return nullptr;
}

const Op* run_exit(const Op* op, Warp& w) {
  const std::uint32_t leaving = op->guard == no_place ? w.mask : guard_bits(op, w);
  if (leaving == 0) return op + 1;
  w.live &= ~leaving;
  leave_run(w, op + 1, w.mask);
  const std::uint32_t staying = w.mask & ~leaving;
  if (staying != 0) make_ready(w, op + 1, staying);
  w.limit = nullptr;
  return nullptr;
}

const Op* run_nothing(const Op* op, Warp&) { return op + 1; }

const Op* run_fence(const Op* op, Warp& w) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (w.checking) note_fence(w);
  return op + 1;
}

/// Behind what reads memory that others may write: after many of them, others get a turn.
const Op* run_poll(const Op* op, Warp& w) {
  if (--w.polls > 0) return op + 1;
  leave_run(w, op + 1, w.mask);
  make_ready(w, op + 1, w.mask);
  w.yielded = true;
  w.limit = nullptr;
  return nullptr;
}

const Op* run_trap(const Op* op, Warp& w) {
  fault(FaultKind::trap, op, w, __builtin_ctz(w.mask), "the kernel executed a trap");
}

const Op* run_clock(const Op* op, Warp& w) {
  const auto now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  auto* d = at<std::uint64_t>(w, op->d);
  for (std::uint32_t rest = w.mask; rest != 0; rest &= rest - 1) d[__builtin_ctz(rest)] = now;
  return op + 1;
}

const Op* run_global_timer(const Op* op, Warp& w) {
  using namespace std::chrono;
  const auto now =
      static_cast<std::uint64_t>(duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count());
  auto* d = at<std::uint64_t>(w, op->d);
  for (std::uint32_t rest = w.mask; rest != 0; rest &= rest - 1) d[__builtin_ctz(rest)] = now;
  return op + 1;
}

}  // namespace tilejit::emulator
