// The one set of functions on halves, for what the processor that compiles this has at least.
#define TILEJIT_ISA baseline
#include <tilejit/runtime/emulator/execute/half_add.h>
#include <tilejit/runtime/emulator/ops/half_functions.h>

namespace tilejit::emulator {

std::uint16_t add_f16(std::uint16_t a, std::uint16_t b) {
  return baseline::half_add<baseline::F16, false, false>(a, b);
}
std::uint16_t add_bf16(std::uint16_t a, std::uint16_t b) {
  return baseline::half_add<baseline::BF16, false, false>(a, b);
}
std::uint32_t add_f16x2(std::uint32_t a, std::uint32_t b) {
  return baseline::on_pairs<baseline::half_add<baseline::F16, false, false>>(a, b);
}
std::uint32_t add_bf16x2(std::uint32_t a, std::uint32_t b) {
  return baseline::on_pairs<baseline::half_add<baseline::BF16, false, false>>(a, b);
}

}  // namespace tilejit::emulator
