#pragma once
#include <cstdint>

#include <tilejit/runtime/emulator/ops/lanes.h>

/// Single floating-point values: flushing, saturating, sums and products with what rounding lost.
namespace tilejit::emulator::TILEJIT_ISA {

TILEJIT_INLINE std::uint32_t bits_of(float a) { return __builtin_bit_cast(std::uint32_t, a); }
TILEJIT_INLINE std::uint64_t bits_of(double a) { return __builtin_bit_cast(std::uint64_t, a); }
TILEJIT_INLINE float float_of(std::uint32_t a) { return __builtin_bit_cast(float, a); }
TILEJIT_INLINE double double_of(std::uint64_t a) { return __builtin_bit_cast(double, a); }

enum class Round { nearest, zero, down, up };

/// Subnormals become zeros of their sign.
template <bool Ftz>
TILEJIT_INLINE float flush(float a) {
  if constexpr (!Ftz) return a;
  const std::uint32_t u = bits_of(a);
  return float_of((u & 0x7F800000) == 0 ? u & 0x80000000 : u);
}

/// Into [0, 1]; NaN becomes 0.
template <bool Sat, class T>
TILEJIT_INLINE T saturate(T a) {
  if constexpr (!Sat) return a;
  const T low = a > T{0} ? a : T{0};
  return low < T{1} ? low : T{1};
}

/// What f32 arithmetic leaves: saturated where asked (a NaN to 0), and one NaN for all, as hardware has it.
template <bool Sat>
TILEJIT_INLINE float arithmetic_result(float a) {
  if constexpr (Sat) return saturate<true>(a);
  return a != a ? float_of(0x7FFFFFFF) : a;
}

/// Sets the last bit where a residual was lost, one step down first if the value was rounded away: a value that rounds
/// to any narrower format as the exact one would.
template <class T>
TILEJIT_INLINE T to_odd(T rounded, T residual) {
  const auto u = bits_of(rounded);
  using Bits = std::remove_const_t<decltype(u)>;
  const Bits infinity = bits_of(static_cast<T>(__builtin_inf()));
  const bool inexact = (residual != T{0}) & ((u & infinity) != infinity);
  const bool away = (residual < T{0}) == (rounded > T{0});
  const Bits odd = (u - static_cast<Bits>(away)) | 1;
  return __builtin_bit_cast(T, inexact ? odd : u);
}

template <class T>
TILEJIT_INLINE T sum_to_odd(T a, T b) {
  const T s = a + b;
  const T t = s - a;
  const T residual = (a - (s - t)) + (b - t);
  return to_odd(s, residual);
}

/// A double that holds an exact value or its odd neighbour, to float in a direction.
template <Round R>
TILEJIT_INLINE float narrow(double a) {
  const auto f = static_cast<float>(a);
  if constexpr (R == Round::nearest) return f;
  const auto back = static_cast<double>(f);
  std::uint32_t u = bits_of(f);
  const bool negative = (u & 0x80000000) != 0;
  bool step_down = false, step_up = false;  // in value
  if constexpr (R == Round::down) step_down = back > a;
  if constexpr (R == Round::up) step_up = back < a;
  if constexpr (R == Round::zero) {
    step_down = back > a && !negative;
    step_up = back < a && negative;
  }
  // Towards zero is one less in magnitude, away from it one more; from +0 downwards lies -minimum.
  const std::uint32_t lower = (u & 0x7FFFFFFF) == 0 ? 0x80000001 : (negative ? u + 1 : u - 1);
  const std::uint32_t upper = (u & 0x7FFFFFFF) == 0 ? 0x00000001 : (negative ? u - 1 : u + 1);
  u = step_down ? lower : step_up ? upper : u;
  return float_of(u);
}

}  // namespace tilejit::emulator::TILEJIT_ISA
