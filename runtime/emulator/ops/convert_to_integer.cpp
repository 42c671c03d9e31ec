#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/half_bits.h>

/// cvt from floating point to integers: rounded to an integer first, then saturated to the type.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

template <class T>
using Register =
    std::conditional_t<sizeof(T) == 1, std::conditional_t<std::is_signed_v<T>, std::int16_t, std::uint16_t>, T>;

template <Round R>
TILEJIT_INLINE float integral(float a) {
  return R == Round::nearest ? __builtin_rintf(a)
         : R == Round::zero  ? __builtin_truncf(a)
         : R == Round::down  ? __builtin_floorf(a)
                             : __builtin_ceilf(a);
}
template <Round R>
TILEJIT_INLINE double integral(double a) {
  return R == Round::nearest ? __builtin_rint(a)
         : R == Round::zero  ? __builtin_trunc(a)
         : R == Round::down  ? __builtin_floor(a)
                             : __builtin_ceil(a);
}

/// NaN gives zero, but the type's highest bit where either side has 64 bits.
template <class D, class F, bool Double>
TILEJIT_INLINE Register<D> cut(F v) {
  constexpr int bits = 8 * sizeof(D);
  constexpr F above = std::is_signed_v<D> ? static_cast<F>(std::uint64_t{1} << (bits - 1))
                                          : static_cast<F>(std::uint64_t{1} << (bits - 1)) * 2;
  constexpr F below = std::is_signed_v<D> ? -above : F{0};
  constexpr auto top = static_cast<std::uint64_t>(1) << (bits - 1);
  constexpr D largest = static_cast<D>(std::is_signed_v<D> ? top - 1 : top - 1 + top);
  constexpr D smallest = static_cast<D>(std::is_signed_v<D> ? top : 0);
  constexpr D nan = static_cast<D>(Double || sizeof(D) == 8 ? top : 0);
  const F bounded = v >= above || v < below || v != v ? F{0} : v;
  using Wide = std::conditional_t<sizeof(D) == 8, D, std::conditional_t<sizeof(D) == 4, D, std::int32_t>>;
  const D inside = static_cast<D>(static_cast<Wide>(bounded));
  return v != v ? nan : v >= above ? largest : v < below ? smallest : inside;
}

template <class D, Round R, bool Ftz>
Register<D> from_float(float a) {
  return cut<D, float, false>(integral<R>(flush<Ftz>(a)));
}
template <class D, Round R>
Register<D> from_double(double a) {
  return cut<D, double, true>(integral<R>(a));
}
template <class D, Round R, class H, bool Ftz>
Register<D> from_half(std::uint16_t a) {
  return cut<D, float, false>(integral<R>(H::widen(flush_half<H, Ftz>(a))));
}

template <class D, Round R>
void rounding(Registry& r, const char* to, const char* how) {
  for (const char* sat : {static_cast<const char*>(nullptr), "sat"}) {
    row<from_float<D, R, false>>(r, "cvt", how, sat, to, "f32");
    row<from_float<D, R, true>>(r, "cvt", how, "ftz", sat, to, "f32");
    row<from_double<D, R>>(r, "cvt", how, sat, to, "f64");
    row<from_half<D, R, F16, false>>(r, "cvt", how, sat, to, "f16");
    row<from_half<D, R, F16, true>>(r, "cvt", how, "ftz", sat, to, "f16");
    row<from_half<D, R, BF16, false>>(r, "cvt", how, sat, to, "bf16");
  }
}

template <class D>
void to_type(Registry& r, const char* to) {
  rounding<D, Round::nearest>(r, to, "rni");
  rounding<D, Round::zero>(r, to, "rzi");
  rounding<D, Round::down>(r, to, "rmi");
  rounding<D, Round::up>(r, to, "rpi");
}

}  // namespace

void register_convert_to_integer(Registry& r) {
  to_type<std::uint8_t>(r, "u8");
  to_type<std::int8_t>(r, "s8");
  to_type<std::uint16_t>(r, "u16");
  to_type<std::int16_t>(r, "s16");
  to_type<std::uint32_t>(r, "u32");
  to_type<std::int32_t>(r, "s32");
  to_type<std::uint64_t>(r, "u64");
  to_type<std::int64_t>(r, "s64");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
