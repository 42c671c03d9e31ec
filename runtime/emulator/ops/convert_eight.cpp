#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/half_bits.h>

/// cvt to and from pairs of the eight-bit formats e4m3 and e5m2, always .satfinite on the way in.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

/// e4m3 has no infinity and NaN at all ones; e5m2 is the upper byte of an f16.
struct E4M3 {
  static constexpr int mantissa = 3, bias = 7;
  static constexpr std::uint32_t largest = 0x7E, nan = 0x7F;
  static std::uint16_t widen(std::uint32_t e) {
    const std::uint32_t size = e & 0x7F, sign = (e & 0x80) << 8;
    if (size == 0x7F) return static_cast<std::uint16_t>(sign | 0x7FFF);
    if (size >= 8) return static_cast<std::uint16_t>(sign | ((size << 7) + (8u << 10)));
    const std::uint32_t h = F16::narrow<Round::nearest>(static_cast<float>(size) * 0x1p-9f);
    return static_cast<std::uint16_t>(sign | h);
  }
};
struct E5M2 {
  static constexpr int mantissa = 2, bias = 15;
  static constexpr std::uint32_t largest = 0x7B, nan = 0x7F;
  static std::uint16_t widen(std::uint32_t e) {
    return static_cast<std::uint16_t>((e & 0x7F) > 0x7C ? (e & 0x80) << 8 | 0x7FFF : e << 8);
  }
};

/// To the nearest, ties to even, past the largest to the largest. `f` may be a float whose last bit is sticky.
template <class E, bool Relu>
std::uint32_t shorten(float f) {
  const std::uint32_t u = bits_of(f) & 0x7FFFFFFF;
  const std::uint32_t minus = bits_of(f) >> 31;
  if (u > 0x7F800000) return E::nan;
  if (Relu && minus != 0) return 0;
  const int exponent = static_cast<int>(u >> 23) - 127;
  constexpr int lowest = 1 - E::bias;
  const int drop = 23 - E::mantissa + (exponent < lowest ? lowest - exponent : 0);
  std::uint32_t out = 0;
  if (drop <= 24 && u >= 0x00800000) {
    const std::uint32_t mantissa = (u & 0x7FFFFF) | 0x800000;
    const std::uint32_t rest = mantissa & ((1u << drop) - 1), half = 1u << (drop - 1);
    const std::uint32_t kept = mantissa >> drop;
    const std::uint32_t rounded = kept + (rest > half || (rest == half && (kept & 1) != 0) ? 1 : 0);
    const std::uint32_t base = exponent < lowest ? 0 : static_cast<std::uint32_t>(exponent - lowest) << E::mantissa;
    out = base + rounded;
  }
  return (out > E::largest ? E::largest : out) | minus << 7;
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
  std::uint32_t low = E::widen(a & 0xFF), high = E::widen(a >> 8);
  if (Relu && (low & 0x8000) != 0 && (low & 0x7FFF) <= 0x7C00) low = 0;
  if (Relu && (high & 0x8000) != 0 && (high & 0x7FFF) <= 0x7C00) high = 0;
  return low | high << 16;
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
