#include <tilejit/runtime/emulator/ops/elementary.h>
#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/float_bits.h>
#include <tilejit/runtime/emulator/ops/lanes.h>

/// What PTX calls .approx and .full: within the ISA's bound, not the hardware's bits.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

template <bool Ftz>
float ex2(float a) {
  return flush<Ftz>(exp2_float(flush<Ftz>(a)));
}
template <bool Ftz>
float lg2(float a) {
  return flush<Ftz>(log2_float(flush<Ftz>(a)));
}
template <bool Ftz>
float sin(float a) {
  return flush<Ftz>(sine_float<0>(flush<Ftz>(a)));
}
template <bool Ftz>
float cos(float a) {
  return flush<Ftz>(sine_float<1>(flush<Ftz>(a)));
}
float tanh(float a) { return tanh_float(a); }
template <bool Ftz>
float rsqrt(float a) {
  return flush<Ftz>(rsqrt_float(flush<Ftz>(a)));
}
template <bool Ftz>
float rcp(float a) {
  return flush<Ftz>(1.0f / flush<Ftz>(a));
}
template <bool Ftz>
float sqrt(float a) {
  return flush<Ftz>(__builtin_sqrtf(flush<Ftz>(a)));
}
/// The reciprocal of a divisor above 2^126 is a subnormal that the hardware flushes.
template <bool Ftz>
float div(float x, float y) {
  const float a = flush<Ftz>(x), b = flush<Ftz>(y);
  const float size = float_of(bits_of(b) & 0x7FFFFFFF);
  const bool large = size > 0x1p126f && size < __builtin_inff();
  const float zero = float_of(bits_of(b) & 0x80000000);
  return flush<Ftz>(large ? a * zero : a / b);
}
template <bool Ftz>
float div_full(float a, float b) {
  return flush<Ftz>(flush<Ftz>(a) / flush<Ftz>(b));
}

/// Only the upper words of operand and result count.
TILEJIT_INLINE double upper_word(double a) {
  const std::uint64_t u = bits_of(a) & 0xFFFFFFFF00000000u;
  return double_of((u & 0x7FF0000000000000u) == 0 ? u & 0x8000000000000000u : u);
}
double rcp_double(double a) { return upper_word(1.0 / upper_word(a)); }
double rsqrt_double_ftz(double a) { return upper_word(1.0 / __builtin_sqrt(upper_word(a))); }
double rsqrt_double(double a) { return 1.0 / __builtin_sqrt(a); }

template <bool Ftz>
void all(Registry& r, const char* ftz) {
  row<ex2<Ftz>>(r, "ex2", "approx", ftz, "f32");
  row<lg2<Ftz>>(r, "lg2", "approx", ftz, "f32");
  row<sin<Ftz>>(r, "sin", "approx", ftz, "f32");
  row<cos<Ftz>>(r, "cos", "approx", ftz, "f32");
  row<rsqrt<Ftz>>(r, "rsqrt", "approx", ftz, "f32");
  row<rcp<Ftz>>(r, "rcp", "approx", ftz, "f32");
  row<sqrt<Ftz>>(r, "sqrt", "approx", ftz, "f32");
  row<div<Ftz>>(r, "div", "approx", ftz, "f32");
  row<div_full<Ftz>>(r, "div", "full", ftz, "f32");
}

}  // namespace

void register_approximations(Registry& r) {
  all<false>(r, nullptr);
  all<true>(r, "ftz");
  row<tanh>(r, "tanh", "approx", "f32");
  row<rcp_double>(r, "rcp", "approx", "ftz", "f64");
  row<rsqrt_double_ftz>(r, "rsqrt", "approx", "ftz", "f64");
  row<rsqrt_double>(r, "rsqrt", "approx", "f64");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
