#pragma once
#include <cstdint>

#include <tilejit/runtime/emulator/kernel/program.h>

/// Faults of memory accesses. `address` is in its own space.
namespace tilejit::emulator {

[[noreturn]] void fault_out_of_bounds(const Op* op, Warp& warp, int lane, Space space, std::uint64_t address);
[[noreturn]] void fault_misaligned(const Op* op, Warp& warp, int lane, Space space, std::uint64_t address);
[[noreturn]] void fault_unwritten(const Op* op, Warp& warp, int lane, Space space, std::uint64_t address);
[[noreturn]] void fault_read_only(const Op* op, Warp& warp, int lane, std::uint64_t address);

}  // namespace tilejit::emulator
