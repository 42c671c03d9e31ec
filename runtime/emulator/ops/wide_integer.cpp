#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/lanes.h>

/// Products that are wider than their operands: mul and mad with .wide and .hi, the 24-bit forms, dot products of
/// bytes.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Unsigned128;

template <class D, class A>
D mul_wide(A a, A b) {
  return static_cast<D>(static_cast<D>(a) * static_cast<D>(b));
}
template <class D, class A>
D mad_wide(A a, A b, D c) {
  using U = std::make_unsigned_t<D>;
  return static_cast<D>(static_cast<U>(static_cast<D>(a) * static_cast<D>(b)) + static_cast<U>(c));
}
template <class W, class T>
T mul_hi(T a, T b) {
  return static_cast<T>(static_cast<W>(a) * static_cast<W>(b) >> 8 * sizeof(T));
}
template <class W, class T>
T mad_hi(T a, T b, T c) {
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(mul_hi<W>(a, b)) + static_cast<U>(c));
}

template <class T>
T low24(T a) {
  return static_cast<T>(static_cast<std::uint32_t>(a) << 8) >> 8;
}
template <class W, class T, int Shift>
T mul24(T a, T b) {
  return static_cast<T>(static_cast<W>(low24(a)) * static_cast<W>(low24(b)) >> Shift);
}
template <class W, class T, int Shift>
T mad24(T a, T b, T c) {
  return static_cast<T>(static_cast<std::uint32_t>(mul24<W, T, Shift>(a, b)) + static_cast<std::uint32_t>(c));
}

template <class A, class B, class D>
D dp4a(std::uint32_t a, std::uint32_t b, D c) {
  std::uint32_t sum = static_cast<std::uint32_t>(c);
  for (int k = 0; k < 32; k += 8) {
    sum += static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<A>(a >> k)) *
                                      static_cast<std::int32_t>(static_cast<B>(b >> k)));
  }
  return static_cast<D>(sum);
}
template <class A, class B, class D, int Half>
D dp2a(std::uint32_t a, std::uint32_t b, D c) {
  std::uint32_t sum = static_cast<std::uint32_t>(c);
  for (int k = 0; k < 2; ++k) {
    sum += static_cast<std::uint32_t>(static_cast<std::int32_t>(static_cast<A>(a >> 16 * k)) *
                                      static_cast<std::int32_t>(static_cast<B>(b >> (16 * Half + 8 * k))));
  }
  return static_cast<D>(sum);
}

template <class W, class T>
void high(Registry& r, const char* type) {
  row<mul_hi<W, T>>(r, "mul", "hi", type);
  row<mad_hi<W, T>>(r, "mad", "hi", type);
}
template <class D, class A>
void wide(Registry& r, const char* type) {
  row<mul_wide<D, A>>(r, "mul", "wide", type);
  row<mad_wide<D, A>>(r, "mad", "wide", type);
}
template <class W, class T>
void twenty_four(Registry& r, const char* type) {
  row<mul24<W, T, 0>>(r, "mul24", "lo", type);
  row<mul24<W, T, 16>>(r, "mul24", "hi", type);
  row<mad24<W, T, 0>>(r, "mad24", "lo", type);
  row<mad24<W, T, 16>>(r, "mad24", "hi", type);
}
template <class A, class B, class D>
void dots(Registry& r, const char* a, const char* b) {
  using A2 = std::conditional_t<std::is_signed_v<A>, std::int16_t, std::uint16_t>;
  row<dp4a<A, B, D>>(r, "dp4a", a, b);
  row<dp2a<A2, B, D, 0>>(r, "dp2a", "lo", a, b);
  row<dp2a<A2, B, D, 1>>(r, "dp2a", "hi", a, b);
}

}  // namespace

void register_wide_integer(Registry& r) {
  high<std::uint32_t, std::uint16_t>(r, "u16");
  high<std::int32_t, std::int16_t>(r, "s16");
  high<std::uint64_t, std::uint32_t>(r, "u32");
  high<std::int64_t, std::int32_t>(r, "s32");
  high<Unsigned128, std::uint64_t>(r, "u64");
  high<Int128, std::int64_t>(r, "s64");
  wide<std::uint32_t, std::uint16_t>(r, "u16");
  wide<std::int32_t, std::int16_t>(r, "s16");
  wide<std::uint64_t, std::uint32_t>(r, "u32");
  wide<std::int64_t, std::int32_t>(r, "s32");
  twenty_four<std::uint64_t, std::uint32_t>(r, "u32");
  twenty_four<std::int64_t, std::int32_t>(r, "s32");
  dots<std::int8_t, std::int8_t, std::int32_t>(r, "s32", "s32");
  dots<std::int8_t, std::uint8_t, std::int32_t>(r, "s32", "u32");
  dots<std::uint8_t, std::int8_t, std::int32_t>(r, "u32", "s32");
  dots<std::uint8_t, std::uint8_t, std::uint32_t>(r, "u32", "u32");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
