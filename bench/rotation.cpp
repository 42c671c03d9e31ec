#include <tilejit/bench/rotation.h>

#include <algorithm>
#include <cmath>

#include <tilejit/runtime/errors.h>

namespace tilejit::bench {

Rotation rotation_of(double bytes) {
  constexpr double rotating_bytes = 120e6;
  constexpr int fewest_sets = 8, fewest_launches = 64;
  if (!(bytes >= 1)) throw InvalidArgument("a work that moves no bytes has nothing to rotate");
  const double sets = std::ceil(rotating_bytes / bytes);
  if (sets > 1e6) throw InvalidArgument("a work of so few bytes would need more than a million sets of buffers");
  const int turns = std::max(int(sets), fewest_sets);
  return {turns, (fewest_launches + turns - 1) / turns * turns};
}

}  // namespace tilejit::bench
