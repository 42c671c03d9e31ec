#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/fragments.h>

/// mma.sync of whole numbers and of doubles, which no device rounds differently.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

template <class T>
std::int32_t extended(std::uint32_t u) {
  return static_cast<T>(u);
}

template <class A, class B, int K, bool Saturates>
const Op* multiply_whole(const Op* op, Warp& w) {
  constexpr int count_d = 4, count_a = K / 8, count_b = K / 16;
  alignas(64) std::uint32_t a[K][tile_rows], b[K][tile_columns], c[tile_columns][tile_rows], d[tile_columns][tile_rows];
  take_a<4>(w, op->list + count_d, count_a, a);
  take_b<4>(w, op->list + count_d + count_a, count_b, b);
  take_c<1>(w, op->list + count_d + count_a + count_b, c);
  for (int column = 0; column < tile_columns; ++column) {
    alignas(64) std::int32_t sum[tile_rows] = {};
    for (int k = 0; k < K; ++k) {
      const std::int32_t y = extended<B>(b[k][column]);
      for (int i = 0; i < tile_rows; ++i) sum[i] += extended<A>(a[k][i]) * y;
    }
    for (int i = 0; i < tile_rows; ++i) {
      if constexpr (Saturates) {
        const std::int64_t all = std::int64_t{static_cast<std::int32_t>(c[column][i])} + sum[i];
        const std::int64_t low = all > INT32_MIN ? all : INT32_MIN;
        d[column][i] = static_cast<std::uint32_t>(low < INT32_MAX ? low : INT32_MAX);
      } else {
        d[column][i] = c[column][i] + static_cast<std::uint32_t>(sum[i]);
      }
    }
  }
  give_d<1>(w, op->list, d);
  return op + 1;
}

/// Fused multiply-adds, k after k.
template <int Rows, int K>
const Op* multiply_double(const Op* op, Warp& w) {
  constexpr int row_groups = Rows / 8, count_d = 2 * row_groups, count_a = row_groups * K / 4, count_b = K / 4;
  double a[K][Rows], b[K][tile_columns], c[tile_columns][Rows];
  const auto lanes = [&](int first, int r) { return at<double>(w, op->list[first + r]); };
  for (int lane = 0; lane < 32; ++lane) {
    const int g = lane / 4, t = lane % 4;
    for (int r = 0; r < count_a; ++r) a[r / row_groups * 4 + t][r % row_groups * 8 + g] = lanes(count_d, r)[lane];
    for (int r = 0; r < count_b; ++r) b[r * 4 + t][g] = lanes(count_d + count_a, r)[lane];
    for (int r = 0; r < count_d; ++r) c[2 * t + r % 2][r / 2 * 8 + g] = lanes(count_d + count_a + count_b, r)[lane];
  }
  for (int column = 0; column < tile_columns; ++column) {
    for (int k = 0; k < K; ++k) {
      for (int i = 0; i < Rows; ++i) c[column][i] = __builtin_fma(a[k][i], b[k][column], c[column][i]);
    }
  }
  for (int lane = 0; lane < 32; ++lane) {
    for (int r = 0; r < count_d; ++r) lanes(0, r)[lane] = c[2 * (lane % 4) + r % 2][r / 2 * 8 + lane / 4];
  }
  return op + 1;
}

template <class A, class B>
void whole_forms(Registry& r, const char* a, const char* b) {
  constexpr Width w = Width::b32;
  put(r, Row{{"mma", "m16n8k32", "s32", a, b, "s32"}, multiply_whole<A, B, 32, false>, {w, w, w, w}});
  put(r, Row{{"mma", "m16n8k16", "s32", a, b, "s32"}, multiply_whole<A, B, 16, false>, {w, w, w, w}});
  put(r, Row{{"mma", "m16n8k32", "satfinite", "s32", a, b, "s32"}, multiply_whole<A, B, 32, true>, {w, w, w, w}});
  put(r, Row{{"mma", "m16n8k16", "satfinite", "s32", a, b, "s32"}, multiply_whole<A, B, 16, true>, {w, w, w, w}});
}

}  // namespace

void register_tensor_whole(Registry& r) {
  whole_forms<std::int8_t, std::int8_t>(r, "s8", "s8");
  whole_forms<std::int8_t, std::uint8_t>(r, "s8", "u8");
  whole_forms<std::uint8_t, std::int8_t>(r, "u8", "s8");
  whole_forms<std::uint8_t, std::uint8_t>(r, "u8", "u8");
  constexpr Width w = Width::b64;
  put(r, Row{{"mma", "m8n8k4", "f64", "f64", "f64", "f64"}, multiply_double<8, 4>, {w, w, w, w}});
  put(r, Row{{"mma", "m16n8k4", "f64", "f64", "f64", "f64"}, multiply_double<16, 4>, {w, w, w, w}});
  put(r, Row{{"mma", "m16n8k8", "f64", "f64", "f64", "f64"}, multiply_double<16, 8>, {w, w, w, w}});
  put(r, Row{{"mma", "m16n8k16", "f64", "f64", "f64", "f64"}, multiply_double<16, 16>, {w, w, w, w}});
}

}  // namespace tilejit::emulator::TILEJIT_ISA
