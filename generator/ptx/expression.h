#pragma once
#include <cstdint>

#include <tilejit/generator/ptx/lexer.h>

namespace tilejit::ptx {

/// A constant expression over 64-bit integers: + - * / % << >> & ^ ~ and ( ), wrapping. `|` is not one of its operators
/// here because it pairs operands. SyntaxError: division by zero, a float, nested too deeply.
std::int64_t read_constant(Lexer& in);
/// The same, up to the next + or -: what follows a base in base+4-2.
std::int64_t read_term(Lexer& in);
/// Zero or more "+ term" and "- term".
std::int64_t read_offset(Lexer& in);

}  // namespace tilejit::ptx
