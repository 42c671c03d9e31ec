#include <tilejit/runtime/emulator/memory/distinct_loads.h>

namespace tilejit::emulator {

void LoadedSectors::add(std::uint64_t address, std::uint32_t bytes) {
  // Aligned to its size, so within one sector.
  const std::uint32_t ones = bytes >= 32 ? ~0u : (1u << bytes) - 1;
  sectors_[address / 32] |= ones << (address % 32);
}

void LoadedSectors::count(DistinctLoads& into) const {
  into.warps += 1;
  into.sectors += sectors_.size();
  for (const auto& [sector, bytes] : sectors_) into.bytes += static_cast<std::uint64_t>(__builtin_popcount(bytes));
}

}  // namespace tilejit::emulator
