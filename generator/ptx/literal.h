#pragma once
#include <cstdint>

#include <tilejit/generator/ptx/lexer.h>

namespace tilejit::ptx {

struct FloatLiteral {
  std::uint64_t bits = 0;
  bool is_double = false;
  double value() const;
};

/// Bits of an integer token; above 2^63 as unsigned. SyntaxError: not a number, or over 64 bits.
std::int64_t integer_of(const Token& token);
/// Of 0fHEX (exactly 8 digits), 0dHEX (exactly 16), or a decimal. SyntaxError otherwise.
FloatLiteral float_of(const Token& token);

}  // namespace tilejit::ptx
