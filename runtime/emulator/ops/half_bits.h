#pragma once
#include <tilejit/runtime/emulator/ops/float_bits.h>

/// f16 and bf16 as bits: to float exactly, from float with one rounding.
namespace tilejit::emulator::TILEJIT_ISA {

struct F16 {
  static constexpr std::uint16_t sign = 0x8000, infinity = 0x7C00, nan = 0x7FFF, largest = 0x7BFF, one = 0x3C00;

  TILEJIT_INLINE static float widen(std::uint16_t h) {
    const std::uint32_t u = (h & 0x7FFFu) << 13;
    const float subnormal = float_of(u + (113u << 23)) - float_of(113u << 23);
    const std::uint32_t ordinary = u + (u >= 0x0F800000 ? 224u << 23 : 112u << 23);
    const std::uint32_t size = u < 0x00800000 ? bits_of(subnormal) : ordinary;
    return float_of(size | (h & 0x8000u) << 16);
  }

  template <Round R>
  TILEJIT_INLINE static std::uint16_t narrow(float f) {
    const std::uint32_t u = bits_of(f) & 0x7FFFFFFF;
    const std::uint32_t minus = bits_of(f) >> 31;
    // The value in units of the last place of the result: its 13 low bits, or more below 2^-14, decide.
    const std::uint32_t exponent = u >> 23;
    const std::uint32_t below = exponent < 113 ? 113 - exponent : 0;
    const std::uint32_t drop = 13 + (below < 12 ? below : 12);
    const std::uint32_t mantissa = exponent == 0 ? 0 : (u & 0x7FFFFF) | 0x800000;
    const std::uint32_t kept = exponent < 113 ? mantissa >> drop : (u - (112u << 23)) >> 13;
    const std::uint32_t rest = exponent < 113 ? mantissa & ((1u << drop) - 1) : u & 0x1FFF;
    const std::uint32_t half = 1u << (drop - 1);
    const bool tiny = exponent == 0 && u != 0;  // a float's subnormal: below every half
    const bool lost = rest != 0 || tiny;
    bool more = false;
    if constexpr (R == Round::nearest) more = rest > half || (rest == half && (kept & 1) != 0);
    if constexpr (R == Round::down) more = lost && minus != 0;
    if constexpr (R == Round::up) more = lost && minus == 0;
    std::uint32_t out = kept + (more ? 1 : 0);
    const bool stays = R == Round::zero || (R == Round::down && minus == 0) || (R == Round::up && minus != 0);
    const std::uint32_t overflow = stays && u < 0x7F800000 ? largest : infinity;
    out = out >= infinity || exponent > 142 ? overflow : out;
    out = u > 0x7F800000 ? nan : out | minus << 15;
    return static_cast<std::uint16_t>(out);
  }
};

struct BF16 {
  static constexpr std::uint16_t sign = 0x8000, infinity = 0x7F80, nan = 0x7FFF, largest = 0x7F7F, one = 0x3F80;

  TILEJIT_INLINE static float widen(std::uint16_t h) { return float_of(static_cast<std::uint32_t>(h) << 16); }

  template <Round R>
  TILEJIT_INLINE static std::uint16_t narrow(float f) {
    const std::uint32_t u = bits_of(f);
    const std::uint32_t rest = u & 0xFFFF, minus = u >> 31;
    const bool ordinary = (u & 0x7FFFFFFF) < 0x7F800000;
    bool more = false;
    if constexpr (R == Round::nearest) more = rest > 0x8000 || (rest == 0x8000 && (u >> 16 & 1) != 0);
    if constexpr (R == Round::down) more = rest != 0 && minus != 0;
    if constexpr (R == Round::up) more = rest != 0 && minus == 0;
    const std::uint32_t out = (u >> 16) + (more && ordinary ? 1 : 0);
    return static_cast<std::uint16_t>((u & 0x7FFFFFFF) > 0x7F800000 ? nan : out);
  }
};

/// A double to the float next to it towards zero, with its last bit odd if that was not exact: narrowing that float
/// further rounds as the double would.
TILEJIT_INLINE float odd_float(double a) {
  const float f = narrow<Round::zero>(a);
  const bool inexact = static_cast<double>(f) != a && a == a;
  const bool infinite = (bits_of(a) & 0x7FFFFFFFFFFFFFFFu) == 0x7FF0000000000000u;
  return float_of(bits_of(f) | (inexact && !infinite ? 1u : 0u));
}

template <class H, bool Ftz>
TILEJIT_INLINE std::uint16_t flush_half(std::uint16_t h) {
  if constexpr (!Ftz) return h;
  return (h & H::infinity) == 0 ? h & H::sign : h;
}

}  // namespace tilejit::emulator::TILEJIT_ISA
