#pragma once
#include <tilejit/runtime/emulator/ops/lanes.h>

/// Counting distinct places among a warp's lanes.
namespace tilejit::emulator::TILEJIT_ISA {

/// The lanes whose value none before them has. Lanes that are not active hold what no active one does.
TILEJIT_INLINE std::uint32_t fresh_lanes(const std::uint32_t* value, std::uint32_t mask) {
  alignas(64) std::uint32_t first[32] = {};
  for (std::uint32_t j = 32; j-- > 0;) {
    const std::uint32_t v = value[j];
    TILEJIT_LANES first[i] = value[i] == v ? j : first[i];
  }
  std::uint32_t fresh = 0;
  TILEJIT_LANES fresh |= static_cast<std::uint32_t>(first[i] == static_cast<std::uint32_t>(i)) << i;
  return fresh & mask;
}

/// Distinct units of 2^shift bytes among places that are far apart: slow and rare.
std::uint32_t count_far(const std::uint64_t* address, std::uint32_t mask, int shift);

/// How many units of 2^shift bytes the active lanes' addresses lie in; `base` is at most any of them, `span` at least
/// the distance to the highest.
TILEJIT_INLINE std::uint32_t distinct_units(const std::uint64_t* address, std::uint32_t mask, int shift,
                                            std::uint64_t base, std::uint64_t span) {
  if (span >> shift >= 0xFFFFFFFE) return count_far(address, mask, shift);
  alignas(64) std::uint32_t unit[32];
  const std::uint64_t from = base >> shift;
  TILEJIT_LANES {
    const auto u = static_cast<std::uint32_t>((address[i] >> shift) - from);
    unit[i] = (mask >> i & 1) != 0 ? u : ~0u;
  }
  return static_cast<std::uint32_t>(__builtin_popcount(fresh_lanes(unit, mask)));
}

}  // namespace tilejit::emulator::TILEJIT_ISA
