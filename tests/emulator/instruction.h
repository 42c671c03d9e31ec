#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "device.h"

/// One instruction over many values: a kernel around it, written in PTX.
namespace tilejit::testing {

/// "add.rn.f32" with operand types "f32", sources "f32 f32": one thread a value. Registers are %d and %a, %b, %c; a
/// type pred is a byte 0 or 1 in memory. `text` overrides the instruction, "add.f32 %d, %a, %b;" is made from the name.
struct Instruction {
  std::string name;
  std::string result;
  std::vector<std::string> sources;
  std::string text = {};
  std::string target = "sm_90";
};

std::string ptx_of(const Instruction& instruction);

/// Runs it; bits in, bits out.
std::vector<std::uint64_t> run(const Instruction& instruction, const std::vector<std::vector<std::uint64_t>>& sources);

}  // namespace tilejit::testing
