#pragma once
#include <tilejit/runtime/emulator/ops/half_bits.h>

/// The inputs of tensor cores: a signed whole number `size` with `fraction` bits behind the point, and an exponent.
/// Zeros have one below every other's, and so has a product with a zero.
namespace tilejit::emulator::TILEJIT_ISA {

constexpr std::int32_t exponent_of_zero = -1024;

template <int ExponentBits, int Fraction, bool Finite = false>
struct FloatInput {
  static constexpr int fraction = Fraction;
  static constexpr std::uint32_t top = (1u << ExponentBits) - 1, mantissa = (1u << Fraction) - 1;
  static constexpr std::int32_t bias = (1 << (ExponentBits - 1)) - 1;

  TILEJIT_INLINE static std::uint32_t field(std::uint32_t u) { return u >> Fraction & top; }
  TILEJIT_INLINE static std::int32_t size(std::uint32_t u) {
    const std::uint32_t whole = (u & mantissa) | (field(u) != 0 ? mantissa + 1 : 0);
    const auto s = static_cast<std::int32_t>(whole);
    return (u >> (ExponentBits + Fraction) & 1) != 0 ? -s : s;
  }
  TILEJIT_INLINE static std::int32_t exponent(std::uint32_t u) {
    const std::uint32_t e = field(u);
    const std::int32_t own = static_cast<std::int32_t>(e != 0 ? e : 1) - bias;
    return e == 0 && (u & mantissa) == 0 ? exponent_of_zero : own;
  }
  /// Infinity or NaN.
  TILEJIT_INLINE static bool special(std::uint32_t u) {
    return Finite ? (u & ((top << Fraction) | mantissa)) == ((top << Fraction) | mantissa) : field(u) == top;
  }
  TILEJIT_INLINE static bool nan(std::uint32_t u) { return special(u) && (Finite || (u & mantissa) != 0); }
  TILEJIT_INLINE static bool negative(std::uint32_t u) { return (u >> (ExponentBits + Fraction) & 1) != 0; }
  TILEJIT_INLINE static bool zero(std::uint32_t u) { return (u & ((top << Fraction) | mantissa)) == 0; }
};

struct InF16 : FloatInput<5, 10> {
  static constexpr int parts = 2;
  TILEJIT_INLINE static std::uint32_t bits(std::uint32_t u) { return u; }
  TILEJIT_INLINE static float widen(std::uint32_t u) { return F16::widen(static_cast<std::uint16_t>(u)); }
};
struct InBF16 : FloatInput<8, 7> {
  static constexpr int parts = 2;
  TILEJIT_INLINE static std::uint32_t bits(std::uint32_t u) { return u; }
  TILEJIT_INLINE static float widen(std::uint32_t u) { return BF16::widen(static_cast<std::uint16_t>(u)); }
};
/// Of a float: its last 13 bits are not looked at.
struct InTF32 : FloatInput<8, 10> {
  static constexpr int parts = 1;
  TILEJIT_INLINE static std::uint32_t bits(std::uint32_t u) { return u >> 13; }
  TILEJIT_INLINE static float widen(std::uint32_t u) { return float_of(u << 13); }
};
struct InE4M3 : FloatInput<4, 3, true> {
  static constexpr int parts = 4;
  TILEJIT_INLINE static std::uint32_t bits(std::uint32_t u) { return u; }
  TILEJIT_INLINE static float widen(std::uint32_t u) {
    // As f16's bits it is 2^-8 of its value.
    const std::uint32_t half = (u & 0x80) << 8 | (u & 0x7F) << 7;
    return special(u) ? float_of(0x7FFFFFFF) : F16::widen(static_cast<std::uint16_t>(half)) * 256.0f;
  }
};
struct InE5M2 : FloatInput<5, 2> {
  static constexpr int parts = 4;
  TILEJIT_INLINE static std::uint32_t bits(std::uint32_t u) { return u; }
  TILEJIT_INLINE static float widen(std::uint32_t u) { return F16::widen(static_cast<std::uint16_t>(u << 8)); }
};

}  // namespace tilejit::emulator::TILEJIT_ISA
