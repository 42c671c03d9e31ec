#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/tensor_sum.h>

/// mma.sync of floating-point inputs. Lists hold D's registers, then A's, B's, C's; the immediate is a TensorRule.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

/// Infinities and NaNs decide alone: `d` is replaced where one is among a row's operands.
template <class A, class B, class Sum, int Step>
[[gnu::noinline]] void put_specials(const std::uint32_t (*a)[tile_rows], const std::uint32_t (*b)[tile_columns],
                                    int column, const std::uint32_t* c, std::uint32_t* d) {
  for (int i = 0; i < tile_rows; ++i) {
    bool nan = Sum::nan(c[i]);
    bool plus = Sum::special(c[i]) && !Sum::negative(c[i]), minus = Sum::special(c[i]) && Sum::negative(c[i]);
    for (int k = 0; k < Step; ++k) {
      const std::uint32_t x = a[k][i], y = b[k][column];
      if (!A::special(x) && !B::special(y)) continue;
      nan |= A::nan(x) || B::nan(y) || A::zero(x) || B::zero(y);
      (A::negative(x) != B::negative(y) ? minus : plus) = true;
    }
    if (nan || (plus && minus))
      d[i] = Sum::nan_bits;
    else if (plus || minus)
      d[i] = minus ? Sum::infinity | Sum::minus : Sum::infinity;
  }
}

template <class A, class B, class Sum, int K>
struct Tile {
  alignas(64) std::uint32_t a[K][tile_rows], b[K][tile_columns], c[tile_columns][tile_rows], d[tile_columns][tile_rows];
};

template <class A, class B, class Sum, int K, int Steps>
TILEJIT_INLINE void exact(Tile<A, B, Sum, K>& t, const TensorRule& rule) {
  constexpr int step = K / Steps, shift = kept_fraction - A::fraction - B::fraction;
  Decoded<K> in;
  std::uint32_t special = 0;
  for (int k = 0; k < K; ++k) {
    for (int i = 0; i < tile_rows; ++i) {
      const std::uint32_t u = t.a[k][i];
      in.a_size[k][i] = A::size(u) * (1 << shift);
      in.a_exponent[k][i] = A::exponent(u);
      special |= static_cast<std::uint32_t>(A::special(u));
    }
    for (int j = 0; j < tile_columns; ++j) {
      const std::uint32_t u = t.b[k][j];
      in.b_size[k][j] = B::size(u);
      in.b_exponent[k][j] = B::exponent(u);
      special |= static_cast<std::uint32_t>(B::special(u));
    }
  }
  for (int column = 0; column < tile_columns; ++column) {
    std::uint32_t* c = t.c[column];
    for (int s = 0; s < Steps; ++s) {
      std::uint32_t* d = t.d[column];
      std::uint32_t specials = special;
      for (int i = 0; i < tile_rows; ++i) specials |= static_cast<std::uint32_t>(Sum::special(c[i]));
      add_products<Sum, step>(in, s * step, column, rule, c, d);
      if (specials != 0) put_specials<A, B, Sum, step>(t.a + s * step, t.b + s * step, column, c, d);
      __builtin_memcpy(c, d, sizeof(t.c[0]));
    }
  }
}

/// Eight-bit inputs where they are made f16 first: a register's lower two bytes, over all k, are one multiplication,
/// the upper two another on top of it; C comes last, in an ordinary addition.
template <class A, class B, class Sum, int K>
TILEJIT_INLINE void by_halves(Tile<A, B, Sum, K>& t, const TensorRule& rule) {
  Tile<A, B, Sum, K> sorted;
  for (int k = 0; k < K; ++k) {
    const int to = k % 4 / 2 * (K / 2) + k / 4 * 2 + k % 2;
    __builtin_memcpy(sorted.a[to], t.a[k], sizeof(t.a[k]));
    __builtin_memcpy(sorted.b[to], t.b[k], sizeof(t.b[k]));
  }
  __builtin_memset(sorted.c, 0, sizeof(sorted.c));
  exact<A, B, Sum, K, 2>(sorted, rule);
  for (int column = 0; column < tile_columns; ++column) {
    for (int i = 0; i < tile_rows; ++i) {
      const float sum = float_of(sorted.d[column][i]) + float_of(t.c[column][i]);
      t.d[column][i] = sum != sum ? Sum::nan_bits : bits_of(sum);
    }
  }
}

/// Fused multiply-adds in float32, k after k.
template <class A, class B, class Sum, int K>
TILEJIT_INLINE void plain(Tile<A, B, Sum, K>& t) {
  alignas(64) float a[K][tile_rows], b[K][tile_columns];
  for (int k = 0; k < K; ++k) {
    for (int i = 0; i < tile_rows; ++i) a[k][i] = A::widen(t.a[k][i]);
    for (int j = 0; j < tile_columns; ++j) b[k][j] = B::widen(t.b[k][j]);
  }
  for (int column = 0; column < tile_columns; ++column) {
    alignas(64) float sum[tile_rows];
    for (int i = 0; i < tile_rows; ++i) sum[i] = Sum::widen(t.c[column][i]);
    for (int k = 0; k < K; ++k) {
      const float y = b[k][column];
      for (int i = 0; i < tile_rows; ++i) sum[i] = __builtin_fmaf(a[k][i], y, sum[i]);
    }
    for (int i = 0; i < tile_rows; ++i) t.d[column][i] = Sum::narrowed(sum[i]);
  }
}

template <class A, class B, class Sum, int K>
const Op* multiply(const Op* op, Warp& w) {
  constexpr int count_d = 4 / Sum::parts, count_a = K / (2 * A::parts), count_b = K / (4 * B::parts);
  const Place* d = op->list;
  const Place* a = d + count_d;
  const Place* b = a + count_a;
  const Place* c = b + count_b;
  Tile<A, B, Sum, K> t;
  take_a<A::parts>(w, a, count_a, t.a);
  take_b<B::parts>(w, b, count_b, t.b);
  take_c<Sum::parts>(w, c, t.c);
  for (int k = 0; k < K; ++k) {
    for (int i = 0; i < tile_rows; ++i) t.a[k][i] = A::bits(t.a[k][i]);
    for (int j = 0; j < tile_columns; ++j) t.b[k][j] = B::bits(t.b[k][j]);
  }
  const TensorRule rule(op->immediate);
  if (w.plain_mma) {
    plain(t);
  } else if (A::parts == 4 && rule.by_halves) {
    by_halves(t, rule);
  } else if (rule.steps == 1) {
    exact<A, B, Sum, K, 1>(t, rule);
  } else {
    exact<A, B, Sum, K, 2>(t, rule);
  }
  give_d<Sum::parts>(w, d, t.d);
  return op + 1;
}

template <class A, class B, class Sum, int K>
void form(Registry& r, const char* shape, const char* d, const char* a, const char* b) {
  put(r, Row{{"mma", shape, d, a, b, d}, multiply<A, B, Sum, K>, {Width::b32, Width::b32, Width::b32, Width::b32}});
}

}  // namespace

void register_tensor_float(Registry& r) {
  form<InF16, InF16, SumF32, 16>(r, "m16n8k16", "f32", "f16", "f16");
  form<InF16, InF16, SumF32, 8>(r, "m16n8k8", "f32", "f16", "f16");
  form<InF16, InF16, SumF16, 16>(r, "m16n8k16", "f16", "f16", "f16");
  form<InF16, InF16, SumF16, 8>(r, "m16n8k8", "f16", "f16", "f16");
  form<InBF16, InBF16, SumF32, 16>(r, "m16n8k16", "f32", "bf16", "bf16");
  form<InBF16, InBF16, SumF32, 8>(r, "m16n8k8", "f32", "bf16", "bf16");
  form<InTF32, InTF32, SumF32, 8>(r, "m16n8k8", "f32", "tf32", "tf32");
  form<InTF32, InTF32, SumF32, 4>(r, "m16n8k4", "f32", "tf32", "tf32");
  form<InE4M3, InE4M3, SumF32, 32>(r, "m16n8k32", "f32", "e4m3", "e4m3");
  form<InE4M3, InE5M2, SumF32, 32>(r, "m16n8k32", "f32", "e4m3", "e5m2");
  form<InE5M2, InE4M3, SumF32, 32>(r, "m16n8k32", "f32", "e5m2", "e4m3");
  form<InE5M2, InE5M2, SumF32, 32>(r, "m16n8k32", "f32", "e5m2", "e5m2");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
