#include <cstring>
#include <map>
#include <string_view>

#include <tilejit/runtime/emulator/execute/assemble.h>
#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/report/faults.h>

/// What the lanes of a warp do together: shuffles, votes, matches, reductions.
namespace tilejit::emulator {
namespace {

enum class Way { idx, up, down, bfly };

/// PTX's own definition: c holds the clamp in bits 0-4 and the segment mask in bits 8-12.
template <Way W>
int source_lane(int lane, std::uint32_t b, std::uint32_t c, bool& inside) {
  const int offset = static_cast<int>(b & 31), clamp = static_cast<int>(c & 31),
            segment = static_cast<int>(c >> 8 & 31);
  const int max_lane = (lane & segment) | (clamp & ~segment), min_lane = lane & segment;
  int from = 0;
  switch (W) {
    case Way::up:
      from = lane - offset, inside = from >= max_lane;
      break;
    case Way::down:
      from = lane + offset, inside = from <= max_lane;
      break;
    case Way::bfly:
      from = lane ^ offset, inside = from <= max_lane;
      break;
    case Way::idx:
      from = min_lane | (offset & ~segment), inside = from <= max_lane;
      break;
  }
  return inside ? from : lane;
}

template <Way W>
const Op* shuffle(const Op* op, Warp& w) {
  return together(op, w, [&] {
    std::uint32_t a[32], result[32], inside = 0;
    std::memcpy(a, lanes_at<const std::uint32_t>(w, op->a), sizeof(a));
    const std::uint32_t* b = lanes_at<const std::uint32_t>(w, op->b);
    const std::uint32_t* c = lanes_at<const std::uint32_t>(w, op->c);
    for_lanes(w.mask, [&](int lane) {
      bool in = false;
      const int from = source_lane<W>(lane, b[lane], c[lane], in);
      if ((w.mask >> from & 1) == 0) {
        const std::string other = "lane " + std::to_string(from);
        fault(FaultKind::shuffle_lane, op, w, lane,
              "lane " + std::to_string(lane) + " takes a value from " + other + ", which " +
                  ((w.live >> from & 1) == 0 ? "has returned or never ran" : "takes no part in the shuffle"));
      }
      result[lane] = a[from];
      inside |= static_cast<std::uint32_t>(in) << lane;
    });
    std::uint32_t* d = lanes_at<std::uint32_t>(w, op->d);
    for_lanes(w.mask, [&](int lane) { d[lane] = result[lane]; });
    if (op->list[1] != no_place) write_predicate(w, op->list[1], inside);
  });
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

const Op* run_shuffle_idx(const Op* op, Warp& w) { return shuffle<Way::idx>(op, w); }
const Op* run_shuffle_up(const Op* op, Warp& w) { return shuffle<Way::up>(op, w); }
const Op* run_shuffle_down(const Op* op, Warp& w) { return shuffle<Way::down>(op, w); }
const Op* run_shuffle_bfly(const Op* op, Warp& w) { return shuffle<Way::bfly>(op, w); }

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
