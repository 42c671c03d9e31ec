#pragma once
#include <tilejit/runtime/emulator/ops/float_bits.h>

/// f16 and bf16 as bits: to float exactly, from float with one rounding.
namespace tilejit::emulator::TILEJIT_ISA {

struct F16 {
  static constexpr std::uint16_t sign = 0x8000, infinity = 0x7C00, nan = 0x7FFF, largest = 0x7BFF;
  using Exact = float;  ///< holds every product

  TILEJIT_INLINE static float widen(std::uint16_t h) {
    const std::uint32_t u = (h & 0x7FFFu) << 13;
    const float subnormal = float_of(u + (113u << 23)) - float_of(113u << 23);
    const std::uint32_t ordinary = u + (u >= 0x0F800000 ? 224u << 23 : 112u << 23);
    const std::uint32_t size = u < 0x00800000 ? bits_of(subnormal) : ordinary;
    return float_of(size | (h & 0x8000u) << 16);
  }

  template <Round R>
  TILEJIT_INLINE static std::uint16_t narrow(float f) {
    const std::uint32_t u = bits_of(f) & 0x7FFFFFFF, minus = bits_of(f) >> 31;
    // Below 2^-14 the result is a multiple of 2^-24, the last place of a float next to 0.5; above it the 13 low bits
    // go.
    const bool small = u < 113u << 23;
    std::uint32_t below = 0, above = (u - (112u << 23)) >> 13, largest_cut = 0;
    if constexpr (R == Round::nearest) {
      below = bits_of(float_of(small ? u : 0) + 0.5f) - bits_of(0.5f);
      above = (u - (112u << 23) + 0xFFF + (u >> 13 & 1)) >> 13;
    } else {
      const float scaled = float_of(small ? u : 0) * 0x1p24f;
      const auto whole = static_cast<std::int32_t>(scaled);
      const std::uint32_t away = R == Round::down ? minus : R == Round::up ? minus ^ 1 : 0;
      below =
          static_cast<std::uint32_t>(whole) + (away & static_cast<std::uint32_t>(static_cast<float>(whole) != scaled));
      above += away & ((u & 0x1FFF) + 0x1FFF) >> 13;
      largest_cut = (away ^ 1) & static_cast<std::uint32_t>(u < 0x7F800000);
    }
    const std::uint32_t out = small ? below : above;
    const std::uint32_t bounded = (!small & (out >= infinity)) ? infinity - largest_cut : out;
    return static_cast<std::uint16_t>(u > 0x7F800000 ? nan : bounded | minus << 15);
  }
};

struct BF16 {
  static constexpr std::uint16_t sign = 0x8000, infinity = 0x7F80, nan = 0x7FFF, largest = 0x7F7F;
  using Exact = double;

  TILEJIT_INLINE static float widen(std::uint16_t h) { return float_of(static_cast<std::uint32_t>(h) << 16); }

  template <Round R>
  TILEJIT_INLINE static std::uint16_t narrow(float f) {
    const std::uint32_t u = bits_of(f), rest = u & 0xFFFF, minus = u >> 31;
    std::uint32_t more = 0;
    if constexpr (R == Round::nearest) more = (rest + 0x7FFF + (u >> 16 & 1)) >> 16;
    if constexpr (R == Round::down) more = minus & (rest + 0xFFFF) >> 16;
    if constexpr (R == Round::up) more = (minus ^ 1) & (rest + 0xFFFF) >> 16;
    const std::uint32_t size = u & 0x7FFFFFFF;
    const std::uint32_t out = (u >> 16) + (size < 0x7F800000 ? more : 0);
    return static_cast<std::uint16_t>(size > 0x7F800000 ? nan : out);
  }

  /// Whether a float lies in the middle between two of these.
  TILEJIT_INLINE static bool is_middle(float f) { return (bits_of(f) & 0xFFFF) == 0x8000; }

  template <Round R>
  TILEJIT_INLINE static std::uint16_t narrow(double f) requires(R == Round::nearest) {
    constexpr std::uint64_t least = std::uint64_t{1023 - 126} << 52, subnormals = std::uint64_t{1023 - 133 + 52} << 52;
    const std::uint64_t u = bits_of(f) & 0x7FFFFFFFFFFFFFFF;
    const bool small = u < least;
    const std::uint64_t below = bits_of(double_of(small ? u : 0) + double_of(subnormals)) - subnormals;
    const std::uint64_t above = (u - (least - (std::uint64_t{1} << 52)) + 0xFFFFFFFFFFF + (u >> 45 & 1)) >> 45;
    const std::uint64_t out = small ? below : above;
    const std::uint64_t bounded = out > infinity ? infinity : out;
    const std::uint64_t size = u > 0x7FF0000000000000 ? 0x7FFF : bounded | bits_of(f) >> 63 << 15;
    return static_cast<std::uint16_t>(size);
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
  return h & ((h & H::infinity) == 0 ? H::sign : std::uint16_t{0xFFFF});
}

}  // namespace tilejit::emulator::TILEJIT_ISA
