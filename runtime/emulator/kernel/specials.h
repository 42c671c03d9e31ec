#pragma once
#include <cstdint>
#include <string_view>

#include <tilejit/runtime/emulator/kernel/program.h>

namespace tilejit::emulator {

/// What a special register reads as.
struct SpecialRegister {
  enum class Kind { constant, lanes, filled, warp, clock, timer } kind;
  /// constant: its value; lanes: which; clock and timer: 64 whole, 32 upper half, 0 lower half.
  std::uint64_t value = 0;
  Special special = Special::param;
};

/// Null: there is no such register, or not on this device.
const SpecialRegister* find_special(std::string_view name);

struct LaneValues {
  std::uint32_t values[32];
};
/// 0: lane id; masks of lanes 1: equal, 2: lower or equal, 3: lower, 4: greater or equal, 5: greater.
LaneValues lane_values(std::uint64_t which);

}  // namespace tilejit::emulator
