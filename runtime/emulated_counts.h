#pragma once
#include <cstdint>

#include <tilejit/runtime/driver.h>

namespace tilejit {

/// What kernels on the emulated device have done since it was opened, summed over all of them.
struct EmulatedCounts {
  std::uint64_t warp_instructions = 0;
  std::uint64_t sectors = 0;  ///< 32 bytes each, requested from global memory: loads, stores, atomics
  std::uint64_t shared_wavefronts = 0;
  std::uint64_t blocks = 0;
};

/// Reads the emulated driver's table of counters. Throws Error where the library has none, or of another version.
EmulatedCounts emulated_counts(const Driver& driver);

}  // namespace tilejit
