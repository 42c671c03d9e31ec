#include <tilejit/runtime/emulator/ops/lanes.h>

namespace tilejit::emulator::TILEJIT_ISA {

void blend(std::uint16_t* home, const std::uint16_t* from, std::uint32_t mask) {
  TILEJIT_LANES home[i] = (mask >> i & 1) != 0 ? from[i] : home[i];
}

void blend(std::uint32_t* home, const std::uint32_t* from, std::uint32_t mask) {
  TILEJIT_LANES home[i] = (mask >> i & 1) != 0 ? from[i] : home[i];
}

void blend(std::uint64_t* home, const std::uint64_t* from, std::uint32_t mask) {
  TILEJIT_LANES home[i] = (mask >> i & 1) != 0 ? from[i] : home[i];
}

}  // namespace tilejit::emulator::TILEJIT_ISA
