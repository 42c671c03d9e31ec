#include <map>
#include <string>
#include <string_view>

#include <tilejit/runtime/emulator/execute/absent_lane.h>
#include <tilejit/runtime/emulator/execute/assemble.h>
#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/report/faults.h>

/// What the lanes of a warp do together: shuffles, votes, matches, reductions.
namespace tilejit::emulator {
namespace {

const Op* shuffle(const Op* op, Warp& w) {
  return together(op, w, [&] { op->lanes(op, w); });
}

template <class F>
const Op* vote(const Op* op, Warp& w, F f) {
  return together(op, w, [&] {
    const std::uint32_t yes = predicate_at(w, op->a) & w.mask;
    write_predicate(w, op->d, f(yes, w.mask) ? ~0u : 0);
  });
}

template <class T>
const Op* match_any(const Op* op, Warp& w) {
  return together(op, w, [&] {
    const T* a = lanes_at<const T>(w, op->a);
    std::uint32_t result[32];
    for_lanes(w.mask, [&](int lane) {
      result[lane] = 0;
      for_lanes(w.mask, [&](int other) { result[lane] |= static_cast<std::uint32_t>(a[other] == a[lane]) << other; });
    });
    std::uint32_t* d = lanes_at<std::uint32_t>(w, op->d);
    for_lanes(w.mask, [&](int lane) { d[lane] = result[lane]; });
  });
}

template <class T>
const Op* match_all(const Op* op, Warp& w) {
  return together(op, w, [&] {
    const T* a = lanes_at<const T>(w, op->a);
    const T first = a[__builtin_ctz(w.mask)];
    bool same = true;
    for_lanes(w.mask, [&](int lane) { same &= a[lane] == first; });
    std::uint32_t* d = lanes_at<std::uint32_t>(w, op->d);
    for_lanes(w.mask, [&](int lane) { d[lane] = same ? w.mask : 0; });
    if (op->list[1] != no_place) write_predicate(w, op->list[1], same ? ~0u : 0);
  });
}

template <class T, auto F>
const Op* redux(const Op* op, Warp& w) {
  return together(op, w, [&] {
    const T* a = lanes_at<const T>(w, op->a);
    const int first = __builtin_ctz(w.mask);
    T all = a[first];
    for_lanes(w.mask & ~(1u << first), [&](int lane) { all = F(all, a[lane]); });
    T* d = lanes_at<T>(w, op->d);
    for_lanes(w.mask, [&](int lane) { d[lane] = all; });
  });
}

using U = std::uint32_t;
using S = std::int32_t;
U add(U a, U b) { return a + b; }
template <class T>
T least(T a, T b) {
  return a < b ? a : b;
}
template <class T>
T most(T a, T b) {
  return a > b ? a : b;
}
U both(U a, U b) { return a & b; }
U either(U a, U b) { return a | b; }
U differ(U a, U b) { return a ^ b; }

}  // namespace

void fault_absent_lane(const Op* op, Warp& w, int lane, int from) {
  fault(FaultKind::shuffle_lane, op, w, lane,
        "lane " + std::to_string(lane) + " takes a value from lane " + std::to_string(from) + ", which " +
            ((w.live >> from & 1) == 0 ? "has returned or never ran" : "takes no part in the shuffle"));
}

const Op* run_shuffle_idx(const Op* op, Warp& w) { return shuffle(op, w); }
const Op* run_shuffle_up(const Op* op, Warp& w) { return shuffle(op, w); }
const Op* run_shuffle_down(const Op* op, Warp& w) { return shuffle(op, w); }
const Op* run_shuffle_bfly(const Op* op, Warp& w) { return shuffle(op, w); }

const Op* run_warp_barrier(const Op* op, Warp& w) {
  return together(op, w, [&] { ++w.syncs; });
}

const Op* run_vote_all(const Op* op, Warp& w) {
  return vote(op, w, [](U yes, U all) { return yes == all; });
}
const Op* run_vote_any(const Op* op, Warp& w) {
  return vote(op, w, [](U yes, U) { return yes != 0; });
}
const Op* run_vote_uni(const Op* op, Warp& w) {
  return vote(op, w, [](U yes, U all) { return yes == 0 || yes == all; });
}
const Op* run_vote_ballot(const Op* op, Warp& w) {
  return together(op, w, [&] {
    const U yes = predicate_at(w, op->a) & w.mask;
    U* d = lanes_at<U>(w, op->d);
    for_lanes(w.mask, [&](int lane) { d[lane] = yes; });
  });
}

const Op* run_match_any_b32(const Op* op, Warp& w) { return match_any<std::uint32_t>(op, w); }
const Op* run_match_any_b64(const Op* op, Warp& w) { return match_any<std::uint64_t>(op, w); }
const Op* run_match_all_b32(const Op* op, Warp& w) { return match_all<std::uint32_t>(op, w); }
const Op* run_match_all_b64(const Op* op, Warp& w) { return match_all<std::uint64_t>(op, w); }

Handler redux_handler(const char* operation_and_type) {
  static const std::map<std::string_view, Handler> all = {
      {"add.u32", redux<U, add>},      {"add.s32", redux<U, add>},     {"min.u32", redux<U, least<U>>},
      {"min.s32", redux<S, least<S>>}, {"max.u32", redux<U, most<U>>}, {"max.s32", redux<S, most<S>>},
      {"and.b32", redux<U, both>},     {"or.b32", redux<U, either>},   {"xor.b32", redux<U, differ>},
  };
  const auto found = all.find(operation_and_type);
  return found == all.end() ? nullptr : found->second;
}

const Op* run_active_mask(const Op* op, Warp& w) {
  U* d = lanes_at<U>(w, op->d);
  for_lanes(w.mask, [&](int lane) { d[lane] = w.mask; });
  return op + 1;
}

const Op* run_elect(const Op* op, Warp& w) {
  return together(op, w, [&] {
    const int leader = __builtin_ctz(w.mask);
    if (op->d != no_place) {
      U* d = lanes_at<U>(w, op->d);
      for_lanes(w.mask, [&](int lane) { d[lane] = static_cast<U>(leader); });
    }
    write_predicate(w, op->list[1], 1u << leader);
  });
}

}  // namespace tilejit::emulator
