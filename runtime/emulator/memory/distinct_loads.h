#pragma once
#include <cstdint>
#include <unordered_map>

namespace tilejit::emulator {

/// What warps loaded, each sector once a warp.
struct DistinctLoads {
  std::uint64_t warps = 0, sectors = 0, bytes = 0;
};

/// The bytes of global memory that one warp loaded: for each 32-byte sector which of its bytes.
class LoadedSectors {
 public:
  void add(std::uint64_t address, std::uint32_t bytes);
  void count(DistinctLoads& into) const;
  void clear() { sectors_.clear(); }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> sectors_;
};

}  // namespace tilejit::emulator
