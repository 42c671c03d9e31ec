#include <fmt/format.h>

#include <cmath>
#include <random>

#include <tilejit/runtime/jit.h>
#include <tilejit/tools/reference/element.h>

#include "../support/gpu_fixture.h"

namespace tilejit {
namespace {

using tool::double_at;
using tool::put_double;

/// What a call is made of: c = activation(alpha a b + beta previous + bias) + residual.
struct Product {
  std::int64_t m, n, k;
  DType dtype = bf16, out = bf16;
  bool a_along_k = true, b_along_k = false;  ///< which axis of a (of b) has stride 1
  std::int64_t c_pitch = 0;                  ///< 0: n rounded up to 16 bytes
  bool bias = false, previous = false, residual = false;
  double alpha = 1, beta = 0;
  int activation = 0;
};

struct Matrix {
  std::vector<double> values;
  Tensor memory;
  TensorView view;
};

std::int64_t rounded(std::int64_t extent) { return (extent + 7) / 8 * 8; }

/// rows x columns; the axis of stride 1 is the last or the first one, the other's stride `pitch`.
Matrix matrix(const Device& device, DType dtype, std::int64_t rows, std::int64_t columns, bool last, std::int64_t pitch,
              unsigned seed) {
  const std::int64_t lines = last ? rows : columns, length = last ? columns : rows;
  const auto size = static_cast<std::size_t>(size_of(dtype));
  std::vector<std::byte> bytes(static_cast<std::size_t>(lines * pitch) * size, std::byte{0xff});
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> values(static_cast<std::size_t>(rows * columns));
  for (std::int64_t line = 0; line < lines; ++line)
    for (std::int64_t i = 0; i < length; ++i) {
      std::byte* const at = bytes.data() + static_cast<std::size_t>(line * pitch + i) * size;
      put_double(dtype, at, uniform(random));
      values[static_cast<std::size_t>(last ? line * columns + i : i * columns + line)] = double_at(dtype, at);
    }
  const std::int64_t shape[] = {lines, pitch};
  Tensor memory = device.copy_of_bytes(dtype, bytes, shape);
  TensorView view = memory.view().slice(1, 0, length);
  if (!last) view = view.t();
  return {std::move(values), std::move(memory), view};
}

double activated(double x, int activation) {
  switch (activation) {
    case 1:
      return std::max(x, 0.0);
    case 2:
      return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
    case 3:
      return x / (1 + std::exp(-x));
    default:
      return x;
  }
}

class MatmulWgmma : public test::GpuTest {
 protected:
  static Jit made() {
    Options options;
    options.cache_root = "";
    options.tuning = Tuning::off;
    return Jit(device(), options);
  }

  void SetUp() override {
    GpuTest::SetUp();
    if (!IsSkipped() && !HasFatalFailure() && !device().target().has("wgmma"))
      GTEST_SKIP() << device().name() << " has no wgmma";
    if (!IsSkipped()) jit_.emplace(made());
  }

  /// Every element against a product in double, and what surrounds c against the poison that it was filled with.
  void expect_right(const Product& p, std::vector<std::pair<std::string, std::int64_t>> settings) {
    SCOPED_TRACE(
        fmt::format("{} x {} x {}, {} to {}, a along {}, b along {}, pitch {}, bias {}, previous {}, residual {}, "
                    "activation {}",
                    p.m, p.n, p.k, name_of(p.dtype), name_of(p.out), p.a_along_k ? "K" : "M", p.b_along_k ? "K" : "N",
                    p.c_pitch, p.bias, p.previous, p.residual, p.activation));
    const Matrix a = matrix(device(), p.dtype, p.m, p.k, p.a_along_k, rounded(p.a_along_k ? p.k : p.m), 1);
    const Matrix b = matrix(device(), p.dtype, p.k, p.n, !p.b_along_k, rounded(p.b_along_k ? p.k : p.n), 2);
    const std::int64_t pitch = p.c_pitch != 0 ? p.c_pitch : rounded(p.n);
    Matrix c = matrix(device(), p.out, p.m + 2, p.n, true, pitch, 3);
    const std::vector<std::byte> before = c.memory.to_host_bytes();
    const TensorView out = c.view.slice(0, 1, p.m + 1);
    const Matrix bias = matrix(device(), p.out, 1, p.n, true, p.n, 4),
                 residual = matrix(device(), p.out, p.m, p.n, true, p.n, 5),
                 previous = matrix(device(), p.out, p.m, p.n, true, p.n, 6);
    settings.emplace_back("ACTIVATION", p.activation);
    const JitFunction product = jit_->function("matmul_wgmma").with_config(settings);
    const Stream stream = device().stream();
    const std::vector<std::int64_t> shape{p.m, p.n};
    const Argument args[] = {a.view,
                             b.view,
                             out,
                             p.bias ? Argument(bias.view.broadcast_to(shape)) : Argument(nullptr),
                             p.previous ? Argument(previous.view) : Argument(nullptr),
                             p.residual ? Argument(residual.view) : Argument(nullptr),
                             p.alpha,
                             p.beta};
    product.call(stream, args);
    stream.synchronize();

    const std::vector<std::byte> after = c.memory.to_host_bytes();
    const auto size = static_cast<std::size_t>(size_of(p.out));
    double error = 0, norm = 0;
    for (std::int64_t i = 0; i < p.m + 2; ++i)
      for (std::int64_t j = 0; j < pitch; ++j) {
        const auto at = static_cast<std::size_t>(i * pitch + j) * size;
        if (i == 0 || i == p.m + 1 || j >= p.n) {
          ASSERT_TRUE(std::equal(after.begin() + at, after.begin() + at + size, before.begin() + at))
              << "a stray write at row " << i - 1 << ", column " << j;
          continue;
        }
        const std::int64_t row = i - 1;
        double sum = 0;
        for (std::int64_t k = 0; k < p.k; ++k)
          sum += a.values[static_cast<std::size_t>(row * p.k + k)] * b.values[static_cast<std::size_t>(k * p.n + j)];
        double expected = p.alpha * sum;
        if (p.previous) expected += p.beta * previous.values[static_cast<std::size_t>(row * p.n + j)];
        if (p.bias) expected += bias.values[static_cast<std::size_t>(j)];
        expected = activated(expected, p.activation);
        if (p.residual) expected += residual.values[static_cast<std::size_t>(row * p.n + j)];
        const double difference = double_at(p.out, after.data() + at) - expected;
        ASSERT_FALSE(std::isnan(difference)) << "row " << row << ", column " << j;
        error += difference * difference, norm += expected * expected;
      }
    EXPECT_LE(std::sqrt(error), (p.out == f32 ? 1e-5 : 4e-3) * std::sqrt(norm));
  }

 private:
  std::optional<Jit> jit_;
};

using Settings = std::vector<std::pair<std::string, std::int64_t>>;

std::int64_t setting(const Settings& tile, std::string_view name, std::int64_t otherwise) {
  for (const auto& [known, value] : tile)
    if (known == name) return value;
  return otherwise;
}
/// Widths that 64 does not divide are for a b whose stride of 1 is along K.
bool takes_any_b(const Settings& tile) { return setting(tile, "BLOCK_N", 256) % 64 == 0; }

const std::vector<Settings> tiles{
    {},
    {{"CLUSTER", 2}},
    {{"BLOCK_N", 192}, {"IN_TURN", 1}, {"OUT_PARTS", 1}, {"num_stages", 5}},
    {{"BLOCK_N", 192}, {"IN_TURN", 1}, {"OUT_PARTS", 3}, {"GROUP_M", 2}},
    {{"BLOCK_N", 192}, {"OUT_PARTS", 1}, {"num_stages", 5}},
    {{"BLOCK_N", 128}, {"IN_TURN", 1}, {"num_stages", 6}},
    {{"BLOCK_N", 128}, {"IN_TURN", 1}, {"CLUSTER", 2}, {"num_stages", 6}},
    {{"BLOCK_M", 192}, {"BLOCK_N", 128}, {"OUT_PARTS", 1}, {"num_warps", 16}, {"num_stages", 5}},
    {{"BLOCK_M", 192}, {"BLOCK_N", 128}, {"OUT_PARTS", 1}, {"CLUSTER", 2}, {"num_warps", 16}, {"num_stages", 5}},
    {{"BLOCK_N", 64}, {"OUT_PARTS", 1}, {"num_stages", 8}},
    {{"BLOCK_M", 64}, {"BLOCK_N", 128}, {"OUT_PARTS", 1}, {"num_stages", 8}},
    {{"BLOCK_M", 64}, {"num_stages", 4}},
    {{"BLOCK_M", 64}, {"BLOCK_N", 128}, {"OUT_PARTS", 1}, {"num_warps", 8}, {"num_stages", 9}},
    {{"BLOCK_M", 64}, {"BLOCK_N", 64}, {"OUT_PARTS", 1}, {"num_warps", 8}, {"num_stages", 12}},
    {{"BLOCK_M", 64}, {"BLOCK_N", 96}, {"OUT_PARTS", 1}, {"num_warps", 8}, {"num_stages", 10}},
    {{"BLOCK_N", 160}, {"num_stages", 5}},
    {{"BLOCK_N", 160}, {"IN_TURN", 1}, {"num_stages", 5}},
    {{"BLOCK_N", 224}},
};

TEST_F(MatmulWgmma, EveryTileIsRightForEveryPairOfMajorAxes) {
  for (const auto& tile : tiles)
    for (const bool a_along_k : {true, false})
      for (const bool b_along_k : {true, false})
        if (b_along_k || takes_any_b(tile))
          expect_right({.m = 300, .n = 392, .k = 200, .a_along_k = a_along_k, .b_along_k = b_along_k}, tile);
}

TEST_F(MatmulWgmma, TailsOfEveryAxisAreRight) {
  for (const auto& tile : tiles)
    for (const auto& [m, n, k] : {std::tuple{1, 1, 1}, {64, 256, 64}, {65, 257, 65}, {127, 63, 129}, {257, 8, 24}})
      expect_right({.m = m, .n = n, .k = k, .dtype = f16, .out = f16, .b_along_k = !takes_any_b(tile)}, tile);
}

TEST_F(MatmulWgmma, ManyTilesAProgramAndLongSumsAreRight) {
  for (const auto& tile : tiles) {
    expect_right({.m = 2304, .n = 2304, .k = 72, .b_along_k = !takes_any_b(tile)}, tile);
    const std::int64_t deep = setting(tile, "GROUP_M", 16) == 16 ? 3000 : 512;  // narrow bands are for short sums
    expect_right({.m = 130, .n = 260, .k = deep, .dtype = f16, .out = f32, .b_along_k = !takes_any_b(tile)}, tile);
  }
}

TEST_F(MatmulWgmma, AnyPitchOfCIsRight) {
  for (const DType out : {bf16, f16, f32})
    for (const std::int64_t pitch : {261, 262, 264, 300})
      for (const auto& tile : {tiles[0], tiles[2], tiles[7]})
        expect_right({.m = 200, .n = 261, .k = 96, .dtype = f16, .out = out, .c_pitch = pitch}, tile);
}

TEST_F(MatmulWgmma, EveryEpilogueIsRight) {
  for (const auto& tile : {tiles[0], tiles[1], tiles[3], tiles[7], tiles[10]})
    for (int activation = 0; activation < 4; ++activation) {
      expect_right({.m = 200, .n = 264, .k = 96, .bias = true, .activation = activation}, tile);
      expect_right({.m = 331, .n = 528, .k = 200, .dtype = f16, .out = f16, .alpha = -0.5, .activation = activation},
                   tile);
      expect_right({.m = 200, .n = 264, .k = 96, .out = f32, .residual = true, .alpha = -0.5, .activation = activation},
                   tile);
      expect_right({.m = 200,
                    .n = 261,
                    .k = 96,
                    .bias = true,
                    .previous = true,
                    .residual = true,
                    .alpha = 2,
                    .beta = -1.5,
                    .activation = activation},
                   tile);
    }
}

}  // namespace
}  // namespace tilejit
