#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tilejit/runtime/emulator/kernel/op.h>

namespace tilejit::emulator {

/// What one cp.async of a warp read, until its lanes wait for it.
struct AsyncCopy {
  const Op* op = nullptr;
  std::uint32_t mask = 0;  ///< lanes whose bytes have not come
  std::uint32_t bytes = 0;
  std::uint32_t group[32] = {};  ///< of each lane, counted from 0
  std::uint64_t to[32] = {};     ///< shared addresses
  std::byte data[32][16];
};

/// A warp's copies in flight, in order of issue. Each lane has groups of its own.
struct AsyncCopies {
  std::vector<AsyncCopy> all;
  std::size_t first = 0;        ///< before it all have come
  std::uint32_t open[32] = {};  ///< each lane's group that is not committed

  void clear() { all.clear(), first = 0; }
};

}  // namespace tilejit::emulator
