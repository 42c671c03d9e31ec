#include <tilejit/runtime/emulator/ops/distinct.h>

namespace tilejit::emulator::TILEJIT_ISA {

std::uint32_t count_far(const std::uint64_t* address, std::uint32_t mask, int shift) {
  std::uint32_t count = 0;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    bool fresh = true;
    for (std::uint32_t before = mask & ((1u << i) - 1); before != 0; before &= before - 1) {
      fresh &= address[__builtin_ctz(before)] >> shift != address[i] >> shift;
    }
    count += fresh ? 1 : 0;
  }
  return count;
}

}  // namespace tilejit::emulator::TILEJIT_ISA
