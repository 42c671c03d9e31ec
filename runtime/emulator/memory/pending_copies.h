#pragma once
#include <cstdint>

#include <tilejit/runtime/emulator/execute/warp.h>

namespace tilejit::emulator {

/// A word of shared memory that copies in flight will write.
struct PendingWord {
  std::uint32_t site = 0;
  std::uint16_t thread = 0;
  std::uint16_t copies = 0;  ///< 0: none
};

/// Checks of cp.async, called while Warp::checking. `op` is the copy's, `address` the lane's in shared memory.
void copy_begins(const Op* op, Warp& warp, int lane, std::uint64_t address);
void copy_ends(const Op* op, Warp& warp, int lane, std::uint64_t address);

/// A Fault where an access meets a copy in flight: its own thread has to wait for it first.
void check_pending(const Op* op, Warp& warp, int lane, std::uint64_t address);

/// The global bytes that a copy reads must have been written, where that is looked for.
void check_copied(const Op* op, Warp& warp, int lane, std::uint64_t address, std::uint32_t bytes);

}  // namespace tilejit::emulator
