#pragma once
#include <tilejit/generator/ptx/lexer.h>
#include <tilejit/generator/ptx/module.h>

namespace tilejit::ptx {

/// One operand; `lists`: ( ) is a call's list, not an expression.
Operand read_operand(Lexer& in, bool lists);

/// [@p] opcode{.modifier} operands ; whatever the opcode is. Leaves location and scope to the caller.
Instruction read_instruction(Lexer& in);

}  // namespace tilejit::ptx
