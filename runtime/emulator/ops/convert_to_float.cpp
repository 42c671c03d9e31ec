#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/half_bits.h>

/// cvt from integers to f16, bf16, f32 and f64, with every rounding.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

template <class T>
using Register =
    std::conditional_t<sizeof(T) == 1, std::conditional_t<std::is_signed_v<T>, std::int16_t, std::uint16_t>, T>;

/// Exact, or the odd neighbour where 64 bits do not fit.
template <class S>
TILEJIT_INLINE double odd_double(S v) {
  if constexpr (sizeof(S) < 8) {
    return static_cast<double>(v);
  } else {
    const bool fits = std::is_signed_v<S>
                          ? static_cast<std::uint64_t>(v) + (std::uint64_t{1} << 53) <= std::uint64_t{1} << 54
                          : static_cast<std::uint64_t>(v) <= std::uint64_t{1} << 53;
    const S cut = static_cast<S>(v & ~S{0x7FF});
    return static_cast<double>(fits ? v : static_cast<S>((v & 0x7FF) != 0 ? cut | 0x800 : cut));
  }
}

template <class S, Round R, bool Sat>
float to_float(Register<S> a) {
  return saturate<Sat>(narrow<R>(odd_double(static_cast<S>(a))));
}
template <class S, bool Sat>
double to_double(Register<S> a) {
  return saturate<Sat>(static_cast<double>(static_cast<S>(a)));
}
template <class S, class H, Round R, bool Sat>
std::uint16_t to_half(Register<S> a) {
  return H::template narrow<R>(saturate<Sat>(odd_float(odd_double(static_cast<S>(a)))));
}

__extension__ typedef __int128 Int128;
template <class S, Round R>
double to_double_rounded(S v) {
  const auto d = static_cast<double>(v);
  const Int128 over = static_cast<Int128>(d) - static_cast<Int128>(v);  // > 0: rounded up in value
  const bool negative = v < S{1} && v != 0;
  const bool down = over > 0 && (R == Round::down || (R == Round::zero && !negative));
  const bool up = over < 0 && (R == Round::up || (R == Round::zero && negative));
  const std::uint64_t u = bits_of(d);
  return double_of(down ? (negative ? u + 1 : u - 1) : up ? (negative ? u - 1 : u + 1) : u);
}

template <class S, Round R>
void rounding(Registry& r, const char* from, const char* how) {
  const char* none = nullptr;
  row<to_float<S, R, false>>(r, "cvt", how, none, "f32", from);
  row<to_float<S, R, true>>(r, "cvt", how, "sat", "f32", from);
  row<to_half<S, F16, R, false>>(r, "cvt", how, none, "f16", from);
  row<to_half<S, F16, R, true>>(r, "cvt", how, "sat", "f16", from);
  row<to_half<S, BF16, R, false>>(r, "cvt", how, none, "bf16", from);
  if constexpr (R == Round::nearest || sizeof(S) < 8) {
    row<to_double<S, false>>(r, "cvt", how, none, "f64", from);
    row<to_double<S, true>>(r, "cvt", how, "sat", "f64", from);
  } else {
    row<to_double_rounded<S, R>>(r, "cvt", how, none, "f64", from);
  }
}

template <class S>
void from_type(Registry& r, const char* from) {
  rounding<S, Round::nearest>(r, from, "rn");
  rounding<S, Round::zero>(r, from, "rz");
  rounding<S, Round::down>(r, from, "rm");
  rounding<S, Round::up>(r, from, "rp");
}

}  // namespace

void register_convert_to_float(Registry& r) {
  from_type<std::uint8_t>(r, "u8");
  from_type<std::int8_t>(r, "s8");
  from_type<std::uint16_t>(r, "u16");
  from_type<std::int16_t>(r, "s16");
  from_type<std::uint32_t>(r, "u32");
  from_type<std::int32_t>(r, "s32");
  from_type<std::uint64_t>(r, "u64");
  from_type<std::int64_t>(r, "s64");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
