#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/half_functions.h>

/// f16, bf16 and their pairs: add, sub, mul, fma, abs, neg, ex2, tanh.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

#if defined(__FMA__) || defined(__aarch64__)
constexpr bool fuses = true;
#else
constexpr bool fuses = false;
#endif

TILEJIT_INLINE float float_fma(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
  return __builtin_fmaf(BF16::widen(a), BF16::widen(b), BF16::widen(c));
}

/// Whether float's fma lies in the middle between two bf16 and may not have been there before it was rounded.
[[maybe_unused]] TILEJIT_INLINE std::uint32_t is_led_astray(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
  const float sum = float_fma(a, b, c), product = BF16::widen(a) * BF16::widen(b), addend = BF16::widen(c);
  const float part = sum - product, rest = (product - (sum - part)) + (addend - part);
  const std::uint32_t exponent = bits_of(product) >> 23 & 0xFF;  // the product is exact, but at the ends of the range
  const bool exact = (rest == 0) & (exponent - 24 < 224);
  return static_cast<std::uint32_t>(BF16::is_middle(sum)) & static_cast<std::uint32_t>(!exact);
}

/// Float's own fma, rounded again: the same, unless its first rounding led into the middle between two bf16. One a
/// lane, or a pair: T.
template <class T>
const Op* fma_bf16(const Op* op, Warp& w) {
  const T *a = at<const T>(w, op->a), *b = at<const T>(w, op->b), *c = at<const T>(w, op->c);
  const auto low = [](T v) { return static_cast<std::uint16_t>(v); };
  const auto high = [](T v) { return static_cast<std::uint16_t>(std::uint32_t{v} >> 16); };
  constexpr bool pair = sizeof(T) == 4;
  alignas(64) T out[32];
  std::uint32_t any = 0;
  TILEJIT_LANES {
    const float sum = float_fma(low(a[i]), low(b[i]), low(c[i]));
    any |= BF16::is_middle(sum) ? 1 : 0;
    std::uint32_t d = rounded<BF16, false, false>(sum);
    if constexpr (pair) {
      const float other = float_fma(high(a[i]), high(b[i]), high(c[i]));
      any |= BF16::is_middle(other) ? 1 : 0;
      d |= static_cast<std::uint32_t>(rounded<BF16, false, false>(other)) << 16;
    }
    out[i] = static_cast<T>(d);
  }
  if (any != 0) {
    std::uint32_t astray = 0;
    TILEJIT_LANES {
      std::uint32_t one = is_led_astray(low(a[i]), low(b[i]), low(c[i]));
      if constexpr (pair) one |= is_led_astray(high(a[i]), high(b[i]), high(c[i]));
      astray |= one << i;
    }
    for (; astray != 0; astray &= astray - 1) {
      const int i = __builtin_ctz(astray);
      if constexpr (pair)
        out[i] = on_triples<half_fma<BF16, false, false>>(a[i], b[i], c[i]);
      else
        out[i] = half_fma<BF16, false, false>(a[i], b[i], c[i]);
    }
  }
  blend(at<T>(w, op->d), out, whole(w) ? ~0u : w.mask);
  return op + 1;
}

template <class H, bool Ftz, bool Sat>
void arithmetic(Registry& r, HalfNames types, const char* ftz, const char* sat) {
  for (const char* rn : {static_cast<const char*>(nullptr), "rn"}) {
    both2<half_add<H, Ftz, Sat>>(r, types, "add", rn, ftz, sat);
    both2<half_sub<H, Ftz, Sat>>(r, types, "sub", rn, ftz, sat);
    both2<half_mul<H, Ftz, Sat>>(r, types, "mul", rn, ftz, sat);
    if constexpr (fuses && std::is_same_v<H, BF16>) {
      constexpr Width one = Width::b16, two = Width::b32;
      put(r, Row{{"fma", rn, types.single}, fma_bf16<std::uint16_t>, {one, one, one, one}});
      put(r, Row{{"fma", rn, types.pair}, fma_bf16<std::uint32_t>, {two, two, two, two}});
    } else {
      both3<half_fma<H, Ftz, Sat>>(r, types, "fma", rn, ftz, sat);
    }
  }
}

template <class H, bool Ftz>
void other(Registry& r, HalfNames types, const char* ftz) {
  both3<half_fma_relu<H, Ftz>>(r, types, "fma", "rn", ftz, "relu");
  both1<half_abs<H, Ftz>>(r, types, "abs", ftz);
  both1<half_neg<H, Ftz>>(r, types, "neg", ftz);
  both1<half_ex2<H, Ftz>>(r, types, "ex2", "approx", ftz);
}

}  // namespace

void register_half(Registry& r) {
  const HalfNames f16{"f16", "f16x2"}, bf16{"bf16", "bf16x2"};
  const char* none = nullptr;
  arithmetic<F16, false, false>(r, f16, none, none);
  arithmetic<F16, true, false>(r, f16, "ftz", none);
  arithmetic<F16, false, true>(r, f16, none, "sat");
  arithmetic<F16, true, true>(r, f16, "ftz", "sat");
  arithmetic<BF16, false, false>(r, bf16, none, none);
  other<F16, false>(r, f16, none);
  other<F16, true>(r, f16, "ftz");
  other<BF16, false>(r, bf16, none);
  both1<half_ex2<BF16, true>>(r, bf16, "ex2", "approx", "ftz");
  both1<half_tanh<F16>>(r, f16, "tanh", "approx");
  both1<half_tanh<BF16>>(r, bf16, "tanh", "approx");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
