#include <algorithm>
#include <cstring>

#include <tilejit/runtime/emulator/execute/assemble.h>
#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/execute/worker.h>
#include <tilejit/runtime/emulator/report/faults.h>

/// .sync instructions wait for lanes that execute the same instruction with the same mask, wherever it stands. Lanes at
/// different ones are brought together in places set aside behind the warp's registers.
namespace tilejit::emulator {
namespace {

struct Shape {
  int a = 4, b = 0, c = 0, d = 4;  ///< bytes a lane; 1: a predicate; 0: none
  bool second = false;             ///< list[1] is a predicate result
};

Shape shape_of(Handler run) {
  if (run == run_shuffle_idx || run == run_shuffle_up || run == run_shuffle_down || run == run_shuffle_bfly) {
    return {4, 4, 4, 4, true};
  }
  if (run == run_vote_all || run == run_vote_any || run == run_vote_uni) return {1, 0, 0, 1, false};
  if (run == run_vote_ballot) return {1, 0, 0, 4, false};
  if (run == run_match_any_b64) return {8, 0, 0, 4, false};
  if (run == run_match_all_b64) return {8, 0, 0, 4, true};
  if (run == run_match_all_b32) return {4, 0, 0, 4, true};
  if (run == run_warp_barrier) return {0, 0, 0, 0, false};
  if (run == run_elect) return {0, 0, 0, 4, true};
  return {4, 0, 0, 4, false};
}

void copy_lanes(Warp& w, Place to, Place from, int bytes, std::uint32_t mask) {
  if (bytes == 0 || to == no_place || from == no_place) return;
  if (bytes == 1) {
    const std::uint32_t bits = predicate_at(w, from);
    std::uint32_t& home = *lanes_at<std::uint32_t>(w, to);
    home = (home & ~mask) | (bits & mask);
    return;
  }
  for_lanes(mask, [&](int lane) {
    std::memcpy(lanes_at<std::byte>(w, to) + lane * bytes, lanes_at<const std::byte>(w, from) + lane * bytes,
                static_cast<std::size_t>(bytes));
  });
}

}  // namespace

bool join_parked(Warp& w) {
  for (int k = 0; k < w.parked_count; ++k) {
    const Parked first = w.parked[k];
    if (first.barrier != at_warp) continue;
    std::uint32_t here = 0;
    for (int j = 0; j < w.parked_count; ++j) {
      const Parked& p = w.parked[j];
      if (p.barrier == at_warp && p.need == first.need && p.pc->run == first.pc->run) here |= p.mask;
    }
    if ((first.need & w.live & ~here) != 0) continue;

    const Place scratch = w.worker->program->register_bytes;
    Place list[2] = {scratch + 768, scratch + 896};
    Op joint = *first.pc;
    joint.a = scratch, joint.b = scratch + 256, joint.c = scratch + 384, joint.d = scratch + 512, joint.list = list;
    const Shape shape = shape_of(first.pc->run);
    int kept = 0;
    Parked joined[32];
    int joined_count = 0;
    for (int j = 0; j < w.parked_count; ++j) {
      const Parked p = w.parked[j];
      if (p.barrier == at_warp && p.need == first.need && p.pc->run == first.pc->run)
        joined[joined_count++] = p;
      else
        w.parked[kept++] = p;
    }
    w.parked_count = kept;
    for (int j = 0; j < joined_count; ++j) {
      const Parked& p = joined[j];
      copy_lanes(w, joint.a, p.pc->a, shape.a, p.mask);
      copy_lanes(w, joint.b, p.pc->b, shape.b, p.mask);
      copy_lanes(w, joint.c, p.pc->c, shape.c, p.mask);
      copy_lanes(w, list[0], p.pc->list[0], 4, p.mask);
    }
    w.mask = here;
    joint.run(&joint, w);
    for (int j = 0; j < joined_count; ++j) {
      const Parked& p = joined[j];
      copy_lanes(w, p.pc->d, joint.d, shape.d, p.mask);
      if (shape.second) copy_lanes(w, p.pc->list[1], list[1], 1, p.mask);
      enter_run(w, p.pc, p.mask);
      leave_run(w, p.pc + 1, p.mask);
      make_ready(w, p.pc + 1, p.mask);
    }
    return true;
  }
  return false;
}

void fault_not_a_member(const Op* op, Warp& w, int lane, std::uint32_t members) {
  char text[160];
  std::snprintf(text, sizeof(text), "lane %d is not in its own member mask 0x%08x", lane, members);
  fault(FaultKind::shuffle_lane, op, w, lane, text);
}

}  // namespace tilejit::emulator
