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

/// Most of the lanes that meet at one bank, summed over passes, and how many passes there are.
TILEJIT_INLINE void count_wavefronts(AccessCost& cost, const std::uint32_t* slot, std::uint32_t lanes,
                                     std::uint32_t used, std::uint32_t banks) {
  alignas(64) std::uint8_t count[32] = {};
  const bool apart = __builtin_popcount(used) == __builtin_popcount(lanes);
  for (; !apart && lanes != 0; lanes &= lanes - 1) ++count[slot[__builtin_ctz(lanes)]];
  const std::uint32_t of_pass = banks == 32 ? ~0u : (1u << banks) - 1;
  for (std::uint32_t first = 0; first < 32; first += banks) {
    if ((used >> first & of_pass) == 0) continue;
    std::uint8_t most = 1;
    for (std::uint32_t k = first; !apart && k < first + banks; ++k) most = count[k] > most ? count[k] : most;
    cost.wavefronts += most;
    ++cost.ideal_wavefronts;
  }
}

/// As much memory has this many rows of 32 banks.
constexpr std::uint32_t most_rows = 16;

/// Lanes of four bytes that lie in a few rows of banks: the words of each row, a bit a bank, say it all.
TILEJIT_INLINE void count_rows(AccessCost& cost, const std::uint64_t* address, std::uint32_t mask, std::uint64_t base) {
  alignas(64) std::uint32_t part[4][most_rows] = {};  // lanes in turns: one row's words one after another are slow
  const auto note = [&](int i) {
    const auto word = static_cast<std::uint32_t>((address[i] - base) >> 2);
    part[i & 3][word >> 5] |= 1u << (word & 31);
  };
  if (mask == ~0u) {
    for (int i = 0; i < 32; ++i) note(i);
  } else {
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) note(__builtin_ctz(rest));
  }
  alignas(64) std::uint32_t of_bank[32] = {};
  std::uint32_t words = 0, most = 0;
  for (std::uint32_t r = 0; r < most_rows; ++r) {
    const std::uint32_t row = part[0][r] | part[1][r] | part[2][r] | part[3][r];
    if (row == 0) continue;
    words += static_cast<std::uint32_t>(__builtin_popcount(row));
    TILEJIT_LANES of_bank[i] += row >> i & 1;
  }
  TILEJIT_LANES most = of_bank[i] > most ? of_bank[i] : most;
  cost.wavefronts = most;
  cost.ideal_wavefronts = 1;
  cost.unique_bytes = 4 * words;
}

}  // namespace

AccessCost shared_cost(const std::uint64_t* address, std::uint32_t mask, std::uint32_t bytes, std::uint64_t lowest,
                       std::uint64_t span) {
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
  const bool meet = static_cast<std::uint32_t>(__builtin_popcount(used)) != cost.lanes;
  if (meet && bytes == 4 && span < most_rows * 128 - 128) {
    count_rows(cost, address, mask, lowest & ~std::uint64_t{127});
    return cost;
  }
  if (meet) fresh = fresh_lanes(unit, mask);
  count_wavefronts(cost, slot, fresh, used, banks);
  const std::uint32_t units = bytes == 4 ? static_cast<std::uint32_t>(__builtin_popcount(fresh))
                                         : distinct_units(address, mask, __builtin_ctz(bytes), 0, 1 << 20);
  cost.unique_bytes = units * bytes;
  return cost;
}

}  // namespace tilejit::emulator::TILEJIT_ISA
