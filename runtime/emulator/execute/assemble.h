#pragma once
#include <cstdint>

#include <tilejit/runtime/emulator/execute/lane_places.h>
#include <tilejit/runtime/emulator/execute/splits.h>

namespace tilejit::emulator {

/// A lane that is not in its own member mask: undefined, so a Fault.
[[noreturn]] void fault_not_a_member(const Op* op, Warp& w, int lane, std::uint32_t members);

/// Parks lanes at an op that waits for `need`; flow is not touched.
void park_lanes(Warp& w, const Op* op, const Op* resume, std::uint32_t mask, std::uint32_t need, int barrier);

/// Runs perform() once for each group of running lanes with one member mask (list[0]) whose members are all here;
/// the others wait. Within perform, Warp::mask is the group.
template <class Perform>
const Op* together(const Op* op, Warp& w, Perform perform) {
  const std::uint32_t* masks = lanes_at<const std::uint32_t>(w, op->list[0]);
  const std::uint32_t all = w.mask;
  if ((op->list[0] & constant_bit) != 0 && (masks[0] & w.live) == all && (all & ~masks[0]) == 0) {
    perform();
    return op + 1;
  }
  std::uint32_t rest = all, done = 0;
  while (rest != 0) {
    const int first = __builtin_ctz(rest);
    const std::uint32_t members = masks[first];
    std::uint32_t group = 0;
    for_lanes(rest, [&](int lane) { group |= static_cast<std::uint32_t>(masks[lane] == members) << lane; });
    rest &= ~group;
    if ((group & ~members) != 0) fault_not_a_member(op, w, __builtin_ctz(group & ~members), members);
    if ((members & w.live & ~group) != 0) {
      park_lanes(w, op, op, group, members, -1);
      continue;
    }
    w.mask = group;
    perform();
    done |= group;
  }
  w.mask = all;
  if (done == all) return op + 1;
  leave_run(w, op, all);
  if (done != 0) {
    enter_run(w, op, done);
    leave_run(w, op + 1, done);
    make_ready(w, op + 1, done);
  }
  w.limit = nullptr;
  return nullptr;
}

/// Lanes that wait for each other at different instructions of one kind, with one member mask, carry it out together.
/// True: some did.
bool join_parked(Warp& w);

}  // namespace tilejit::emulator
