#pragma once
#include <cstdint>

namespace tilejit::emulator {

/// What one instruction asked of memory. Sums over requests.
struct AccessCounts {
  std::uint64_t requests = 0;          ///< warp-level accesses with an active lane
  std::uint64_t lanes = 0;             ///< active lanes of those
  std::uint64_t sectors = 0;           ///< distinct 32-byte segments
  std::uint64_t ideal_sectors = 0;     ///< ceil(distinct bytes / 32)
  std::uint64_t unique_bytes = 0;      ///< distinct bytes
  std::uint64_t wavefronts = 0;        ///< shared memory: passes with the banks' conflicts
  std::uint64_t ideal_wavefronts = 0;  ///< shared memory: passes without
};

/// What one request costs.
struct AccessCost {
  std::uint32_t lanes = 0, sectors = 0, ideal_sectors = 0, unique_bytes = 0, wavefronts = 0, ideal_wavefronts = 0;
};

/// Whether all of an allocation was written, so that an access of it has nothing more to show.
enum class Whole : std::uint8_t { unknown, yes, no };

/// A worker's memory of one instruction: where it last went, and what the pattern of its lanes costs. An access with
/// the same pattern in the same allocation costs one comparison of its addresses.
struct alignas(64) SiteState {
  std::int64_t low = 0, high = 0;      ///< the allocation that all lanes last fell into: [low, high)
  std::int64_t below = 0, beyond = 0;  ///< the lanes' bytes less the first active lane's address: [below, beyond)
  std::uint64_t hits = 0;              ///< requests with this pattern, not yet in counts
  std::uint32_t mask = 0;              ///< lanes of the pattern; 0: none yet
  std::uint32_t bytes = 1;             ///< a lane's; never changes
  /// What of the first active lane's address the cost depends on, its lanes' distances given, or else alignment: where
  /// in a sector it lies, unless all lanes agree; of shared memory not that, as whole words turn the banks, which are
  /// alike.
  std::uint32_t phase_bits = 0, phase = 0;
  std::uint32_t contiguous = 0;          ///< all 32 lanes, one element after another
  Whole whole = Whole::unknown;          ///< whether [low, high) needs looking at beyond bounds; global memory
  std::uint8_t reads = 1, touching = 0;  ///< never change: of atomics too; Touching
  AccessCost cost;
  AccessCounts counts;
  union {
    alignas(64) std::uint64_t wide[32] = {};  ///< lane addresses less the first active lane's, as wide as the register
    std::uint32_t narrow[32];
  } pattern;

  /// Puts what was counted with this pattern into `counts`.
  [[gnu::always_inline]] void settle() {
    counts.requests += hits;
    counts.lanes += hits * cost.lanes;
    counts.sectors += hits * cost.sectors;
    counts.ideal_sectors += hits * cost.ideal_sectors;
    counts.unique_bytes += hits * cost.unique_bytes;
    counts.wavefronts += hits * cost.wavefronts;
    counts.ideal_wavefronts += hits * cost.ideal_wavefronts;
    hits = 0;
  }
};

}  // namespace tilejit::emulator
