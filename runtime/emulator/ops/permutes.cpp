#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/lanes.h>

/// prmt and the funnel shifts.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

std::uint32_t byte_of(std::uint64_t pair, std::uint32_t selector) {
  const std::uint32_t byte = static_cast<std::uint32_t>(pair >> 8 * (selector & 7)) & 0xFF;
  return (selector & 8) != 0 ? ((byte & 0x80) != 0 ? 0xFF : 0) : byte;
}
std::uint64_t joined(std::uint32_t a, std::uint32_t b) { return static_cast<std::uint64_t>(b) << 32 | a; }

std::uint32_t permute(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const std::uint64_t pair = joined(a, b);
  return byte_of(pair, c) | byte_of(pair, c >> 4) << 8 | byte_of(pair, c >> 8) << 16 | byte_of(pair, c >> 12) << 24;
}

enum class Mode { f4e, b4e, rc8, ecl, ecr, rc16 };

/// The named modes: four selectors from the low two bits of c.
template <Mode M>
std::uint32_t permute_mode(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const std::uint32_t s = c & 3;
  const std::uint64_t pair = joined(a, b);
  std::uint32_t out = 0;
  for (std::uint32_t k = 0; k < 4; ++k) {
    std::uint32_t pick = 0;
    if (M == Mode::f4e) pick = s + k;
    if (M == Mode::b4e) pick = (s + 8 - k) & 7;
    if (M == Mode::rc8) pick = s;
    if (M == Mode::ecl) pick = k < s ? s : k;
    if (M == Mode::ecr) pick = k < s ? k : s;
    if (M == Mode::rc16) pick = (s & 1) * 2 + (k & 1);
    out |= byte_of(pair, pick & 7) << 8 * k;
  }
  return out;
}

template <bool Left, bool Wrap>
std::uint32_t funnel(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const std::uint32_t n = Wrap ? c & 31 : (c > 32 ? 32 : c);
  const std::uint64_t pair = joined(a, b);
  return static_cast<std::uint32_t>(Left ? pair << n >> 32 : pair >> n);
}

}  // namespace

void register_permutes(Registry& r) {
  row<permute>(r, "prmt", "b32");
  row<permute_mode<Mode::f4e>>(r, "prmt", "b32", "f4e");
  row<permute_mode<Mode::b4e>>(r, "prmt", "b32", "b4e");
  row<permute_mode<Mode::rc8>>(r, "prmt", "b32", "rc8");
  row<permute_mode<Mode::ecl>>(r, "prmt", "b32", "ecl");
  row<permute_mode<Mode::ecr>>(r, "prmt", "b32", "ecr");
  row<permute_mode<Mode::rc16>>(r, "prmt", "b32", "rc16");
  row<funnel<true, true>>(r, "shf", "l", "wrap", "b32");
  row<funnel<true, false>>(r, "shf", "l", "clamp", "b32");
  row<funnel<false, true>>(r, "shf", "r", "wrap", "b32");
  row<funnel<false, false>>(r, "shf", "r", "clamp", "b32");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
