#include <tilejit/runtime/emulator/ops/cost.h>

namespace tilejit::emulator::TILEJIT_ISA {
namespace {

/// Whether lanes n and n ^ other agree wherever both are active.
bool neighbours_agree(const std::uint64_t* address, std::uint32_t mask, int other) {
  for (int n = 0; n < 32; ++n) {
    const bool both = (mask >> n & mask >> (n ^ other) & 1) != 0;
    if (both && address[n] != address[n ^ other]) return false;
  }
  return true;
}

/// Most of the lanes that meet at one bank, by pass.
struct Busiest {
  std::uint8_t of_pass[8] = {};
};
Busiest busiest_banks(const std::uint32_t* slot, std::uint32_t lanes, int slot_shift) {
  Busiest busiest;
  std::uint8_t count[32] = {};
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::uint32_t s = slot[__builtin_ctz(lanes)];
    const std::uint8_t here = ++count[s];
    std::uint8_t& most = busiest.of_pass[s >> slot_shift];
    most = here > most ? here : most;
  }
  return busiest;
}

}  // namespace

AccessCost shared_cost(const std::uint64_t* address, std::uint32_t mask, std::uint32_t bytes) {
  AccessCost cost;
  cost.lanes = static_cast<std::uint32_t>(__builtin_popcount(mask));
  const std::uint32_t width = bytes < 4 ? 4 : bytes, banks = 128 / width;  // banks side by side, as wide as the access
  std::uint32_t passes = width / 4;
  if (bytes == 16 && (neighbours_agree(address, mask, 1) || neighbours_agree(address, mask, 2))) passes = 2;
  const int shift = __builtin_ctz(width), pass_shift = __builtin_ctz(32 / passes);

  // A pass's lanes meet at banks; what they read alike there is read once. Shared addresses are small.
  alignas(64) std::uint32_t unit[32], slot[32];
  std::uint32_t used = 0;
  TILEJIT_LANES {
    const std::uint32_t lane_mask = mask >> i & 1, pass = static_cast<std::uint32_t>(i) >> pass_shift;
    const auto at_lane = static_cast<std::uint32_t>(address[i] >> shift);
    unit[i] = lane_mask != 0 ? at_lane | pass << 28 : ~0u;
    slot[i] = pass * banks + (at_lane & (banks - 1));
    used |= lane_mask << slot[i];
  }
  std::uint32_t fresh = mask;
  if (static_cast<std::uint32_t>(__builtin_popcount(used)) != cost.lanes) fresh = fresh_lanes(unit, mask);
  const Busiest busiest = busiest_banks(slot, fresh, __builtin_ctz(banks));
  for (std::uint32_t pass = 0; pass < passes; ++pass) {
    cost.wavefronts += busiest.of_pass[pass];
    cost.ideal_wavefronts += busiest.of_pass[pass] != 0 ? 1 : 0;
  }
  const std::uint32_t units = bytes == 4 ? static_cast<std::uint32_t>(__builtin_popcount(fresh))
                                         : distinct_units(address, mask, __builtin_ctz(bytes), 0, 1 << 20);
  cost.unique_bytes = units * bytes;
  return cost;
}

}  // namespace tilejit::emulator::TILEJIT_ISA
