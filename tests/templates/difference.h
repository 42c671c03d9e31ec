#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <tilejit/tests/templates/view_memory.h>

namespace tilejit::test {

/// How far one device's result may lie from the other's. Both 0: not at all, every bit counts, NaNs' too.
struct Bound {
  double relative = 0, absolute = 0;  ///< of float; double is held to 1e-8 of them
  bool exact() const { return relative == 0 && absolute == 0; }
};

/// What compare() found; several add up.
struct Difference {
  std::int64_t elements = 0;   ///< looked at
  std::int64_t differing = 0;  ///< whose bits differ
  std::int64_t outside = 0;    ///< that break the bound, and bytes that no element owns and that differ
  double worst = 0;            ///< the greatest |a - b| / max(1, |b|) of elements
  double used = 0;             ///< the greatest part of the bound that a difference takes; where exact, 0
  std::string first;           ///< of those outside: where, and both values

  void add(const Difference& other);
};

/// One tensor as either device left it: `a` and `b` are its whole memory, guards and gaps included. Under a bound two
/// NaNs are equal, and a dtype narrower than float may round to the neighbour.
Difference compare(const ViewSpec& view, const ViewMemory& layout, std::span<const std::byte> a,
                   std::span<const std::byte> b, const Bound& bound);

}  // namespace tilejit::test
