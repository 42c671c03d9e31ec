#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/float_bits.h>
#include <tilejit/runtime/emulator/ops/lanes.h>

/// f32 with a direction: the exact result, or a double with its last bit odd, and one cut from there.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

/// A sum that is exactly zero is +0 unless both were -0, but -0 when rounding down.
template <Round R>
TILEJIT_INLINE float signed_zero(double a, double b, float v) {
  if constexpr (R == Round::down) {
    const bool both_positive = ((bits_of(a) | bits_of(b)) >> 63) == 0;
    if (a + b == 0.0 && !both_positive) return -0.0f;
  }
  return v;
}

/// Flushes what stays below the smallest normal number when `exact` is rounded as if exponents had no end.
template <Round R, bool Ftz>
TILEJIT_INLINE float flush_tiny(float result, double exact) {
  if constexpr (!Ftz) return result;
  const bool tiny = float_of(bits_of(narrow<R>(exact * 0x1p48)) & 0x7FFFFFFF) < 0x1p-78f;
  return float_of(bits_of(result) & (tiny ? 0x80000000 : 0xFFFFFFFF));
}

template <Round R, bool Ftz, bool Sat>
float add(float x, float y) {
  const double a = flush<Ftz>(x), b = flush<Ftz>(y);
  return arithmetic_result<Sat>(flush<Ftz>(signed_zero<R>(a, b, narrow<R>(sum_to_odd(a, b)))));
}
template <Round R, bool Ftz, bool Sat>
float sub(float x, float y) {
  const double a = flush<Ftz>(x), b = -flush<Ftz>(y);
  return arithmetic_result<Sat>(flush<Ftz>(signed_zero<R>(a, b, narrow<R>(sum_to_odd(a, b)))));
}
template <Round R, bool Ftz, bool Sat>
float mul(float a, float b) {
  const double exact = static_cast<double>(flush<Ftz>(a)) * static_cast<double>(flush<Ftz>(b));
  return arithmetic_result<Sat>(flush_tiny<R, Ftz>(narrow<R>(exact), exact));
}
template <Round R, bool Ftz, bool Sat>
float fma(float x, float y, float z) {
  const double product = static_cast<double>(flush<Ftz>(x)) * static_cast<double>(flush<Ftz>(y));
  const double c = flush<Ftz>(z);
  const double exact = sum_to_odd(product, c);
  return arithmetic_result<Sat>(flush_tiny<R, Ftz>(signed_zero<R>(product, c, narrow<R>(exact)), exact));
}

/// What a quotient of doubles lost has the sign of a - q b, which fits a double.
TILEJIT_INLINE double quotient_to_odd(double a, double b) {
  const double q = a / b;
  const double rest = __builtin_fma(-q, b, a);
  const bool finite = (bits_of(q) & 0x7FF0000000000000u) != 0x7FF0000000000000u && q != 0.0;
  return to_odd(q, finite ? (b > 0.0 ? rest : -rest) : 0.0);
}
template <Round R, bool Ftz>
float div(float a, float b) {
  const double exact = quotient_to_odd(flush<Ftz>(a), flush<Ftz>(b));
  return arithmetic_result<false>(flush_tiny<R, Ftz>(narrow<R>(exact), exact));
}
template <Round R, bool Ftz>
float rcp(float a) {
  const double exact = quotient_to_odd(1.0, flush<Ftz>(a));
  return arithmetic_result<false>(flush_tiny<R, Ftz>(narrow<R>(exact), exact));
}
template <Round R, bool Ftz>
float sqrt(float a) {
  const double x = flush<Ftz>(a);
  const double root = __builtin_sqrt(x);
  const bool ordinary = x > 0.0 && (bits_of(x) & 0x7FF0000000000000u) != 0x7FF0000000000000u;
  return arithmetic_result<false>(flush<Ftz>(narrow<R>(to_odd(root, ordinary ? __builtin_fma(-root, root, x) : 0.0))));
}

template <Round R, bool Ftz, bool Sat>
void arithmetic(Registry& r, const char* rounding, const char* ftz, const char* sat) {
  row<add<R, Ftz, Sat>>(r, "add", rounding, ftz, sat, "f32");
  row<sub<R, Ftz, Sat>>(r, "sub", rounding, ftz, sat, "f32");
  row<mul<R, Ftz, Sat>>(r, "mul", rounding, ftz, sat, "f32");
  row<fma<R, Ftz, Sat>>(r, "fma", rounding, ftz, sat, "f32");
  row<fma<R, Ftz, Sat>>(r, "mad", rounding, ftz, sat, "f32");
}

template <Round R, bool Ftz>
void quotients(Registry& r, const char* rounding, const char* ftz) {
  row<div<R, Ftz>>(r, "div", rounding, ftz, "f32");
  row<rcp<R, Ftz>>(r, "rcp", rounding, ftz, "f32");
  row<sqrt<R, Ftz>>(r, "sqrt", rounding, ftz, "f32");
}

template <Round R>
void direction(Registry& r, const char* rounding) {
  const char* none = nullptr;
  arithmetic<R, false, false>(r, rounding, none, none);
  arithmetic<R, true, false>(r, rounding, "ftz", none);
  arithmetic<R, false, true>(r, rounding, none, "sat");
  arithmetic<R, true, true>(r, rounding, "ftz", "sat");
  quotients<R, false>(r, rounding, none);
  quotients<R, true>(r, rounding, "ftz");
}

}  // namespace

void register_float32_rounded(Registry& r) {
  direction<Round::zero>(r, "rz");
  direction<Round::down>(r, "rm");
  direction<Round::up>(r, "rp");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
