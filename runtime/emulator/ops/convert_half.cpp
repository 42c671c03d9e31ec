#include <type_traits>

#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/half_bits.h>

/// cvt to and from f16 and bf16, and two floats into a pair: the first source goes to the upper half.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

template <class H, bool Ftz, bool Sat>
float widen(std::uint16_t a) {
  const float v = flush<Ftz>(H::widen(a));
  if constexpr (std::is_same_v<H, F16>) return arithmetic_result<Sat>(v);  // hardware adds 0; bf16 is shifted
  return saturate<Sat>(v);
}
template <class H>
double widen_double(std::uint16_t a) {
  return static_cast<double>(H::widen(a));
}

template <class H, bool Relu, bool Finite>
TILEJIT_INLINE std::uint16_t bounded(std::uint16_t h) {
  if constexpr (Relu) h = (((h & H::sign) != 0) & ((h & 0x7FFF) <= H::infinity)) ? std::uint16_t{0} : h;
  if constexpr (Finite) h = static_cast<std::uint16_t>(h - ((h & 0x7FFF) == H::infinity ? 1 : 0));
  return h;
}
template <class H, Round R, bool Ftz, bool Sat, bool Relu, bool Finite>
std::uint16_t from_float(float a) {
  return bounded<H, Relu, Finite>(H::template narrow<R>(saturate<Sat>(flush<Ftz>(a))));
}
template <class H, Round R, bool Relu, bool Finite>
std::uint32_t from_floats(float a, float b) {
  const std::uint32_t upper = bounded<H, Relu, Finite>(H::template narrow<R>(a));
  return upper << 16 | bounded<H, Relu, Finite>(H::template narrow<R>(b));
}
template <class H, Round R>
std::uint16_t from_double(double a) {
  return H::template narrow<R>(odd_float(a));
}
template <class H, class G, Round R>
std::uint16_t from_half(std::uint16_t a) {
  return H::template narrow<R>(G::widen(a));
}
template <class H, Round R>
std::uint16_t integral(std::uint16_t h) {
  const float a = H::widen(h);
  return H::template narrow<Round::nearest>(R == Round::nearest ? __builtin_rintf(a)
                                            : R == Round::zero  ? __builtin_truncf(a)
                                            : R == Round::down  ? __builtin_floorf(a)
                                                                : __builtin_ceilf(a));
}
template <class H, bool Sat>
std::uint16_t same(std::uint16_t h) {
  return Sat ? H::template narrow<Round::nearest>(saturate<true>(H::widen(h))) : h;
}

struct Names {
  const char *single, *pair;
};

template <class H, Round R>
void rounding(Registry& r, Names h, const char* how) {
  const char* none = nullptr;
  row<from_float<H, R, false, false, false, false>>(r, "cvt", how, none, none, h.single, "f32");
  row<from_float<H, R, true, false, false, false>>(r, "cvt", how, "ftz", none, h.single, "f32");
  row<from_float<H, R, false, true, false, false>>(r, "cvt", how, none, "sat", h.single, "f32");
  row<from_float<H, R, true, true, false, false>>(r, "cvt", how, "ftz", "sat", h.single, "f32");
  row<from_float<H, R, false, false, true, false>>(r, "cvt", how, "relu", none, h.single, "f32");
  row<from_float<H, R, false, false, false, true>>(r, "cvt", how, none, "satfinite", h.single, "f32");
  row<from_float<H, R, false, false, true, true>>(r, "cvt", how, "relu", "satfinite", h.single, "f32");
  row<from_floats<H, R, false, false>>(r, "cvt", how, none, none, h.pair, "f32");
  row<from_floats<H, R, true, false>>(r, "cvt", how, "relu", none, h.pair, "f32");
  row<from_floats<H, R, false, true>>(r, "cvt", how, none, "satfinite", h.pair, "f32");
  row<from_floats<H, R, true, true>>(r, "cvt", how, "relu", "satfinite", h.pair, "f32");
  row<from_double<H, R>>(r, "cvt", how, h.single, "f64");
}

template <class H>
void type(Registry& r, Names h) {
  const char* none = nullptr;
  rounding<H, Round::nearest>(r, h, "rn");
  rounding<H, Round::zero>(r, h, "rz");
  rounding<H, Round::down>(r, h, "rm");
  rounding<H, Round::up>(r, h, "rp");
  row<widen<H, false, false>>(r, "cvt", none, none, "f32", h.single);
  row<widen<H, true, false>>(r, "cvt", "ftz", none, "f32", h.single);
  row<widen<H, false, true>>(r, "cvt", none, "sat", "f32", h.single);
  row<widen<H, true, true>>(r, "cvt", "ftz", "sat", "f32", h.single);
  row<widen_double<H>>(r, "cvt", "f64", h.single);
  row<integral<H, Round::nearest>>(r, "cvt", "rni", h.single, h.single);
  row<integral<H, Round::zero>>(r, "cvt", "rzi", h.single, h.single);
  row<integral<H, Round::down>>(r, "cvt", "rmi", h.single, h.single);
  row<integral<H, Round::up>>(r, "cvt", "rpi", h.single, h.single);
  row<same<H, false>>(r, "cvt", h.single, h.single);
  row<same<H, true>>(r, "cvt", "sat", h.single, h.single);
}

}  // namespace

void register_convert_half(Registry& r) {
  type<F16>(r, {"f16", "f16x2"});
  type<BF16>(r, {"bf16", "bf16x2"});
  row<from_half<BF16, F16, Round::nearest>>(r, "cvt", "rn", "bf16", "f16");
  row<from_half<F16, BF16, Round::nearest>>(r, "cvt", "rn", "f16", "bf16");
  row<from_half<BF16, F16, Round::zero>>(r, "cvt", "rz", "bf16", "f16");
  row<from_half<F16, BF16, Round::zero>>(r, "cvt", "rz", "f16", "bf16");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
