#pragma once
#include <tilejit/runtime/emulator/ops/elementary.h>
#include <tilejit/runtime/emulator/ops/half_bits.h>

/// Arithmetic of one f16 or bf16, each with a single rounding.
namespace tilejit::emulator::TILEJIT_ISA {

template <class H, bool Ftz, bool Sat, class T>
TILEJIT_INLINE std::uint16_t rounded(T v) {
  return flush_half<H, Ftz>(H::template narrow<Round::nearest>(saturate<Sat>(v)));
}
template <class H, bool Ftz>
TILEJIT_INLINE float widened(std::uint16_t h) {
  return H::widen(flush_half<H, Ftz>(h));
}
template <class H, bool Ftz>
TILEJIT_INLINE typename H::Exact product(std::uint16_t a, std::uint16_t b) {
  using Exact = typename H::Exact;
  return static_cast<Exact>(widened<H, Ftz>(a)) * static_cast<Exact>(widened<H, Ftz>(b));
}

/// A float holds the sum of two halves well enough to round again: it has more than twice their bits.
template <class H, bool Ftz, bool Sat>
TILEJIT_INLINE std::uint16_t half_add(std::uint16_t a, std::uint16_t b) {
  return rounded<H, Ftz, Sat>(widened<H, Ftz>(a) + widened<H, Ftz>(b));
}
template <class H, bool Ftz, bool Sat>
TILEJIT_INLINE std::uint16_t half_sub(std::uint16_t a, std::uint16_t b) {
  return rounded<H, Ftz, Sat>(widened<H, Ftz>(a) - widened<H, Ftz>(b));
}
template <class H, bool Ftz, bool Sat>
TILEJIT_INLINE std::uint16_t half_mul(std::uint16_t a, std::uint16_t b) {
  return rounded<H, Ftz, Sat>(product<H, Ftz>(a, b));
}
template <class H, bool Ftz, bool Sat>
TILEJIT_INLINE std::uint16_t half_fma(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
  const typename H::Exact addend = widened<H, Ftz>(c);
  return rounded<H, Ftz, Sat>(sum_to_odd(product<H, Ftz>(a, b), addend));
}
/// Negative results become zero, NaN the canonical one.
template <class H, bool Ftz>
TILEJIT_INLINE std::uint16_t half_fma_relu(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
  const std::uint16_t v = half_fma<H, Ftz, false>(a, b, c);
  const bool below_zero = ((v & H::sign) != 0) & ((v & 0x7FFF) <= H::infinity);
  return below_zero ? 0 : v;
}
template <class H, bool Ftz>
TILEJIT_INLINE std::uint16_t half_abs(std::uint16_t a) {
  return static_cast<std::uint16_t>(flush_half<H, Ftz>(a) & 0x7FFF);
}
template <class H, bool Ftz>
TILEJIT_INLINE std::uint16_t half_neg(std::uint16_t a) {
  return static_cast<std::uint16_t>(flush_half<H, Ftz>(a) ^ 0x8000);
}

template <class H, bool Max, bool Ftz, bool Nan, bool Xor>
TILEJIT_INLINE std::uint16_t half_extreme(std::uint16_t x, std::uint16_t y) {
  std::uint16_t a = flush_half<H, Ftz>(x), b = flush_half<H, Ftz>(y);
  const auto sign = static_cast<std::uint16_t>((a ^ b) & 0x8000);
  if constexpr (Xor) {
    a &= 0x7FFF;
    b &= 0x7FFF;
  }
  const bool a_nan = (a & 0x7FFF) > H::infinity, b_nan = (b & 0x7FFF) > H::infinity;
  // As integers: magnitudes with the sign's order, -0 below +0.
  const int i = (a & 0x8000) != 0 ? -1 - (a & 0x7FFF) : a;
  const int j = (b & 0x8000) != 0 ? -1 - (b & 0x7FFF) : b;
  const std::uint16_t ordered_pick = (Max ? i > j : i < j) ? a : b;
  const std::uint16_t canonical = H::nan;
  const std::uint16_t picked = Nan ? (a_nan || b_nan ? canonical : ordered_pick)
                                   : (a_nan ? (b_nan ? canonical : b) : (b_nan ? a : ordered_pick));
  return Xor ? static_cast<std::uint16_t>((picked & 0x7FFF) | sign) : picked;
}

template <class H, bool Ftz>
TILEJIT_INLINE std::uint16_t half_ex2(std::uint16_t a) {
  return rounded<H, Ftz, false>(exp2_float(widened<H, Ftz>(a)));
}
template <class H>
TILEJIT_INLINE std::uint16_t half_tanh(std::uint16_t a) {
  return rounded<H, false, false>(tanh_float(widened<H, false>(a)));
}

/// The same on both halves of a word.
template <auto F>
TILEJIT_INLINE std::uint32_t on_pair(std::uint32_t a) {
  return F(static_cast<std::uint16_t>(a)) | static_cast<std::uint32_t>(F(static_cast<std::uint16_t>(a >> 16))) << 16;
}
template <auto F>
TILEJIT_INLINE std::uint32_t on_pairs(std::uint32_t a, std::uint32_t b) {
  return F(static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b)) |
         static_cast<std::uint32_t>(F(static_cast<std::uint16_t>(a >> 16), static_cast<std::uint16_t>(b >> 16))) << 16;
}
template <auto F>
TILEJIT_INLINE std::uint32_t on_triples(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const std::uint16_t low =
      F(static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b), static_cast<std::uint16_t>(c));
  const std::uint16_t high =
      F(static_cast<std::uint16_t>(a >> 16), static_cast<std::uint16_t>(b >> 16), static_cast<std::uint16_t>(c >> 16));
  return low | static_cast<std::uint32_t>(high) << 16;
}

/// One spelling for the half and one for the pair: "f16" and "f16x2".
struct HalfNames {
  const char* single;
  const char* pair;
};
template <auto F, class... Names>
TILEJIT_INLINE void both1(Registry& r, HalfNames types, Names... names) {
  row<F>(r, names..., types.single);
  row<on_pair<F>>(r, names..., types.pair);
}
template <auto F, class... Names>
TILEJIT_INLINE void both2(Registry& r, HalfNames types, Names... names) {
  row<F>(r, names..., types.single);
  row<on_pairs<F>>(r, names..., types.pair);
}
template <auto F, class... Names>
TILEJIT_INLINE void both3(Registry& r, HalfNames types, Names... names) {
  row<F>(r, names..., types.single);
  row<on_triples<F>>(r, names..., types.pair);
}

}  // namespace tilejit::emulator::TILEJIT_ISA
