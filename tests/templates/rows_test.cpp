// Templates that work row by row (softmax, norms, sums and extremes in segments, running sums) and those that move
// elements, over views, shapes that fit no block and dtypes, against references in double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <tilejit/tests/templates/device_fixture.h>
#include <tilejit/tests/templates/tensor_case.h>
#include <tilejit/tests/templates/view_kinds.h>

namespace tilejit::test {
namespace {

const std::vector<Shape> shapes{{7, 1}, {5, 100}, {3, 257}, {0, 5}};

class Rows : public DeviceTest {
 protected:
  /// The Config that an untuned call takes.
  static Settings settings_for(const std::string& name, const std::vector<ViewSpec>& views) {
    Problem problem;
    for (const ViewSpec& view : views) {
      TensorProblem tensor = problem_of(view);
      tensor.present = !view.absent;
      problem.tensors.push_back(tensor);
    }
    const auto kernel = jit().templates().get(name);
    for (const ArgumentInfo& argument : kernel->info.arguments)
      if (argument.kind == ArgumentInfo::Kind::scalar) problem.scalars.push_back(argument.dtype);
    const std::vector<Config> found = candidates(*kernel, problem, device().target());
    if (found.empty()) throw std::runtime_error(name + ": no Config fits");
    Settings settings = found.front().constants;
    settings.emplace_back("num_warps", found.front().num_warps);
    return settings;
  }
  static testing::AssertionResult agrees(const std::string& name, const std::vector<ViewSpec>& views, double tolerance,
                                         Values values = Values::quarters) {
    return computes(jit(), name, views, settings_for(name, views), values, nullptr, tolerance);
  }
};

ViewSpec absent() {
  ViewSpec view;
  view.absent = true;
  return view;
}
ViewSpec vector_of(DType dtype, std::int64_t n) { return {dtype, {n}, {1}}; }

TEST_F(Rows, SoftmaxesAreRightForEveryView) {
  for (const std::string name : {"softmax", "softmax_online", "log_softmax", "log_softmax_online"})
    for (const DType dtype : {DType::f32, DType::bf16}) {
      for (const char* from : {"contiguous", "transposed", "one element"})
        for (const Shape& shape : shapes) {
          if (from[0] != 'c' && (dtype == DType::bf16 || name.starts_with("log"))) continue;
          const char* to = from[0] == 't' ? "offset" : "contiguous";
          ASSERT_TRUE(agrees(name, {kind(from).of(dtype, shape), kind(to).output(dtype, shape)}, 2e-6)) << from;
        }
    }
}

TEST_F(Rows, NormsAreRightWithAndWithoutWhatIsOptional) {
  for (const std::string name : {"layernorm", "layernorm_long", "rmsnorm", "rmsnorm_long"})
    for (const bool all : {false, true})
      for (const char* from : {"contiguous", "transposed"}) {
        if (!all && from[0] == 't') continue;
        const DType dtype = from[0] == 't' ? DType::bf16 : DType::f32;
        for (const Shape& shape : shapes) {
          const ViewSpec x = kind(from).of(dtype, shape), y = kind("contiguous").output(dtype, shape);
          std::vector<ViewSpec> views{x, y, all ? vector_of(DType::f32, shape[1]) : absent()};
          if (name.starts_with("layer")) views.push_back(all ? vector_of(DType::bf16, shape[1]) : absent());
          views.push_back(all ? kind("offset").of(dtype, shape) : absent());
          views.push_back(all ? kind("padded").output(dtype, shape) : absent());
          ASSERT_TRUE(agrees(name, views, 1e-5)) << from;
        }
      }
}

/// Their mean is rounded, and by the square root of epsilon what is left is 300 times as large.
TEST_F(Rows, ANormOfARowOfOneNumberIsZero) {
  const StreamRef stream = nullptr;
  for (const char* name : {"layernorm", "layernorm_long"})
    for (const DType dtype : {DType::f32, DType::f16, DType::bf16})
      for (const float number : {0.9f, -1000.1f, 123456.7f}) {
        if (dtype == DType::f16 && number > 60000) continue;
        for (const std::int64_t n : {3, 33, 1000, 8193, 20001}) {
          const Tensor one = device().copy_of(std::vector<float>{number}, {1, 1}), x = device().empty(dtype, {1, 1}),
                       y = device().empty(dtype, {1, n}), wide = device().empty(DType::f32, {1, n});
          jit().template_function("cast_2d")(stream, one, x);
          jit().template_function(name)(stream, x.view().broadcast_to({1, n}), y, nullptr, nullptr, nullptr, nullptr,
                                        1e-5f);
          jit().template_function("cast_2d")(stream, y, wide);
          for (const float z : wide.to_host<float>(stream))
            ASSERT_LT(std::abs(z), 1e-6f) << name << " of " << n << " times " << number << ", " << name_of(dtype);
        }
      }
}

TEST_F(Rows, ANormOfARowFarFromZeroLosesNothing) {
  const Tensor x = device().copy_of(
      [] {
        std::vector<float> values;
        for (int n = 0; n < 5000; ++n) values.push_back(10000.0f + float(n % 7));
        return values;
      }(),
      {1, 5000});
  const Tensor y = device().empty(DType::f32, {1, 5000});
  const Stream stream = device().stream();
  for (const char* name : {"layernorm", "layernorm_long"}) {
    jit().template_function(name)(stream, x, y, nullptr, nullptr, nullptr, nullptr, 0.0f);
    const std::vector<float> found = y.to_host<float>(stream);
    for (int n = 0; n < 5000; ++n) ASSERT_NEAR(found[std::size_t(n)], (n % 7 - 2.9992) / 2.0004, 2e-3) << name;
  }
}

TEST_F(Rows, SegmentsAreRightForEveryViewAndCount) {
  for (const std::string name : {"split_sum", "split_mean", "split_max", "split_min", "split_norm"})
    for (const auto& [dtype, to] :
         {std::pair{DType::f32, DType::f32}, std::pair{DType::bf16, DType::f32}, std::pair{DType::u8, DType::i64}}) {
      if (dtype == DType::u8 && name == "split_norm") continue;
      for (const char* from : {"contiguous", "transposed", "rows backwards"}) {
        if (dtype != DType::f32 && from[0] != 'c') continue;
        for (const Shape& shape : {Shape{7, 1}, Shape{65, 1031}, Shape{0, 5}})
          for (const std::int64_t count : {1, 3}) {
            const ViewSpec x = kind(from).of(dtype, shape);
            ASSERT_TRUE(agrees(name, {x, kind("contiguous").output(to, {shape[0], count})},
                               name == "split_sum" || name == "split_max" || name == "split_min" ? 0 : 2e-6))
                << from;
          }
      }
    }
}

TEST_F(Rows, TheFirstOfTheGreatestIsFound) {
  for (const auto& [dtype, index] :
       {std::pair{DType::f32, DType::i64}, std::pair{DType::bf16, DType::i32}, std::pair{DType::i8, DType::i64}})
    for (const char* from : {"contiguous", "transposed"})
      for (const Shape& shape : {Shape{5, 100}, Shape{33, 1031}}) {
        if (from[0] == 't' && dtype != DType::f32) continue;
        const ViewSpec x = kind(from).of(dtype, shape);
        ASSERT_TRUE(agrees("split_argmax", {x, kind("contiguous").output(index, {shape[0], 1}), absent()}, 0));
        const std::int64_t count = shape[1] > 32 ? 3 : 1;
        ASSERT_TRUE(agrees("split_argmax",
                           {x, kind("contiguous").output(index, {shape[0], count}),
                            kind("contiguous").output(dtype, {shape[0], count})},
                           0));
        ASSERT_TRUE(agrees("join_argmax",
                           {kind(from).of(dtype, {shape[0], 40}), kind("contiguous").of(DType::i64, {shape[0], 40}),
                            line_output(DType::i64, shape[0], 1)},
                           0));
      }
}

TEST_F(Rows, ManyPartsOfARowAreJoinedByOneProgram) {
  for (const std::int64_t n : {1025, 8448}) {
    for (const auto& [block, warps] : {std::pair(1024, 4), std::pair(4096, 8)})
      for (const DType dtype : {DType::f32, DType::u8})
        ASSERT_TRUE(computes(jit(), "join_argmax",
                             {{dtype, {2, n}, {n, 1}}, {DType::i64, {2, n}, {n, 1}}, line_output(DType::i64, 2, 1)},
                             {{"BLOCK_M", 1}, {"BLOCK_S", block}, {"num_warps", warps}}))
            << n << " " << block;
    for (const std::string name : {"split_sum", "split_mean", "split_max"})
      ASSERT_TRUE(computes(jit(), name, {{DType::f32, {2, n}, {n, 1}}, kind("contiguous").output(DType::f32, {2, 1})},
                           {{"BLOCK_M", 1}, {"BLOCK_N", 8192}, {"num_warps", 8}}, Values::quarters, nullptr, 2e-6))
          << name << " " << n;
  }
}

TEST_F(Rows, NaNsWinAndRowsOfMinusInfinityAreNaN) {
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor x = device().copy_of(
      std::vector<float>{1, nan, 3, nan, -infinity, -infinity, -infinity, -infinity, 0, -infinity, -infinity, 0},
      {3, 4});
  const Tensor greatest = device().copy_of(std::vector<float>(3, -1), {3, 1});
  const Tensor index = device().copy_of(std::vector<int>(3, -1), {3, 1}), y = device().empty(DType::f32, {3, 4});
  const Stream stream = device().stream();
  jit().template_function("split_max")(stream, x, greatest);
  jit().template_function("split_argmax")(stream, x, index, nullptr);
  EXPECT_TRUE(std::isnan(greatest.to_host<float>(stream)[0]));
  EXPECT_EQ(greatest.to_host<float>(stream)[1], -infinity);
  jit().template_function("split_min")(stream, x, greatest);
  EXPECT_TRUE(std::isnan(greatest.to_host<float>(stream)[0]));
  EXPECT_EQ(greatest.to_host<float>(stream)[2], -infinity);
  EXPECT_EQ(index.to_host<int>(stream), (std::vector<int>{1, 0, 0}));
  for (const char* name : {"softmax", "softmax_online"}) {
    jit().template_function(name)(stream, x, y);
    const std::vector<float> found = y.to_host<float>(stream);
    for (int i = 0; i < 8; ++i) EXPECT_TRUE(std::isnan(found[std::size_t(i)])) << name << i;
    EXPECT_EQ(std::vector<float>(found.begin() + 8, found.end()), (std::vector<float>{0.5, 0, 0, 0.5})) << name;
  }
}

// e^200 is more than a float holds: what a part of a row is scaled by must not come from another one's zero.
TEST_F(Rows, PartsOfMinusInfinityAddNothingWhereAllElseIsFarBelowZero) {
  const std::int64_t n = 5000, finite = 904;
  std::vector<float> values(std::size_t(n), -std::numeric_limits<float>::infinity());
  std::fill(values.end() - finite, values.end(), -200.0f);
  const Tensor x = device().copy_of(values, {1, n}), y = device().empty(DType::f32, {1, n});
  const Stream stream = device().stream();
  for (const std::string name : {"softmax", "softmax_online", "log_softmax", "log_softmax_online"}) {
    jit().template_function(name)(stream, x, y);
    const std::vector<float> found = y.to_host<float>(stream);
    const bool log = name.starts_with("log");
    for (std::int64_t i = 0; i < n - finite; ++i)
      ASSERT_EQ(found[std::size_t(i)], log ? -std::numeric_limits<float>::infinity() : 0) << name << i;
    for (std::int64_t i = n - finite; i < n; ++i)
      ASSERT_NEAR(found[std::size_t(i)], log ? -std::log(904.0) : 1 / 904.0, log ? 1e-5 : 1e-8) << name << i;
  }
}

TEST_F(Rows, RunningSumsAreRightForEveryView) {
  for (const auto& [dtype, to] : {std::pair{DType::f32, DType::f32}, std::pair{DType::i8, DType::i64}})
    for (const char* from : {"contiguous", "transposed"})
      for (const Shape& shape : {Shape{1, 1}, Shape{5, 100}, Shape{3, 2500}})
        ASSERT_TRUE(agrees("row_cumsum", {kind(from).of(dtype, shape), kind("offset").output(to, shape)}, 0));
}

TEST_F(Rows, GatheredRowsAreRightAndThoseThatAreNotThereAreZero) {
  for (const DType dtype : {DType::f32, DType::u8})
    for (const char* from : {"contiguous", "transposed", "offset"})
      for (const Shape& shape : {Shape{1, 1}, Shape{12, 100}, Shape{12, 4096}})
        ASSERT_TRUE(
            agrees("gather_rows",
                   {kind(from).of(dtype, shape), {DType::i32, {21}, {1}}, kind("padded").output(dtype, {21, shape[1]})},
                   0, Values::small));
}

TEST_F(Rows, SumsOfTwoAreRightHoweverTheyAreBroadcast) {
  for (const DType dtype : {DType::f32, DType::bf16, DType::i16})
    for (const char* x : {"contiguous", "transposed"})
      for (const char* y : {"contiguous", "rows repeated", "columns repeated", "one element", "transposed"})
        for (const char* z : {"contiguous", "transposed"}) {
          if (z[0] == 't' && (dtype != DType::f32 || y[0] != 'r')) continue;
          if (dtype != DType::f32 && x[0] == 't') continue;
          for (const Shape& shape : {Shape{33, 65}, Shape{70, 200}})
            ASSERT_TRUE(
                agrees("add_2d", {kind(x).of(dtype, shape), kind(y).of(dtype, shape), kind(z).output(dtype, shape)}, 0))
                << x << " + " << y;
        }
}

TEST_F(Rows, CastsAreExact) {
  for (const auto& [from, to] : {std::pair{DType::f32, DType::bf16}, std::pair{DType::u8, DType::f32},
                                 std::pair{DType::f16, DType::f8e4m3}, std::pair{DType::i64, DType::i8}})
    for (const char* x : {"contiguous", "transposed", "one element"})
      for (const Shape& shape : {Shape{33, 65}, Shape{70, 200}})
        ASSERT_TRUE(agrees("cast_2d", {kind(x).of(from, shape), kind("offset").output(to, shape)}, 0));
}

TEST_F(Rows, CopiesOfThreeAxesAreExact) {
  const std::vector<std::int64_t> three{3, 33, 70};
  for (const std::vector<std::int64_t>& strides :
       {std::vector<std::int64_t>{33 * 70, 70, 1}, {33 * 70, 1, 33}, {1, 210, 3}, {70, 210, 1}, {0, 1, 33}})
    for (const DType dtype : {DType::f32, DType::u8})
      ASSERT_TRUE(
          agrees("copy_3d", {{dtype, three, strides}, {dtype, three, {33 * 70, 70, 1}, 0, true}}, 0, Values::bits));
}

}  // namespace
}  // namespace tilejit::test
