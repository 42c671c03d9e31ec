#pragma once
#include <tilejit/runtime/emulator/ops/lanes.h>

/// Counting distinct places among a warp's lanes.
namespace tilejit::emulator::TILEJIT_ISA {

/// A lane counts if none before it has its value. Lanes that are not active hold what no active one does.
TILEJIT_INLINE std::uint32_t count_distinct(const std::uint32_t* value, std::uint32_t mask) {
  alignas(64) std::uint32_t seen[32] = {};
  for (int j = 0; j < 31; ++j) {
    const std::uint32_t v = value[j];
    TILEJIT_LANES seen[i] |= static_cast<std::uint32_t>(value[i] == v) & static_cast<std::uint32_t>(i > j);
  }
  std::uint32_t fresh = 0;
  TILEJIT_LANES fresh |= static_cast<std::uint32_t>(seen[i] == 0) << i;
  return static_cast<std::uint32_t>(__builtin_popcount(fresh & mask));
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
  return count_distinct(unit, mask);
}

}  // namespace tilejit::emulator::TILEJIT_ISA
