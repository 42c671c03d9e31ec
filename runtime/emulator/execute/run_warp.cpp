#include <tilejit/runtime/emulator/execute/assemble.h>
#include <tilejit/runtime/emulator/execute/block.h>

namespace tilejit::emulator {
namespace {

constexpr int polls_a_turn = 200;

}  // namespace

void run_warp(Warp& w) {
  w.polls = polls_a_turn;
  for (;;) {
    if (w.parked_count != 0) {
      wake_assembled(w);
      if (w.ready_count == 0 && !join_parked(w)) return;
    }
    if (!take_ready(w)) return;
    w.yielded = false;
    const Op* op = w.pc;
    do op = op->run(op, w);
    while (op < w.limit);
    if (w.limit != nullptr) {  // reached, or jumped past, where others stand
      leave_run(w, op, w.mask);
      make_ready(w, op, w.mask);
    }
    if (w.yielded) return;
  }
}

}  // namespace tilejit::emulator
