#pragma once
#include <cstdint>

#include <tilejit/runtime/emulator/execute/warp.h>

/// A place's lanes, for the ops that are built once. ops/lanes.h has its own: those are built for several sets.
namespace tilejit::emulator {

template <class T>
T* lanes_at(Warp& w, Place place) {
  return reinterpret_cast<T*>(w.base[place & 1] + (place & ~Place{1}));
}

inline std::uint32_t predicate_at(Warp& w, Place place) { return *lanes_at<std::uint32_t>(w, place); }

inline void write_predicate(Warp& w, Place place, std::uint32_t bits) {
  std::uint32_t& home = *lanes_at<std::uint32_t>(w, place);
  home = (home & ~w.mask) | (bits & w.mask);
}

/// Calls f(lane) for the running lanes.
template <class F>
void for_lanes(std::uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(__builtin_ctz(mask));
}

}  // namespace tilejit::emulator
