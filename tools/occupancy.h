#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilejit::tool {

/// What one multiprocessor of an arch holds.
struct Multiprocessor {
  int number = 0;  ///< 90
  int warps = 0, blocks = 0;
  int shared = 0;  ///< bytes, a block's reserved ones included
};

/// Facts of "sm_90a" or "compute_90"; nothing where the table does not know the arch.
std::optional<Multiprocessor> multiprocessor_of(std::string_view arch);

/// How many blocks a multiprocessor holds at a time. Plain arithmetic, no device.
struct Occupancy {
  int blocks = 0, warps = 0;  ///< at a time
  int most_warps = 0;         ///< that a multiprocessor holds
  std::string limit;          ///< "registers", "shared memory", "warps", "blocks"; the first that binds
  int by_registers = 0, by_shared = 0, by_warps = 0, by_blocks = 0;  ///< blocks that each alone would allow
  int registers_for_one_more = 0;        ///< where registers bind: at most so many a thread; 0: no count does
  std::int64_t shared_for_one_more = 0;  ///< where shared memory binds: at most so many bytes a block; 0: no size does
};

/// `registers` a thread, `threads` and `shared` bytes (static and dynamic) a block.
Occupancy occupancy_of(const Multiprocessor& multiprocessor, int registers, int threads, std::int64_t shared);

}  // namespace tilejit::tool
