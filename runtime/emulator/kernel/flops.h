#pragma once
#include <string_view>
#include <vector>

namespace tilejit::emulator {

/// Floating-point operations of one lane's instruction, as Nsight Compute counts: add, mul 1; fma 2; pairs twice that.
int flops_of(std::string_view opcode, const std::vector<std::string_view>& types);

}  // namespace tilejit::emulator
