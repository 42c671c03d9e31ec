#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/float_bits.h>
#include <tilejit/runtime/emulator/ops/lanes.h>

/// f32 to the nearest: add, sub, mul, fma, div, rcp, sqrt; abs, neg, min, max, copysign, testp.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

constexpr float raise = 0x1p48f;  ///< of inputs, so that what is tiny is an ordinary number

/// `raised` is the same result 2^48 higher: hardware flushes what stays below the smallest normal number when it is
/// rounded as if exponents had no end, though rounding it where it stands may reach that number.
template <bool Ftz>
TILEJIT_INLINE float flush_tiny(float result, float raised) {
  if constexpr (!Ftz) return result;
  const bool tiny = float_of(bits_of(raised) & 0x7FFFFFFF) < 0x1p-126f * raise;
  return float_of(bits_of(result) & (tiny ? 0x80000000 : 0xFFFFFFFF));
}

template <bool Ftz, bool Sat>
float add(float a, float b) {
  return arithmetic_result<Sat>(flush<Ftz>(flush<Ftz>(a) + flush<Ftz>(b)));
}
template <bool Ftz, bool Sat>
float sub(float a, float b) {
  return arithmetic_result<Sat>(flush<Ftz>(flush<Ftz>(a) - flush<Ftz>(b)));
}
template <bool Ftz, bool Sat>
float mul(float x, float y) {
  const float a = flush<Ftz>(x), b = flush<Ftz>(y);
  return arithmetic_result<Sat>(flush_tiny<Ftz>(a * b, a * raise * b));
}
template <bool Ftz, bool Sat>
float fma(float x, float y, float z) {
  const float a = flush<Ftz>(x), b = flush<Ftz>(y), c = flush<Ftz>(z);
  if constexpr (!Ftz) return arithmetic_result<Sat>(__builtin_fmaf(a, b, c));
  return arithmetic_result<Sat>(flush_tiny<Ftz>(__builtin_fmaf(a, b, c), __builtin_fmaf(a * raise, b, c * raise)));
}
template <bool Ftz>
float fma_relu(float a, float b, float c) {
  const float v = fma<Ftz, false>(a, b, c);
  return v > 0.0f ? v : v != v ? v : 0.0f;
}
template <bool Ftz>
float div(float x, float y) {
  const float a = flush<Ftz>(x), b = flush<Ftz>(y);
  return arithmetic_result<false>(flush_tiny<Ftz>(a / b, a * raise / b));
}
template <bool Ftz>
float rcp(float a) {
  return arithmetic_result<false>(flush<Ftz>(1.0f / flush<Ftz>(a)));
}
template <bool Ftz>
float sqrt(float a) {
  return arithmetic_result<false>(flush<Ftz>(__builtin_sqrtf(flush<Ftz>(a))));
}
template <bool Ftz>
float abs(float a) {
  return float_of(bits_of(flush<Ftz>(a)) & 0x7FFFFFFF);
}
template <bool Ftz>
float neg(float a) {
  return float_of(bits_of(flush<Ftz>(a)) ^ 0x80000000);
}

/// A NaN loses, unless `Nan`; -0 is below +0; two NaNs give the canonical one. `Xor`: the sign is the product's, the
/// magnitudes are compared.
template <bool Max, bool Ftz, bool Nan, bool Xor>
float extreme(float a, float b) {
  a = flush<Ftz>(a);
  b = flush<Ftz>(b);
  const std::uint32_t sign = (bits_of(a) ^ bits_of(b)) & 0x80000000;
  if constexpr (Xor) {
    a = float_of(bits_of(a) & 0x7FFFFFFF);
    b = float_of(bits_of(b) & 0x7FFFFFFF);
  }
  const bool a_nan = a != a, b_nan = b != b;
  const float zeros = float_of(Max ? bits_of(a) & bits_of(b) : bits_of(a) | bits_of(b));
  const float ordered = a == b ? zeros : ((Max ? a > b : a < b) ? a : b);
  const float nan = float_of(0x7FFFFFFF);
  const float picked = Nan ? (a_nan || b_nan ? nan : ordered) : (a_nan ? (b_nan ? nan : b) : (b_nan ? a : ordered));
  return Xor ? float_of((bits_of(picked) & 0x7FFFFFFF) | sign) : picked;
}
template <bool Max, bool Ftz, bool Nan, bool Xor>
float extreme3(float a, float b, float c) {
  return extreme<Max, Ftz, Nan, Xor>(extreme<Max, Ftz, Nan, Xor>(a, b), c);
}

/// The sign comes from the first operand.
float copysign(float a, float b) { return float_of((bits_of(a) & 0x80000000) | (bits_of(b) & 0x7FFFFFFF)); }

bool is_finite(float a) { return (bits_of(a) & 0x7F800000) != 0x7F800000; }
bool is_infinite(float a) { return (bits_of(a) & 0x7FFFFFFF) == 0x7F800000; }
bool is_number(float a) { return a == a; }
bool is_nan(float a) { return a != a; }
bool is_normal(float a) { return is_finite(a) && (bits_of(a) & 0x7F800000) != 0; }
bool is_subnormal(float a) { return (bits_of(a) & 0x7F800000) == 0 && (bits_of(a) & 0x007FFFFF) != 0; }

template <bool Ftz, bool Sat>
void arithmetic(Registry& r, const char* ftz, const char* sat) {
  for (const char* rn : {static_cast<const char*>(nullptr), "rn"}) {
    row<add<Ftz, Sat>>(r, "add", rn, ftz, sat, "f32");
    row<sub<Ftz, Sat>>(r, "sub", rn, ftz, sat, "f32");
    row<mul<Ftz, Sat>>(r, "mul", rn, ftz, sat, "f32");
    row<fma<Ftz, Sat>>(r, "fma", rn, ftz, sat, "f32");
    row<fma<Ftz, Sat>>(r, "mad", rn, ftz, sat, "f32");
  }
}

template <bool Max, bool Ftz>
void extremes(Registry& r, const char* name, const char* ftz) {
  row<extreme<Max, Ftz, false, false>>(r, name, ftz, "f32");
  row<extreme<Max, Ftz, true, false>>(r, name, ftz, "NaN", "f32");
  row<extreme<Max, Ftz, false, true>>(r, name, ftz, "xorsign", "abs", "f32");
  row<extreme<Max, Ftz, true, true>>(r, name, ftz, "NaN", "xorsign", "abs", "f32");
  row<extreme3<Max, Ftz, false, false>>(r, name, ftz, "3", "f32");
  row<extreme3<Max, Ftz, true, false>>(r, name, ftz, "NaN", "3", "f32");
}

template <bool Ftz>
void other(Registry& r, const char* ftz) {
  row<div<Ftz>>(r, "div", "rn", ftz, "f32");
  row<rcp<Ftz>>(r, "rcp", "rn", ftz, "f32");
  row<sqrt<Ftz>>(r, "sqrt", "rn", ftz, "f32");
  row<abs<Ftz>>(r, "abs", ftz, "f32");
  row<neg<Ftz>>(r, "neg", ftz, "f32");
  row<fma_relu<Ftz>>(r, "fma", "rn", ftz, "relu", "f32");
  extremes<true, Ftz>(r, "max", ftz);
  extremes<false, Ftz>(r, "min", ftz);
}

}  // namespace

void register_float32(Registry& r) {
  const char* none = nullptr;
  arithmetic<false, false>(r, none, none);
  arithmetic<true, false>(r, "ftz", none);
  arithmetic<false, true>(r, none, "sat");
  arithmetic<true, true>(r, "ftz", "sat");
  other<false>(r, none);
  other<true>(r, "ftz");
  row<copysign>(r, "copysign", "f32");
  row<is_finite>(r, "testp", "finite", "f32");
  row<is_infinite>(r, "testp", "infinite", "f32");
  row<is_number>(r, "testp", "number", "f32");
  row<is_nan>(r, "testp", "notanumber", "f32");
  row<is_normal>(r, "testp", "normal", "f32");
  row<is_subnormal>(r, "testp", "subnormal", "f32");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
