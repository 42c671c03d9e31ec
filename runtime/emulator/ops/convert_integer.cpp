#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/lanes.h>

/// cvt between integers. Eight-bit values live in 16-bit registers, extended.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

template <class T>
using Register =
    std::conditional_t<sizeof(T) == 1, std::conditional_t<std::is_signed_v<T>, std::int16_t, std::uint16_t>, T>;

template <class D, class S>
Register<D> convert(Register<S> a) {
  return static_cast<Register<D>>(static_cast<D>(static_cast<S>(a)));
}

template <class T>
constexpr T largest = static_cast<T>(std::is_signed_v<T> ? static_cast<std::make_unsigned_t<T>>(~T{0}) >> 1 : ~T{0});
template <class T>
constexpr T smallest = static_cast<T>(std::is_signed_v<T> ? -1 - static_cast<std::int64_t>(largest<T>) : 0);

template <class D, class S>
Register<D> convert_sat(Register<S> a) {
  const S v = static_cast<S>(a);
  if constexpr (std::is_signed_v<S>) {
    if (v < 0) {
      if constexpr (!std::is_signed_v<D>) return 0;
      if (static_cast<std::int64_t>(v) < static_cast<std::int64_t>(smallest<D>)) return smallest<D>;
      return static_cast<Register<D>>(v);
    }
  }
  return static_cast<std::uint64_t>(v) > static_cast<std::uint64_t>(largest<D>) ? largest<D>
                                                                                : static_cast<Register<D>>(v);
}

template <class D, class S>
void one(Registry& r, const char* to, const char* from) {
  row<convert<D, S>>(r, "cvt", to, from);
  row<convert_sat<D, S>>(r, "cvt", "sat", to, from);
}

template <class D>
void to_type(Registry& r, const char* to) {
  one<D, std::uint8_t>(r, to, "u8");
  one<D, std::int8_t>(r, to, "s8");
  one<D, std::uint16_t>(r, to, "u16");
  one<D, std::int16_t>(r, to, "s16");
  one<D, std::uint32_t>(r, to, "u32");
  one<D, std::int32_t>(r, to, "s32");
  one<D, std::uint64_t>(r, to, "u64");
  one<D, std::int64_t>(r, to, "s64");
}

/// cvt.pack.sat.D.s32.b32: a above b, each saturated to D, below what c had.
template <class D, int Bits>
std::uint32_t pack_two(std::int32_t a, std::int32_t b, std::uint32_t c) {
  const auto field = [](std::int32_t v) {
    constexpr std::int32_t low = std::is_signed_v<D> ? -(1 << (Bits - 1)) : 0;
    constexpr std::int32_t high = std::is_signed_v<D> ? (1 << (Bits - 1)) - 1 : (1 << Bits) - 1;
    return static_cast<std::uint32_t>(v < low ? low : v > high ? high : v) & ((1u << Bits) - 1);
  };
  const std::uint32_t both = field(a) << Bits | field(b);
  return Bits == 16 ? both : c << 2 * (Bits & 15) | both;
}
std::uint32_t pack_u16(std::int32_t a, std::int32_t b) { return pack_two<std::uint16_t, 16>(a, b, 0); }
std::uint32_t pack_s16(std::int32_t a, std::int32_t b) { return pack_two<std::int16_t, 16>(a, b, 0); }

}  // namespace

void register_convert_integer(Registry& r) {
  to_type<std::uint8_t>(r, "u8");
  to_type<std::int8_t>(r, "s8");
  to_type<std::uint16_t>(r, "u16");
  to_type<std::int16_t>(r, "s16");
  to_type<std::uint32_t>(r, "u32");
  to_type<std::int32_t>(r, "s32");
  to_type<std::uint64_t>(r, "u64");
  to_type<std::int64_t>(r, "s64");
  row<pack_u16>(r, "cvt", "pack", "sat", "u16", "s32");
  row<pack_s16>(r, "cvt", "pack", "sat", "s16", "s32");
  row<pack_two<std::uint8_t, 8>>(r, "cvt", "pack", "sat", "u8", "s32", "b32");
  row<pack_two<std::int8_t, 8>>(r, "cvt", "pack", "sat", "s8", "s32", "b32");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
