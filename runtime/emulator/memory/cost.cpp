#include <tilejit/runtime/emulator/memory/cost.h>

#include <algorithm>

namespace tilejit::emulator {
namespace {

/// Addresses of the active lanes, rising; lanes are mostly in order already.
struct Sorted {
  std::uint64_t at[32];
  int count = 0;

  Sorted(const std::uint64_t* address, std::uint32_t mask) {
    for (; mask != 0; mask &= mask - 1) {
      const std::uint64_t value = address[__builtin_ctz(mask)];
      int k = count++;
      for (; k > 0 && at[k - 1] > value; --k) at[k] = at[k - 1];
      at[k] = value;
    }
  }
};

std::uint32_t distinct_bytes(const Sorted& sorted, std::uint32_t bytes) {
  std::uint64_t unique = 0, end = 0;
  for (int k = 0; k < sorted.count; ++k) {
    const std::uint64_t from = std::max(sorted.at[k], end), to = sorted.at[k] + bytes;
    if (to > from) unique += to - from, end = to;
  }
  return static_cast<std::uint32_t>(unique);
}

/// Most distinct words that one bank has to give for these lanes.
std::uint32_t busiest_bank(const std::uint64_t* address, std::uint32_t lanes, std::uint32_t bytes) {
  std::uint64_t words[32][32];
  std::uint32_t count[32] = {}, most = 0;
  const std::uint32_t each = std::max(bytes / 4, 1u);
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::uint64_t first = address[__builtin_ctz(lanes)] / 4;
    for (std::uint64_t word = first; word < first + each; ++word) {
      const std::uint32_t bank = word % 32;
      const std::uint64_t* const end = words[bank] + count[bank];
      if (std::find(words[bank], words[bank] + count[bank], word) != end) continue;
      words[bank][count[bank]++] = word;
      most = std::max(most, count[bank]);
    }
  }
  return most;
}

/// Whether lanes n and n ^ other agree wherever both are active.
bool neighbours_agree(const std::uint64_t* address, std::uint32_t mask, int other) {
  for (int n = 0; n < 32; ++n) {
    if ((mask >> n & 1) != 0 && (mask >> (n ^ other) & 1) != 0 && address[n] != address[n ^ other]) return false;
  }
  return true;
}

}  // namespace

AccessCost global_cost(const std::uint64_t* address, std::uint32_t mask, std::uint32_t bytes) {
  AccessCost cost;
  const Sorted sorted(address, mask);
  cost.lanes = static_cast<std::uint32_t>(sorted.count);
  std::uint64_t last = ~std::uint64_t{0};
  for (int k = 0; k < sorted.count; ++k) {
    for (std::uint64_t sector = sorted.at[k] / 32; sector <= (sorted.at[k] + bytes - 1) / 32; ++sector) {
      if (last != ~std::uint64_t{0} && sector <= last) continue;
      last = sector;
      ++cost.sectors;
    }
  }
  cost.unique_bytes = distinct_bytes(sorted, bytes);
  cost.ideal_sectors = (cost.unique_bytes + 31) / 32;
  return cost;
}

AccessCost shared_cost(const std::uint64_t* address, std::uint32_t mask, std::uint32_t bytes) {
  AccessCost cost;
  cost.lanes = static_cast<std::uint32_t>(__builtin_popcount(mask));
  cost.unique_bytes = distinct_bytes(Sorted(address, mask), bytes);
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

}  // namespace tilejit::emulator
