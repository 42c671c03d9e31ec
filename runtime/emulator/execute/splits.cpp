#include <tilejit/runtime/emulator/execute/assemble.h>
#include <tilejit/runtime/emulator/execute/splits.h>

namespace tilejit::emulator {

void make_ready(Warp& w, const Op* pc, std::uint32_t mask) {
  int at = w.ready_count;
  while (at > 0 && w.ready[at - 1].pc > pc) --at;
  if (at > 0 && w.ready[at - 1].pc == pc) {
    w.ready[at - 1].mask |= mask;
    return;
  }
  for (int k = w.ready_count; k > at; --k) w.ready[k] = w.ready[k - 1];
  w.ready[at] = {pc, mask};
  ++w.ready_count;
}

bool take_ready(Warp& w) {
  if (w.ready_count == 0) return false;
  // After polling in vain the highest split gets its turn: what the lowest waits for may be there.
  const int pick = w.yielded && w.ready_count > 1 ? w.ready_count - 1 : 0;
  w.pc = w.ready[pick].pc;
  w.mask = w.ready[pick].mask;
  for (int k = pick + 1; k < w.ready_count; ++k) w.ready[k - 1] = w.ready[k];
  --w.ready_count;
  w.limit = pick == 0 && w.ready_count > 0 ? w.ready[0].pc : no_limit;
  enter_run(w, w.pc, w.mask);
  return true;
}

void park_lanes(Warp& w, const Op* op, const Op* resume, std::uint32_t mask, std::uint32_t need, int barrier) {
  for (int k = 0; k < w.parked_count; ++k) {
    Parked& other = w.parked[k];
    if (other.pc == op && other.need == need && other.barrier == barrier) {
      other.mask |= mask;
      return;
    }
  }
  w.parked[w.parked_count++] = {op, resume, mask, need, barrier};
}

const Op* park_at_barrier(const Op* op, Warp& w, int barrier) {
  park_lanes(w, op, op + 1, w.mask, 0, barrier);
  return stop(w, op);
}

void wake_assembled(Warp& w) {
  int kept = 0;
  for (int k = 0; k < w.parked_count; ++k) {
    const Parked& p = w.parked[k];
    if (p.barrier < 0 && (p.need & w.live & ~p.mask) == 0) {
      make_ready(w, p.resume, p.mask);
    } else {
      w.parked[kept++] = p;
    }
  }
  w.parked_count = kept;
}

}  // namespace tilejit::emulator
