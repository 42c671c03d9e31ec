#pragma once
#include <tilejit/runtime/emulator/ops/fragments.h>
#include <tilejit/runtime/emulator/ops/tensor_formats.h>

/// How tensor cores add, bit for bit: the exact products and C are brought to the largest exponent among them (a
/// product's is the sum of its operands'), cut towards zero to F bits behind the point, added exactly; the sum is cut
/// to float32 or rounded to f16. All here is for one column of 16 rows.
namespace tilejit::emulator::TILEJIT_ISA {

#if defined(__AVX512F__)
constexpr int vector_lanes = 16;
#elif defined(__AVX2__)
constexpr int vector_lanes = 8;
#else
constexpr int vector_lanes = 4;
#endif
using Ints [[gnu::vector_size(4 * vector_lanes)]] = std::int32_t;
using Words [[gnu::vector_size(4 * vector_lanes)]] = std::uint32_t;

/// Numbers are kept with this many bits behind the point, the most that a device has.
constexpr int kept_fraction = 25;
/// No sum of numbers that are not zero has its largest exponent down here.
constexpr std::int32_t lowest_scale = -600;
/// Products that are added before 32 bits could overflow: each is below 2^27, C below 2^26.
constexpr int terms_a_sum = 8;

struct TensorRule {
  int fraction, steps, result_fraction;
  bool by_halves;  ///< as halves do it: the first two of each four along k, then the others, then plus C
  explicit TensorRule(std::int64_t packed)
      : fraction(static_cast<int>(packed & 0xFF)),
        steps(static_cast<int>(packed >> 8 & 0xFF)),
        result_fraction(static_cast<int>(packed >> 16 & 0xFF)),
        by_halves((packed >> 24 & 1) != 0) {}
};

TILEJIT_INLINE Ints load(const std::int32_t* from) {
  Ints v;
  __builtin_memcpy(&v, from, sizeof(v));
  return v;
}
TILEJIT_INLINE void store(std::int32_t* to, Ints v) { __builtin_memcpy(to, &v, sizeof(v)); }

/// Shifted right, towards zero.
TILEJIT_INLINE Ints cut(Ints size, Ints shift) {
  const Ints sign = size >> 31;
  const auto magnitude = reinterpret_cast<Words>((size ^ sign) - sign);
  const Ints most = shift - shift + 31;
  const auto bounded = reinterpret_cast<Words>(shift < most ? shift : most);
  return (reinterpret_cast<Ints>(magnitude >> bounded) ^ sign) - sign;
}

/// float32 as C and as D.
struct SumF32 {
  static constexpr int parts = 1;
  TILEJIT_INLINE static std::int32_t size(std::uint32_t u) {
    return FloatInput<8, 23>::size(u) * (1 << (kept_fraction - 23));
  }
  TILEJIT_INLINE static std::int32_t exponent(std::uint32_t u) { return FloatInput<8, 23>::exponent(u); }
  TILEJIT_INLINE static bool special(std::uint32_t u) { return FloatInput<8, 23>::special(u); }
  TILEJIT_INLINE static bool nan(std::uint32_t u) { return FloatInput<8, 23>::nan(u); }
  TILEJIT_INLINE static bool negative(std::uint32_t u) { return u >> 31 != 0; }
  static constexpr std::uint32_t nan_bits = 0x7FFFFFFF, infinity = 0x7F800000, minus = 0x80000000;
  TILEJIT_INLINE static std::uint32_t rounded(double v, std::uint32_t keep) {
    const std::uint32_t u = bits_of(narrow<Round::zero>(v)) & keep;
    const bool beyond = v >= 0x1p128 || v <= -0x1p128;
    const std::uint32_t out = beyond ? (v < 0 ? infinity | minus : infinity) : u;
    return out == minus ? 0 : out;  // what was cut away leaves no sign
  }
  TILEJIT_INLINE static float widen(std::uint32_t u) { return float_of(u); }
  TILEJIT_INLINE static std::uint32_t narrowed(float f) { return bits_of(f); }
};

struct SumF16 {
  static constexpr int parts = 2;
  TILEJIT_INLINE static std::int32_t size(std::uint32_t u) { return InF16::size(u) * (1 << (kept_fraction - 10)); }
  TILEJIT_INLINE static std::int32_t exponent(std::uint32_t u) { return InF16::exponent(u); }
  TILEJIT_INLINE static bool special(std::uint32_t u) { return InF16::special(u); }
  TILEJIT_INLINE static bool nan(std::uint32_t u) { return InF16::nan(u); }
  TILEJIT_INLINE static bool negative(std::uint32_t u) { return (u & 0x8000) != 0; }
  static constexpr std::uint32_t nan_bits = 0x7FFF, infinity = 0x7C00, minus = 0x8000;
  TILEJIT_INLINE static std::uint32_t rounded(double v, std::uint32_t) {
    const std::uint32_t out = F16::narrow<Round::nearest>(odd_float(v));
    return out == minus ? 0 : out;
  }
  TILEJIT_INLINE static float widen(std::uint32_t u) { return F16::widen(static_cast<std::uint16_t>(u)); }
  TILEJIT_INLINE static std::uint32_t narrowed(float f) { return F16::narrow<Round::nearest>(f); }
};

/// Inputs as sizes and exponents.
template <int K>
struct Decoded {
  alignas(64) std::int32_t a_size[K][tile_rows], a_exponent[K][tile_rows];
  alignas(64) std::int32_t b_size[K][tile_columns], b_exponent[K][tile_columns];
};

/// d = c + the products of k in [from, from + Step) for one column.
template <class Sum, int Step, int K>
TILEJIT_INLINE void add_products(const Decoded<K>& in, int from, int column, const TensorRule& rule,
                                 const std::uint32_t* c, std::uint32_t* d) {
  constexpr int sums = (Step + terms_a_sum - 1) / terms_a_sum;
  alignas(64) std::int32_t c_size[tile_rows], c_exponent[tile_rows], largest[tile_rows], sum[sums][tile_rows];
  for (int i = 0; i < tile_rows; ++i) c_size[i] = Sum::size(c[i]), c_exponent[i] = Sum::exponent(c[i]);
  for (int row = 0; row < tile_rows; row += vector_lanes) {
    const Ints ec = load(c_exponent + row);
    Ints most = ec;
    for (int k = from; k < from + Step; ++k) {
      const Ints e = load(in.a_exponent[k] + row) + in.b_exponent[k][column];
      most = e > most ? e : most;
    }
    store(largest + row, most);
    const Ints base = most + (kept_fraction - rule.fraction);
    for (int s = 0; s < sums; ++s) {
      Ints all = s == 0 ? cut(load(c_size + row), base - ec) : ec - ec;
      for (int k = from + s * terms_a_sum; k < from + Step && k < from + (s + 1) * terms_a_sum; ++k) {
        const Ints e = load(in.a_exponent[k] + row) + in.b_exponent[k][column];
        all += cut(load(in.a_size[k] + row) * in.b_size[k][column], base - e);
      }
      store(sum[s] + row, all);
    }
  }
  const std::uint32_t keep = ~0u << (23 - rule.result_fraction);
  const int fraction = rule.fraction;
  for (int i = 0; i < tile_rows; ++i) {
    double total = 0;
    for (int s = 0; s < sums; ++s) total += sum[s][i];
    const std::int32_t bounded = largest[i] > lowest_scale ? largest[i] : lowest_scale;  // below it all are zeros
    const auto exponent = static_cast<std::uint64_t>(bounded - fraction + 1023);
    d[i] = Sum::rounded(total * double_of(exponent << 52), keep);
  }
}

}  // namespace tilejit::emulator::TILEJIT_ISA
