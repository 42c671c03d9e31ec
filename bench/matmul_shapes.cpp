#include <tilejit/bench/matmul_shapes.h>

#include <fmt/format.h>

#include <cmath>
#include <random>

namespace tilejit::bench {

std::string MatmulShape::name() const {
  const std::string size = m == n && n == k ? fmt::format("{}^3", m) : fmt::format("{}x{}x{}", m, n, k);
  const char* more = special == Special::offset    ? ", a offset by an element"
                     : special == Special::stepped ? ", every second element"
                                                   : "";
  return fmt::format("matmul {} {} {}{}{}", size, name_of(dtype), a_transposed ? 'T' : 'N', b_transposed ? 'T' : 'N',
                     more);
}

std::vector<MatmulShape> matmul_shapes() {
  using Special = MatmulShape::Special;
  constexpr DType bf16 = DType::bf16, f16 = DType::f16, f32 = DType::f32;
  std::vector<MatmulShape> shapes;
  const auto add = [&](std::int64_t m, std::int64_t n, std::int64_t k, DType dtype, double bound,
                       bool a_transposed = false, bool b_transposed = false, Special special = Special::none) {
    shapes.push_back({m, n, k, dtype, a_transposed, b_transposed, special, bound});
  };
  for (const DType dtype : {bf16, f16})
    for (const std::int64_t n : {1024, 2048, 4096, 8192, 16384}) add(n, n, n, dtype, n >= 4096 ? 1.02 : 1.00);
  for (const std::int64_t n : {4096, 8192})
    for (const auto& [a, b] : {std::pair{false, true}, {true, false}, {true, true}}) add(n, n, n, bf16, 1.00, a, b);
  for (const std::int64_t k : {128, 256, 512, 1024}) add(8192, 8192, k, bf16, k <= 256 ? 1.15 : 1.02);
  for (const std::int64_t m : {1024, 4096, 8192})
    for (const auto& [n, k] : {std::pair<std::int64_t, std::int64_t>{4096, 4096},
                               {14336, 4096},
                               {4096, 14336},
                               {7168, 16384},
                               {24576, 1536}})
      add(m, n, k, bf16, 0.97, false, true);
  for (const std::int64_t m : {64, 128}) {
    add(m, 4096, 4096, bf16, 1.00, false, true);
    add(m, 7168, 16384, bf16, 1.00, false, true);
  }
  add(384, 2048, 2048, bf16, 0.97);
  add(3000, 1000, 2000, bf16, 0.97);
  add(2048, 2048, 512, bf16, 0.97);
  add(4096, 512, 4096, bf16, 0.97);
  for (const DType dtype : {bf16, f16}) {
    add(4096, 4095, 4096, dtype, 4.0);
    add(4096, 4096, 4096, dtype, 4.0, false, false, Special::offset);
    add(4095, 4095, 4095, dtype, 3.3);
    add(4097, 4095, 4099, dtype, 3.3);
    add(1000, 1001, 1003, dtype, 2.0);
  }
  add(4096, 4096, 4096, bf16, 1.2, false, false, Special::stepped);
  for (const std::int64_t n : {1024, 2048, 4096, 8192}) add(n, n, n, f32, 0.95);
  return shapes;
}

std::vector<MatmulShape> random_matmul_shapes(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<MatmulShape> shapes;
  for (int i = 0; i < count; ++i) {
    const auto extent = [&] {
      const auto any = std::int64_t(64 * std::exp2(double(random()) / 0x1p32 * 7));
      return i % 2 == 0 ? any / 8 * 8 : any;
    };
    MatmulShape shape{};
    shape.m = extent();
    shape.n = extent();
    shape.k = extent();
    shape.dtype = random() % 2 == 0 ? DType::bf16 : DType::f16;
    shape.a_transposed = random() % 2 == 0;
    shape.b_transposed = random() % 2 == 0;
    shapes.push_back(shape);
  }
  return shapes;
}

}  // namespace tilejit::bench
