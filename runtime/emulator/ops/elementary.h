#pragma once
#include <tilejit/runtime/emulator/ops/float_bits.h>

/// 2^x, log2, sin, cos, tanh for one float, by way of doubles: off the exact value by less than 0.51 ulp of a float
/// (sin and cos: while |x| < 2^20), so within every bound that the ISA gives. The same bits on every host.
namespace tilejit::emulator::TILEJIT_ISA {

/// 2^x for |x| < 1000.
TILEJIT_INLINE double exp2_double(double x) {
  const double n = __builtin_rint(x);
  const double t = (x - n) * 0x1.62e42fefa39efp-1;
  double p = 1.0 / 3628800;
  p = __builtin_fma(p, t, 1.0 / 362880);
  p = __builtin_fma(p, t, 1.0 / 40320);
  p = __builtin_fma(p, t, 1.0 / 5040);
  p = __builtin_fma(p, t, 1.0 / 720);
  p = __builtin_fma(p, t, 1.0 / 120);
  p = __builtin_fma(p, t, 1.0 / 24);
  p = __builtin_fma(p, t, 1.0 / 6);
  p = __builtin_fma(p, t, 0.5);
  p = __builtin_fma(p, t, 1.0);
  p = __builtin_fma(p, t, 1.0);
  // Adding 2^52 + 2^51 leaves n in the low bits of the sum.
  const std::uint64_t exponent = bits_of(n + 0x1.8p52) << 52;
  return double_of(bits_of(p) + exponent);
}

TILEJIT_INLINE float exp2_float(float x) {
  const float low = x > -200.0f ? x : -200.0f;
  const float bounded = low < 200.0f ? low : 200.0f;
  const auto value = static_cast<float>(exp2_double(bounded));
  return x != x ? x : value;
}

TILEJIT_INLINE float log2_float(float x) {
  const double a = x;
  const std::uint64_t u = bits_of(a);
  const std::uint64_t shifted = u - 0x3FE6A09E00000000u;  // sqrt(1/2)
  const std::uint64_t exponent = shifted >> 52;           // of 12 bits: negative ones are large
  const double m = double_of(u - (exponent << 52));
  // The twelve-bit exponent, sign-extended, as a double without an integer conversion.
  const double e = double_of(0x4330000000000000u + ((exponent ^ 0x800) & 0xFFF)) - (0x1p52 + 2048.0);
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  double p = 1.0 / 15;
  p = __builtin_fma(p, z, 1.0 / 13);
  p = __builtin_fma(p, z, 1.0 / 11);
  p = __builtin_fma(p, z, 1.0 / 9);
  p = __builtin_fma(p, z, 1.0 / 7);
  p = __builtin_fma(p, z, 1.0 / 5);
  p = __builtin_fma(p, z, 1.0 / 3);
  p = __builtin_fma(p, z, 1.0);
  const auto value = static_cast<float>(__builtin_fma(p * s, 0x1.71547652b82fep+1, e));
  const float nan = float_of(0x7FFFFFFF), infinity = __builtin_inff();
  const float special = x == 0.0f ? -infinity : x < 0.0f ? nan : x;  // the rest of these: +inf, NaN
  return x > 0.0f && x < infinity ? value : special;
}

/// sin with Quarter 0, cos with Quarter 1.
template <int Quarter>
TILEJIT_INLINE float sine_float(float x) {
  const double a = x;
  const double k = __builtin_rint(a * 0x1.45f306dc9c883p-1);
  double t = __builtin_fma(-k, 0x1.921fb54442d18p+0, a);
  t = __builtin_fma(-k, 0x1.1a62633145c07p-54, t);
  const double z = t * t;
  double s = -1.0 / 39916800;
  s = __builtin_fma(s, z, 1.0 / 362880);
  s = __builtin_fma(s, z, -1.0 / 5040);
  s = __builtin_fma(s, z, 1.0 / 120);
  s = __builtin_fma(s, z, -1.0 / 6);
  s = __builtin_fma(s * z, t, t);
  double c = 1.0 / 479001600;
  c = __builtin_fma(c, z, -1.0 / 3628800);
  c = __builtin_fma(c, z, 1.0 / 40320);
  c = __builtin_fma(c, z, -1.0 / 720);
  c = __builtin_fma(c, z, 1.0 / 24);
  c = __builtin_fma(c, z, -0.5);
  c = __builtin_fma(c, z, 1.0);
  const double turned = k + Quarter;
  const double quadrant = turned - 4.0 * __builtin_floor(turned * 0.25);
  const bool odd = quadrant == 1.0 || quadrant == 3.0;
  const double v = odd ? c : s;
  const auto value = static_cast<float>(quadrant >= 2.0 ? -v : v);
  const bool finite = (bits_of(x) & 0x7F800000) != 0x7F800000;
  const float zero = Quarter == 0 && x == 0.0f ? x : value;
  return finite ? zero : float_of(0x7FFFFFFF);
}

TILEJIT_INLINE float tanh_float(float x) {
  const float low = x > -20.0f ? x : -20.0f;
  const double bounded = low < 20.0f ? low : 20.0f;
  const double e = exp2_double(bounded * 0x1.71547652b82fep+1);
  const auto value = static_cast<float>(1.0 - 2.0 / (e + 1.0));
  const float magnitude = float_of(bits_of(x) & 0x7FFFFFFF);
  return magnitude < 0x1p-13f || x != x ? x : value;
}

TILEJIT_INLINE float rsqrt_float(float x) { return static_cast<float>(1.0 / __builtin_sqrt(static_cast<double>(x))); }

}  // namespace tilejit::emulator::TILEJIT_ISA
