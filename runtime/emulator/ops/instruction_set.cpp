#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/lanes.h>

namespace tilejit::emulator::TILEJIT_ISA {

/// The whole table as this instruction set has it.
void register_all(Registry& r) {
  register_moves(r);
  register_integer(r);
  register_wide_integer(r);
  register_division(r);
  register_carry(r);
  register_bits(r);
  register_permutes(r);
  register_logic(r);
  register_compare_integer(r);
  register_compare_float(r);
  register_compare_half(r);
  register_float32(r);
  register_float32_rounded(r);
  register_float64(r);
  register_float64_rounded(r);
  register_approximations(r);
  register_half(r);
  register_half_pairs(r);
  register_convert_integer(r);
  register_convert_to_float(r);
  register_convert_to_integer(r);
  register_convert_float(r);
  register_convert_half(r);
  register_convert_eight(r);
  register_shuffles(r);
  register_loads(r);
  register_stores(r);
  register_accesses(r);
  register_local_accesses(r);
  register_tensor_float(r);
  register_tensor_whole(r);
}

}  // namespace tilejit::emulator::TILEJIT_ISA
