#pragma once
#include <cstdint>

#include <tilejit/runtime/emulator/ops/distinct.h>
#include <tilejit/runtime/emulator/report/site_state.h>

/// What one request of a warp costs, from its lanes' addresses. Only lanes in `mask` count; each touches `bytes` bytes,
/// a power of two up to 32, at a multiple of it: so two lanes touch the same bytes or share none.
namespace tilejit::emulator::TILEJIT_ISA {

/// Sectors are 32-byte segments; ideal is what the distinct bytes would need lying together.
TILEJIT_INLINE AccessCost global_cost(const std::uint64_t* address, std::uint32_t mask, std::uint32_t bytes,
                                      std::uint64_t base, std::uint64_t span) {
  AccessCost cost;
  cost.lanes = static_cast<std::uint32_t>(__builtin_popcount(mask));
  cost.sectors = distinct_units(address, mask, 5, base, span);
  cost.unique_bytes =
      bytes *
      (cost.sectors == cost.lanes ? cost.lanes : distinct_units(address, mask, __builtin_ctz(bytes), base, span));
  cost.ideal_sectors = (cost.unique_bytes + 31) / 32;
  return cost;
}

/// The same of lanes that leave no gap between the first byte and the last.
TILEJIT_INLINE AccessCost gapless_cost(std::uint64_t start, std::uint32_t mask, std::uint32_t distinct_bytes) {
  AccessCost cost;
  cost.lanes = static_cast<std::uint32_t>(__builtin_popcount(mask));
  cost.sectors = (static_cast<std::uint32_t>(start & 31) + distinct_bytes + 31) / 32;
  cost.unique_bytes = distinct_bytes;
  cost.ideal_sectors = (distinct_bytes + 31) / 32;
  return cost;
}

/// A model of sm_70 and later: 32 banks of four bytes; lanes of up to four bytes go in one pass, of eight in two, of
/// sixteen in four (two where neighbours agree); a pass takes as many wavefronts as its busiest bank has words.
/// `lowest` is the lowest address, `span` how far from it the highest is.
AccessCost shared_cost(const std::uint64_t* address, std::uint32_t mask, std::uint32_t bytes, std::uint64_t lowest,
                       std::uint64_t span);

}  // namespace tilejit::emulator::TILEJIT_ISA
