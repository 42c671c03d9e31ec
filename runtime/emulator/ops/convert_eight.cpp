#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/half_bits.h>

/// cvt to and from pairs of the eight-bit formats e4m3 and e5m2, always .satfinite on the way in.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

/// e4m3 has no infinity and NaN at all ones; e5m2 is the upper byte of an f16. NaNs lose their sign.
struct E4M3 {
  static constexpr int mantissa = 3, bias = 7;
  static constexpr std::uint32_t largest = 0x7E, nan = 0x7F;
  TILEJIT_INLINE static std::uint32_t widen(std::uint32_t e) {
    const std::uint32_t size = e & 0x7F, sign = (e & 0x80) << 8;
    const std::uint32_t subnormal = F16::narrow<Round::nearest>(static_cast<float>(static_cast<int>(size)) * 0x1p-9f);
    const std::uint32_t ordinary = size >= 8 ? (size << 7) + (8u << 10) : subnormal;
    return size == 0x7F ? 0x7FFF : sign | ordinary;
  }
};
struct E5M2 {
  static constexpr int mantissa = 2, bias = 15;
  static constexpr std::uint32_t largest = 0x7B, nan = 0x7F;
  TILEJIT_INLINE static std::uint32_t widen(std::uint32_t e) { return (e & 0x7F) > 0x7C ? 0x7FFF : e << 8; }
};

/// To the nearest, ties to even, past the largest to the largest. `f` may be a float whose last bit is sticky.
template <class E, bool Relu>
TILEJIT_INLINE std::uint32_t shorten(float f) {
  const std::uint32_t u = bits_of(f) & 0x7FFFFFFF, minus = bits_of(f) >> 31;
  constexpr int lowest = 1 - E::bias, drop = 23 - E::mantissa;
  // Below the least normal number the result is a multiple of 2^(lowest - mantissa), the last place of a float at
  // `magic`; above it `drop` bits go.
  constexpr std::uint32_t least = static_cast<std::uint32_t>(lowest + 127) << 23;
  constexpr std::uint32_t magic = static_cast<std::uint32_t>(lowest - E::mantissa + 23 + 127) << 23;
  const bool small = u < least;
  const std::uint32_t below = bits_of(float_of(small ? u : 0) + float_of(magic)) - magic;
  const std::uint32_t above = (u - (least - (1u << 23)) + (1u << (drop - 1)) - 1 + (u >> drop & 1)) >> drop;
  const std::uint32_t out = small ? below : above;
  const std::uint32_t bounded = (out > E::largest ? E::largest : out) | minus << 7;
  const std::uint32_t positive = Relu ? (minus ^ 1) * bounded : bounded;
  return u > 0x7F800000 ? E::nan : positive;
}

template <class E, bool Relu>
std::uint16_t from_floats(float a, float b) {
  return static_cast<std::uint16_t>(shorten<E, Relu>(a) << 8 | shorten<E, Relu>(b));
}
template <class E, bool Relu>
std::uint16_t from_halves(std::uint32_t a) {
  const float low = F16::widen(static_cast<std::uint16_t>(a)), high = F16::widen(static_cast<std::uint16_t>(a >> 16));
  return static_cast<std::uint16_t>(shorten<E, Relu>(high) << 8 | shorten<E, Relu>(low));
}
template <class E, bool Relu>
std::uint32_t to_halves(std::uint16_t a) {
  const std::uint32_t low = E::widen(a & 0xFF), high = E::widen(a >> 8);
  if constexpr (!Relu) return low | high << 16;
  const bool low_below = ((low & 0x8000) != 0) & ((low & 0x7FFF) <= 0x7C00);
  const bool high_below = ((high & 0x8000) != 0) & ((high & 0x7FFF) <= 0x7C00);
  return (low_below ? 0 : low) | (high_below ? 0 : high << 16);
}

template <class E>
void format(Registry& r, const char* name) {
  row<from_floats<E, false>>(r, "cvt", "rn", "satfinite", name, "f32");
  row<from_floats<E, true>>(r, "cvt", "rn", "satfinite", "relu", name, "f32");
  row<from_halves<E, false>>(r, "cvt", "rn", "satfinite", name, "f16x2");
  row<from_halves<E, true>>(r, "cvt", "rn", "satfinite", "relu", name, "f16x2");
  row<to_halves<E, false>>(r, "cvt", "rn", "f16x2", name);
  row<to_halves<E, true>>(r, "cvt", "rn", "relu", "f16x2", name);
}

}  // namespace

void register_convert_eight(Registry& r) {
  format<E4M3>(r, "e4m3x2");
  format<E5M2>(r, "e5m2x2");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
