// The block library's words, each beside the plain function that it is: small kernels of fixtures/ that use them all.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <tilejit/tests/templates/device_fixture.h>
#include <tilejit/tests/templates/tensor_case.h>
#include <tilejit/tests/templates/view_kinds.h>

namespace tilejit::test {
namespace {

using tool::HostTensor;
using Tensors = std::span<const HostTensor>;
using Scalars = std::span<const double>;

class Words : public DeviceTest {};

ViewSpec stack_output(DType dtype, std::int64_t count, const Shape& shape) {
  return {dtype, {count, shape[0], shape[1]}, {shape[0] * shape[1], shape[1], 1}, 0, true};
}
ViewSpec line_input(DType dtype, std::int64_t n, std::int64_t stride = 1) { return {dtype, {n}, {stride}}; }

double clamped(double x, double low, double high) { return std::min(std::max(x, low), high); }

void maths(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &y = tensors[1];
  using F = double (*)(double);
  const std::array<F, 24> functions{
      [](double t) { return std::exp(t); },
      [](double t) { return std::exp2(t); },
      [](double t) { return std::expm1(t); },
      [](double t) { return std::log(std::abs(t) + 0.25); },
      [](double t) { return std::log2(std::abs(t) + 0.25); },
      [](double t) { return std::log1p(std::abs(t)); },
      [](double t) { return std::sqrt(std::abs(t)); },
      [](double t) { return 1 / std::sqrt(std::abs(t) + 1); },
      [](double t) { return std::tanh(t); },
      [](double t) { return std::erf(t); },
      [](double t) { return 1 / (1 + std::exp(-t)); },
      [](double t) { return t / 2 * (1 + std::erf(t / std::sqrt(2.0))); },
      [](double t) { return t / (1 + std::exp(-t)); },
      [](double t) { return std::pow(std::abs(t) + 1, 2.5); },
      [](double t) { return std::floor(t); },
      [](double t) { return std::ceil(t); },
      [](double t) { return std::nearbyint(t); },
      [](double t) { return std::trunc(t); },
      [](double t) { return -t; },
      [](double t) { return std::max(t, 0.25); },
      [](double t) { return std::min(t, -t); },
      [](double t) { return clamped(t, -0.5, 0.5); },
      [](double t) { return std::max(t, 0.0); },
      [](double t) { return t * t + 1; },
  };
  for (std::size_t k = 0; k < functions.size(); ++k)
    for (std::int64_t m = 0; m < x.size(0); ++m)
      for (std::int64_t n = 0; n < x.size(1); ++n) y.put({std::int64_t(k), m, n}, functions[k](x.number({m, n})));
}

TEST_F(Words, FunctionsAreWithinAFewUnitsOfTheLastPlace) {
  for (const DType dtype : {DType::f32, DType::bf16})
    ASSERT_TRUE(computes(jit(), "words_math",
                         {kind("contiguous").of(dtype, {7, 50}), stack_output(DType::f32, 24, {7, 50})}, {},
                         Values::quarters, maths, 1e-6));
  ASSERT_TRUE(computes(jit(), "words_math",
                       {kind("transposed").of(DType::f64, {7, 50}), stack_output(DType::f64, 24, {7, 50})}, {},
                       Values::quarters, maths, 1e-14));
}

TEST_F(Words, PiecesOfARowAreTheWholeRow) {
  const auto reference = [](Tensors tensors, Scalars) {
    const HostTensor &x = tensors[0], &y = tensors[1];
    for (std::int64_t m = 0; m < x.size(0); ++m)
      for (std::int64_t n = 0; n < x.size(1); ++n) {
        y.put({0, m, n}, std::exp(x.number({m, n})));
        y.put({1, m, n}, 2 * x.number({m, n}));
      }
  };
  for (const DType dtype : {DType::f32, DType::bf16, DType::f16})
    for (const std::int64_t n : {1, 301, 302, 512})
      ASSERT_TRUE(computes(jit(), "words_pieces",
                           {kind("contiguous").of(dtype, {3, n}), stack_output(DType::f32, 2, {3, n})}, {},
                           Values::quarters, reference, 2e-6))
          << n;
  // Single elements, in several pieces.
  ASSERT_TRUE(computes(jit(), "words_pieces",
                       {kind("contiguous").of(DType::bf16, {3, 1001}), stack_output(DType::f32, 2, {3, 1001})},
                       {{"BLOCK_N", 1024}}, Values::quarters, reference, 2e-6));
}

TEST_F(Words, SineAndCosineAreWithinAFewUnitsOfTheLastPlace) {
  const auto reference = [](Tensors tensors, Scalars) {
    for (std::int64_t n = 0; n < tensors[0].size(0); ++n)
      tensors[1].put({n}, std::sin(tensors[0].number({n})) + 2 * std::cos(tensors[0].number({n})));
  };
  ASSERT_TRUE(computes(jit(), "words_trigonometry", {line_input(DType::f32, 130), line_output(DType::f32, 130, 1)}, {},
                       Values::quarters, reference, 1e-6));
}

std::int64_t floored(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

void logic(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &z = tensors[1], &y = tensors[2];
  using F = double (*)(double, std::int64_t);
  const std::array<F, 19> functions{
      [](double t, std::int64_t i) -> double { return t == double(i); },
      [](double t, std::int64_t) -> double { return t != 0; },
      [](double t, std::int64_t i) -> double { return t < double(i); },
      [](double t, std::int64_t) -> double { return t <= 0; },
      [](double t, std::int64_t) -> double { return 0.25 > t; },
      [](double t, std::int64_t i) -> double { return t >= double(i); },
      [](double t, std::int64_t i) -> double { return (t > 0 && i > 0) || !(t == 1); },
      [](double t, std::int64_t i) -> double { return t < 0 ? t : double(i); },
      [](double t, std::int64_t i) -> double { return i > 10 ? -1 : t; },
      [](double t, std::int64_t) -> double { return t > 0 ? 2 : 3; },
      [](double, std::int64_t i) { return double(i % 7); },
      [](double, std::int64_t i) { return double(floored(i, 7)); },
      [](double, std::int64_t i) { return double(i - 7 * floored(i, 7)); },
      [](double, std::int64_t i) { return double(i / 7); },
      [](double, std::int64_t i) { return double((i & 12) | (i ^ 3)); },
      [](double, std::int64_t i) { return double(i * 4); },
      [](double, std::int64_t i) { return double(floored(i, 2)); },
      [](double, std::int64_t i) { return double(-i - 1); },
      [](double t, std::int64_t i) -> double { return t > 0 && i > 0; },
  };
  for (std::size_t k = 0; k < functions.size(); ++k)
    for (std::int64_t m = 0; m < x.size(0); ++m)
      for (std::int64_t n = 0; n < x.size(1); ++n)
        y.put({std::int64_t(k), m, n}, functions[k](x.number({m, n}), z.integer({m, n})));
}

TEST_F(Words, ComparisonsChoicesAndIntegersAreCs) {
  for (const DType dtype : {DType::f32, DType::f16, DType::i8})
    for (const char* other : {"contiguous", "transposed"})
      ASSERT_TRUE(computes(jit(), "words_logic",
                           {kind("contiguous").of(dtype, {7, 50}), kind(other).of(DType::i32, {7, 50}),
                            stack_output(DType::f32, 19, {7, 50})},
                           {}, Values::quarters, logic));
}

void broadcasts(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &v = tensors[1], &u = tensors[2], &y = tensors[3];
  for (std::int64_t m = 0; m < x.size(0); ++m)
    for (std::int64_t n = 0; n < x.size(1); ++n) {
      const double t = x.number({m, n}), row = v.number({n}), column = u.number({m});
      const std::array<double, 11> values{t + row,
                                          row - t,
                                          t + column,
                                          column * row,
                                          t + row + column,
                                          double(2 * m + n),
                                          t + x.number({m / 3 * 3, n}),
                                          t,
                                          row + t,
                                          n % 40 < 17 ? t : -1,
                                          m % 3 < 2 ? t : -1};
      for (std::size_t k = 0; k < values.size(); ++k) y.put({std::int64_t(k), m, n}, values[k]);
    }
}

TEST_F(Words, RowsAndColumnsSpreadOverATile) {
  for (const DType dtype : {DType::f32, DType::bf16})
    for (const char* from : {"contiguous", "transposed"})
      for (const Shape& shape : {Shape{7, 50}, Shape{3, 40}, Shape{1, 1}})
        ASSERT_TRUE(computes(jit(), "words_broadcast",
                             {kind(from).of(dtype, shape), line_input(dtype, shape[1]), line_input(dtype, shape[0], 2),
                              stack_output(DType::f32, 11, shape)},
                             {}, Values::quarters, broadcasts));
}

/// Sum, greatest, least and where they are, of the elements along `axis` that share index `kept`.
void reduce_line(const HostTensor& x, int axis, std::int64_t kept, const HostTensor& y, const HostTensor& running) {
  double sum = 0, greatest = -1e300, least = 1e300;
  std::int64_t greatest_at = 0, least_at = 0;
  for (std::int64_t i = 0; i < x.size(axis); ++i) {
    const double value = axis == 0 ? x.number({i, kept}) : x.number({kept, i});
    sum += value;
    if (value > greatest) greatest = value, greatest_at = i;
    if (value < least) least = value, least_at = i;
    if (axis == 0)
      running.put({0, i, kept}, sum);
    else
      running.put({1, kept, i}, sum);
  }
  y.put({0, kept}, sum);
  y.put({1, kept}, greatest);
  y.put({2, kept}, least);
  y.put({3, kept}, greatest_at);
  y.put({4, kept}, least_at);
}
void reductions(Tensors tensors, Scalars) {
  const HostTensor& x = tensors[0];
  double sum = 0, greatest = -1e300, least = 1e300;
  for (std::int64_t m = 0; m < x.size(0); ++m)
    for (std::int64_t n = 0; n < x.size(1); ++n) {
      sum += x.number({m, n});
      greatest = std::max(greatest, x.number({m, n}));
      least = std::min(least, x.number({m, n}));
    }
  tensors[3].put({0}, sum);
  tensors[3].put({1}, greatest);
  tensors[3].put({2}, least);
  for (std::int64_t m = 0; m < x.size(0); ++m) reduce_line(x, 1, m, tensors[1], tensors[4]);
  for (std::int64_t n = 0; n < x.size(1); ++n) reduce_line(x, 0, n, tensors[2], tensors[4]);
}

/// The tile is the tensor: blocks of any size, for any number of warps, along and across the vectors.
TEST_F(Words, ReductionsAndScansAreRightForEveryBlock) {
  const std::vector<std::array<std::int64_t, 3>> blocks{
      {8, 64, 4}, {1, 1000, 2}, {33, 65, 8}, {2, 3, 1}, {16, 256, 32}};
  for (const auto& [m, n, warps] : blocks)
    for (const DType dtype : {DType::f32, DType::i8}) {
      if (dtype == DType::i8 && m != 8) continue;
      for (const char* from : {"contiguous", "transposed"}) {
        const Shape shape{m, n};
        const DType to = dtype == DType::f32 ? DType::f32 : DType::i32;
        ASSERT_TRUE(computes(jit(), "words_reduce",
                             {kind(from).of(dtype, shape), kind("contiguous").output(to, {5, m}),
                              kind("contiguous").output(to, {5, n}), line_output(to, 3, 1), stack_output(to, 2, shape)},
                             {{"BLOCK_M", m}, {"BLOCK_N", n}, {"num_warps", warps}}, Values::quarters, reductions));
      }
    }
}

void offsets(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &number = tensors[1], &y = tensors[2];
  const std::int64_t last = y.size(1) - 1;
  for (std::int64_t m = 0; m <= last; ++m)
    for (std::int64_t n = 0; n < y.size(2); ++n) {
      const std::int64_t row = number.integer({m});
      const double gathered = row >= 0 && row < x.size(0) ? x.number({row, n}) : 7;
      y.put({0, m, n}, gathered);
      y.put({1, m, n}, gathered);
      y.put({2, m, n}, n % 2 == 0 ? x.number({last - m, n}) : -1);
      y.put({3, m, n}, x.number({last - m, n}));
    }
}

TEST_F(Words, OffsetsAndRowNumbersReachWhatTheySay) {
  for (const DType dtype : {DType::f32, DType::bf16})
    for (const char* from : {"contiguous", "transposed", "columns stepped"})
      ASSERT_TRUE(computes(
          jit(), "words_offsets",
          {kind(from).of(dtype, {14, 72}), line_input(DType::i32, 14), {dtype, {4, 14, 72}, {14 * 72, 72, 1}, 0, true}},
          {}, Values::small, offsets))
          << from;
}

void atomics(Tensors tensors, Scalars) {
  const HostTensor &x = tensors[0], &total = tensors[1], &greatest = tensors[2], &least = tensors[3];
  for (std::int64_t m = 0; m < x.size(0); ++m)
    for (std::int64_t n = 0; n < x.size(1); ++n) {
      const double value = x.number({m, n});
      total.put({n % 4}, total.number({n % 4}) + value);
      if (m % 3 != 0) continue;
      greatest.put({0, n}, std::max(greatest.number({0, n}), value));
      least.put({n}, std::min(least.number({n}), value));
    }
}

TEST_F(Words, AtomicsCountEachElementOnce) {
  for (const auto& [dtype, to] : {std::pair{DType::f32, DType::f32}, std::pair{DType::i64, DType::i64},
                                  std::pair{DType::f64, DType::f32}, std::pair{DType::i32, DType::i32}})
    ASSERT_TRUE(computes(jit(), "words_atomics",
                         {kind("contiguous").of(dtype, {7, 50}), line_input(dtype, 4),
                          kind("contiguous").of(to, {1, 50}), line_input(to, 50)},
                         {}, Values::quarters, atomics));
}

TEST_F(Words, ProductsAreRightForAnyBlock) {
  for (const auto& [dtype, m, n, k] : std::vector<std::tuple<DType, int, int, int>>{
           {DType::f32, 64, 32, 32}, {DType::f32, 24, 40, 24}, {DType::bf16, 24, 20, 8}, {DType::i8, 8, 9, 10}})
    for (const char* b : {"contiguous", "transposed"})
      ASSERT_TRUE(computes(jit(), "words_dot",
                           {kind("contiguous").of(dtype, {100, 70}), kind(b).of(dtype, {70, 50}),
                            kind("contiguous").output(DType::f32, {100, 50})},
                           {{"BLOCK_M", m}, {"BLOCK_N", n}, {"BLOCK_K", k}}, Values::quarters,
                           tool::reference_for("matmul_row")));
}

void halved(Tensors tensors, Scalars scalars) {
  const HostTensor &x = tensors[0], &c = tensors[1], &bias = tensors[2];
  for (std::int64_t m = 0; m < c.size(0); ++m)
    for (std::int64_t n = 0; n < c.size(1); ++n) {
      const double sum = scalars[0] * x.number({m, n}) + (bias.data != nullptr ? bias.number({m, n}) : 0);
      c.put({m, n}, std::max(sum, 0.0));
    }
}

double activated(double x, int activation) {
  if (activation == 3) return x / (1 + std::exp(-x));
  return std::max(x, 0.0) - std::abs(x) / 2 * std::erfc(std::abs(x) / std::sqrt(2.0));
}

TEST_F(Words, GeluAndSiluThatAreStoredNarrowAreExactToFarLessThanTheirLastPlace) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> x = {0.0f, -0.0f, 1e-30f, -1e-30f, 20,       -20,       -80, -87,
                          100,  -100,  1e30f,  -1e30f,  infinity, -infinity, NAN};
  for (int i = -2800; i <= 2800; ++i) x.push_back(float(i) / 200);
  const auto count = std::int64_t(x.size());
  const Tensor from = device().copy_of(x, {count}), narrow = device().empty(DType::f32, {count}),
               exact = device().empty(DType::f32, {count});
  const StreamRef stream = nullptr;
  for (const int activation : {2, 3}) {
    jit().function("words_activation").with_config({{"ACTIVATION", activation}})(stream, from, narrow, exact);
    const std::vector<float> quick = narrow.to_host<float>(stream), whole = exact.to_host<float>(stream);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double right = activated(double(x[i]), activation);
      if (x[i] == -infinity && activation == 2) {
        EXPECT_EQ(quick[i], 0);
      } else if (std::isnan(x[i]) || x[i] == -infinity) {
        EXPECT_TRUE(std::isnan(quick[i]) && std::isnan(whole[i])) << x[i];
      } else if (x[i] == infinity) {
        EXPECT_EQ(quick[i], infinity);
        EXPECT_EQ(whole[i], infinity);
      } else {
        const bool vanished = quick[i] == 0 && std::abs(right) < 1e-36;
        EXPECT_TRUE(vanished || std::abs(double(quick[i]) - right) <= 5e-5 * std::abs(right))
            << quick[i] << " of " << x[i] << ", activation " << activation;
        EXPECT_NEAR(double(whole[i]), right, 2e-6 * std::abs(right) + 3e-7 * std::min(std::abs(double(x[i])), 9.0))
            << x[i] << ", activation " << activation;
      }
    }
  }
}

/// Rows at every distance from a multiple of 16 bytes, ends within and between vectors; nothing beside them is written.
TEST_F(Words, RowsOfResultsAreStoredWholeWhereverTheyLie) {
  for (const DType dtype : {DType::f32, DType::bf16, DType::f16}) {
    if (dtype != DType::f32 && !device().target().has("bf16_arithmetic")) continue;  // stmatrix is as old
    for (const std::int64_t pitch : {131, 132, 133, 134, 137, 140, 144})
      for (const std::int64_t columns : {131L, 130L, 128L, 124L, 65L, 64L, 7L, 1L})
        for (const bool bias : {false, true}) {
          if ((bias && pitch % 3 != 0) || (dtype == DType::f16 && pitch > 131)) continue;
          const ViewSpec x{DType::f32, {70, columns}, {columns, 1}};
          const ViewSpec c{dtype, {70, columns}, {pitch, 1}, pitch % 5, true};
          ViewSpec more{dtype, {70, columns}, {0, 1}};
          more.absent = !bias;
          ASSERT_TRUE(computes(jit(), "words_stage", {x, c, more},
                               {{"ACTIVATION", 1}, {"COLUMNS", pitch % 2 == 0 ? 128 : 96}}, Values::quarters, halved));
        }
  }
}

}  // namespace
}  // namespace tilejit::test
