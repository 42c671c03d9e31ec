#pragma once
#include <tilejit/runtime/emulator/ops/registry.h>

/// The families of the op table. Each is one file, compiled once for each instruction set.
namespace tilejit::emulator::TILEJIT_ISA {

void register_moves(Registry& registry);
void register_integer(Registry& registry);
void register_wide_integer(Registry& registry);
void register_division(Registry& registry);
void register_carry(Registry& registry);
void register_bits(Registry& registry);
void register_permutes(Registry& registry);
void register_logic(Registry& registry);
void register_compare_integer(Registry& registry);
void register_compare_float(Registry& registry);
void register_compare_half(Registry& registry);
void register_float32(Registry& registry);
void register_float32_rounded(Registry& registry);
void register_float64(Registry& registry);
void register_float64_rounded(Registry& registry);
void register_approximations(Registry& registry);
void register_half(Registry& registry);
void register_half_pairs(Registry& registry);
void register_convert_integer(Registry& registry);
void register_convert_to_float(Registry& registry);
void register_convert_to_integer(Registry& registry);
void register_convert_float(Registry& registry);
void register_convert_half(Registry& registry);
void register_convert_eight(Registry& registry);
void register_loads(Registry& registry);
void register_shuffles(Registry& registry);
void register_stores(Registry& registry);
void register_accesses(Registry& registry);
void register_local_accesses(Registry& registry);
void register_tensor_float(Registry& registry);
void register_tensor_whole(Registry& registry);

}  // namespace tilejit::emulator::TILEJIT_ISA
