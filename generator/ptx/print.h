#pragma once
#include <string>

#include <tilejit/generator/ptx/module.h>

namespace tilejit::ptx {

/// The statement as PTX again, one line: "@!%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+8];". Literals are spelled one way:
/// integers in decimal, floats as 0fHEX and 0dHEX in capitals.
std::string to_text(const Instruction& instruction);
std::string to_text(const Operand& operand);
/// "ld.global.v2.f32"
std::string full_opcode(const Instruction& instruction);

}  // namespace tilejit::ptx
