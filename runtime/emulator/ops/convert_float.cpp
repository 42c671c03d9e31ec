#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/float_bits.h>

/// cvt among f32 and f64, to integral values too, and f32 to tf32.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

template <Round R, bool Ftz, bool Sat>
float integral(float v) {
  const float a = flush<Ftz>(v);
  return saturate<Sat>(R == Round::nearest ? __builtin_rintf(a)
                       : R == Round::zero  ? __builtin_truncf(a)
                       : R == Round::down  ? __builtin_floorf(a)
                                           : __builtin_ceilf(a));
}
template <Round R, bool Sat>
double integral_double(double a) {
  return saturate<Sat>(R == Round::nearest ? __builtin_rint(a)
                       : R == Round::zero  ? __builtin_trunc(a)
                       : R == Round::down  ? __builtin_floor(a)
                                           : __builtin_ceil(a));
}
template <bool Ftz, bool Sat>
float same(float a) {
  return saturate<Sat>(flush<Ftz>(a));
}
template <bool Sat>
double same_double(double a) {
  return saturate<Sat>(a);
}
template <bool Ftz, bool Sat>
double widen(float a) {
  return saturate<Sat>(static_cast<double>(flush<Ftz>(a)));
}
/// Flushed is what stays below the smallest normal number when it is rounded as if exponents had no end.
template <Round R, bool Ftz, bool Sat>
float shorten(double a) {
  const float v = narrow<R>(a);
  if constexpr (!Ftz) return saturate<Sat>(v);
  const bool tiny = float_of(bits_of(narrow<R>(a * 0x1p48)) & 0x7FFFFFFF) < 0x1p-78f;
  return saturate<Sat>(float_of(bits_of(v) & (tiny ? 0x80000000 : 0xFFFFFFFF)));
}

/// tf32 keeps ten bits of the mantissa. `Away`: ties away from zero.
template <bool Nearest, bool Away, bool Finite, bool Relu>
std::uint32_t tensor_float(float a) {
  const std::uint32_t u = bits_of(a), size = u & 0x7FFFFFFF;
  if (size > 0x7F800000) return 0x7FFFFFFF;
  if (Relu && (u >> 31) != 0) return 0;
  std::uint32_t rounded = size;
  if (Nearest && size < 0x7F800000) rounded = size + (Away ? 0x1000 : 0x0FFF + (size >> 13 & 1));
  rounded &= 0xFFFFE000;
  if (Finite && rounded >= 0x7F800000) rounded = 0x7F7FE000;
  return rounded | (u & 0x80000000);
}

template <Round R>
void to_integral(Registry& r, const char* how) {
  const char* none = nullptr;
  row<integral<R, false, false>>(r, "cvt", how, none, none, "f32", "f32");
  row<integral<R, true, false>>(r, "cvt", how, "ftz", none, "f32", "f32");
  row<integral<R, false, true>>(r, "cvt", how, none, "sat", "f32", "f32");
  row<integral<R, true, true>>(r, "cvt", how, "ftz", "sat", "f32", "f32");
  row<integral_double<R, false>>(r, "cvt", how, none, "f64", "f64");
  row<integral_double<R, true>>(r, "cvt", how, "sat", "f64", "f64");
}
template <Round R>
void shortening(Registry& r, const char* how) {
  const char* none = nullptr;
  row<shorten<R, false, false>>(r, "cvt", how, none, none, "f32", "f64");
  row<shorten<R, true, false>>(r, "cvt", how, "ftz", none, "f32", "f64");
  row<shorten<R, false, true>>(r, "cvt", how, none, "sat", "f32", "f64");
  row<shorten<R, true, true>>(r, "cvt", how, "ftz", "sat", "f32", "f64");
}

}  // namespace

void register_convert_float(Registry& r) {
  const char* none = nullptr;
  to_integral<Round::nearest>(r, "rni");
  to_integral<Round::zero>(r, "rzi");
  to_integral<Round::down>(r, "rmi");
  to_integral<Round::up>(r, "rpi");
  shortening<Round::nearest>(r, "rn");
  shortening<Round::zero>(r, "rz");
  shortening<Round::down>(r, "rm");
  shortening<Round::up>(r, "rp");
  row<same<false, false>>(r, "cvt", none, none, "f32", "f32");
  row<same<true, false>>(r, "cvt", "ftz", none, "f32", "f32");
  row<same<false, true>>(r, "cvt", none, "sat", "f32", "f32");
  row<same<true, true>>(r, "cvt", "ftz", "sat", "f32", "f32");
  row<same_double<false>>(r, "cvt", none, "f64", "f64");
  row<same_double<true>>(r, "cvt", "sat", "f64", "f64");
  row<widen<false, false>>(r, "cvt", none, none, "f64", "f32");
  row<widen<true, false>>(r, "cvt", "ftz", none, "f64", "f32");
  row<widen<false, true>>(r, "cvt", none, "sat", "f64", "f32");
  row<widen<true, true>>(r, "cvt", "ftz", "sat", "f64", "f32");
  row<tensor_float<true, true, false, false>>(r, "cvt", "rna", "tf32", "f32");
  row<tensor_float<true, true, true, false>>(r, "cvt", "rna", "satfinite", "tf32", "f32");
  row<tensor_float<true, false, false, false>>(r, "cvt", "rn", "tf32", "f32");
  row<tensor_float<true, false, true, false>>(r, "cvt", "rn", "satfinite", "tf32", "f32");
  row<tensor_float<true, false, false, true>>(r, "cvt", "rn", "relu", "tf32", "f32");
  row<tensor_float<true, false, true, true>>(r, "cvt", "rn", "relu", "satfinite", "tf32", "f32");
  row<tensor_float<false, false, false, false>>(r, "cvt", "rz", "tf32", "f32");
  row<tensor_float<false, false, true, false>>(r, "cvt", "rz", "satfinite", "tf32", "f32");
  row<tensor_float<false, false, false, true>>(r, "cvt", "rz", "relu", "tf32", "f32");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
