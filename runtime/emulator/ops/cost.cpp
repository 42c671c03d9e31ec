#include <tilejit/runtime/emulator/ops/cost.h>

namespace tilejit::emulator::TILEJIT_ISA {
namespace {

/// Most distinct words that one bank has to give for these lanes. Shared addresses are small.
std::uint32_t busiest_bank(const std::uint64_t* address, std::uint32_t lanes, std::uint32_t bytes) {
  const std::uint32_t each = bytes < 4 ? 1 : bytes / 4;
  std::uint32_t words[32][32], count[32] = {}, most = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto first = static_cast<std::uint32_t>(address[__builtin_ctz(lanes)] / 4);
    for (std::uint32_t word = first; word < first + each; ++word) {
      const std::uint32_t bank = word % 32;
      bool fresh = true;
      for (std::uint32_t k = 0; k < count[bank]; ++k) fresh &= words[bank][k] != word;
      if (!fresh) continue;
      words[bank][count[bank]++] = word;
      most = count[bank] > most ? count[bank] : most;
    }
  }
  return most;
}

/// Whether lanes n and n ^ other agree wherever both are active.
bool neighbours_agree(const std::uint64_t* address, std::uint32_t mask, int other) {
  bool agree = true;
  for (int n = 0; n < 32; ++n) {
    const bool both = (mask >> n & 1) != 0 && (mask >> (n ^ other) & 1) != 0;
    agree &= !both || address[n] == address[n ^ other];
  }
  return agree;
}

}  // namespace

AccessCost shared_cost(const std::uint64_t* address, std::uint32_t mask, std::uint32_t bytes) {
  AccessCost cost;
  cost.lanes = static_cast<std::uint32_t>(__builtin_popcount(mask));
  cost.unique_bytes = distinct_units(address, mask, __builtin_ctz(bytes), 0, 1 << 20) * bytes;
  int passes = bytes <= 4 ? 1 : static_cast<int>(bytes / 4);
  if (bytes == 16 && (neighbours_agree(address, mask, 1) || neighbours_agree(address, mask, 2))) passes = 2;
  const int lanes = 32 / passes;
  for (int pass = 0; pass < passes; ++pass) {
    const std::uint32_t group = passes == 1 ? ~0u : ((1u << lanes) - 1) << (pass * lanes);
    if ((mask & group) == 0) continue;
    cost.wavefronts += busiest_bank(address, mask & group, bytes);
    ++cost.ideal_wavefronts;
  }
  return cost;
}

}  // namespace tilejit::emulator::TILEJIT_ISA
