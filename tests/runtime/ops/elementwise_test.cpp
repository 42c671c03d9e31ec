// What the elementwise ops compute, over views that fold, turn, repeat and go backwards.
#include <gmock/gmock.h>

#include <cmath>

#include <tilejit/generator/formula.h>
#include <tilejit/tests/runtime/ops/op_case.h>
#include <tilejit/tests/templates/device_fixture.h>
#include <tilejit/tools/reference/formula_value.h>

namespace tilejit::test {
namespace {

using tool::HostTensor;

class Elementwise : public DeviceTest {
 protected:
  testing::AssertionResult computes(const std::string& formula, const std::vector<Operand>& operands,
                                    const Closeness& closeness = {}, bool positive = false) {
    const JitFunction function = jit().elementwise(formula);
    return holds(
        device(), operands, random_,
        [&](StreamRef stream, const std::vector<TensorView>& views) {
          const std::vector<Argument> arguments(views.begin(), views.end());
          function.call(stream, arguments);
        },
        [&](std::vector<HostTensor>& tensors) {
          std::vector<tool::FormulaInput> inputs;
          for (std::size_t i = 0; i + 1 < tensors.size(); ++i) inputs.push_back({tensors[i], std::nullopt});
          tool::elementwise(Formula::parse(formula), inputs, tensors.back());
        },
        closeness, positive);
  }
  std::mt19937 random_{7};
};

TEST_F(Elementwise, SeedTransposedCopyUsesRealStrides) {
  const Tensor x = device().copy_of(std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {3, 4});
  const Tensor y = device().empty(i32, {4, 3});
  const Stream stream = device().stream();
  jit().function("copy")(stream, x.t(), y);
  EXPECT_EQ(y.to_host<int>(stream), (std::vector<int>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
}

TEST_F(Elementwise, CopiesTurnAnyTwoOfSixAxes) {
  const std::vector<std::int64_t> shape{2, 3, 4, 3, 5, 7};
  const Operand x = contiguous(f32, shape);
  for (std::size_t a = 0; a < 6; ++a)
    for (std::size_t b = a + 1; b < 6; ++b) {
      Operand turned = x;
      std::swap(turned.shape[a], turned.shape[b]);
      std::swap(turned.strides[a], turned.strides[b]);
      ASSERT_TRUE(computes("y = x", {turned, contiguous(f32, turned.shape, true)})) << a << " " << b;
    }
}

TEST_F(Elementwise, LongRowsOfNarrowElementsBeginAtAnyAddress) {
  for (const DType dtype : {u8, f16}) {
    const Operand straight{dtype, {3, 5001}, {5003, 1}};
    ASSERT_TRUE(computes("y = x", {straight, contiguous(dtype, {3, 5001}, true)}));
    ASSERT_TRUE(computes("y = x", {contiguous(dtype, {70001}), contiguous(dtype, {70001}, true)}));
  }
  // Onto itself: programs read what others write, which is what stands there already.
  const Tensor x = device().copy_of(std::vector<std::uint8_t>(5001, 7), {5001});
  const Stream stream = device().stream();
  jit().function("copy")(stream, x, x);
  EXPECT_EQ(x.to_host<std::uint8_t>(stream), std::vector<std::uint8_t>(5001, 7));
}

TEST_F(Elementwise, CopiesTakeRank0AndRank8) {
  ASSERT_TRUE(computes("y = x", {contiguous(f64, {}), contiguous(f64, {}, true)}));
  const Operand one = contiguous(u8, {});
  ASSERT_TRUE(computes("y = x", {one, contiguous(u8, {2, 1, 3, 2, 1, 2, 3, 2}, true)}));
  Operand x = contiguous(i16, {3, 2, 2, 3, 2, 2, 3, 5});
  for (std::size_t axis = 0; axis < 4; ++axis) {
    std::swap(x.shape[axis], x.shape[7 - axis]);
    std::swap(x.strides[axis], x.strides[7 - axis]);
  }
  ASSERT_TRUE(computes("y = x", {x, contiguous(i16, x.shape, true)}));
}

TEST_F(Elementwise, CastsBetweenAnyTwoDtypes) {
  for (const DType from : all_dtypes())
    for (const DType to : {f64, f32, bf16, f8e4m3, u8, i64, boolean})
      ASSERT_TRUE(computes("y = x", {contiguous(from, {3, 37}), contiguous(to, {3, 37}, true)}));
  for (const DType to : all_dtypes())
    ASSERT_TRUE(computes("y = x", {contiguous(f32, {3, 37}), contiguous(to, {3, 37}, true)}));
}

TEST_F(Elementwise, BiasesBroadcastAsRowsColumnsAndScalars) {
  const Operand x = contiguous(f32, {37, 130}), z = contiguous(f32, {37, 130}, true);
  for (const std::vector<std::int64_t>& shape :
       std::vector<std::vector<std::int64_t>>{{130}, {1, 130}, {37, 1}, {1, 1}, {1}, {}})
    ASSERT_TRUE(computes("z = x + y", {x, contiguous(f32, shape), z}));
  ASSERT_TRUE(
      computes("z = x + y", {contiguous(f32, {5, 1, 7}), contiguous(f32, {3, 1}), contiguous(f32, {5, 3, 7}, true)}));
}

TEST_F(Elementwise, NumbersAreRoundedOnceToTheComputeType) {
  const Tensor x = device().copy_of(std::vector<float>{1, 2, 3}, {3});
  const Tensor y = device().empty(f32, {3});
  const Stream stream = device().stream();
  const JitFunction scale = jit().elementwise("y = x * alpha + 1");
  scale(stream, x, 0.1, y);
  EXPECT_EQ(y.to_host<float>(stream), (std::vector<float>{1 * 0.1f + 1, 2 * 0.1f + 1, 3 * 0.1f + 1}));
  scale(stream, x, 2, y);  // an integer beside floats
  EXPECT_EQ(y.to_host<float>(stream), (std::vector<float>{3, 5, 7}));
  const Tensor n = device().empty(i64, {2});
  jit().function("fill")(stream, std::int64_t{1} << 60, n);
  EXPECT_EQ(n.to_host<std::int64_t>(stream), (std::vector<std::int64_t>(2, std::int64_t{1} << 60)));
}

TEST_F(Elementwise, IntegersAreExactAndWrapLikeTheOutput) {
  const std::int64_t big = (std::int64_t{1} << 53) + 1;
  const Tensor x = device().copy_of(std::vector<std::int64_t>{big, -big}, {2});
  const Tensor y = device().empty(i64, {2});
  const Stream stream = device().stream();
  jit().elementwise("y = x + 2 * (x > 0)")(stream, x, y);
  EXPECT_EQ(y.to_host<std::int64_t>(stream), (std::vector<std::int64_t>{big + 2, -big}));
  ASSERT_TRUE(computes("z = x * y", {contiguous(i8, {1000}), contiguous(i8, {1000}), contiguous(i8, {1000}, true)}));
}

TEST_F(Elementwise, EveryFunctionIsRightInFloatAndDouble) {
  for (const std::string& name : Formula::known_functions()) {
    const std::string formula = name == "where"                  ? "y = where(x > 0.5, x, -x)"
                                : name == "fma"                  ? "y = fma(x, x, x)"
                                : name == "min" || name == "max" ? "y = " + name + "(x, 0.5)"
                                : name == "pow"                  ? "y = pow(x, 1.5)"
                                                                 : "y = " + name + "(x)";
    for (const DType dtype : {f32, f64})
      ASSERT_TRUE(computes(formula, {contiguous(dtype, {300}), contiguous(dtype, {300}, true)},
                           dtype == f64 ? Closeness{1e-13, 1e-14} : Closeness{2e-6, 1e-7}, true))
          << formula;
  }
}

TEST_F(Elementwise, FusedFormulaBroadcastsAndMixesDtypes) {
  ASSERT_TRUE(computes(
      "out = gelu(x * alpha + bias)",
      {contiguous(bf16, {17, 96}), contiguous(f32, {17, 1}), contiguous(f32, {96}), contiguous(bf16, {17, 96}, true)},
      {1e-2, 1e-3}));
}

TEST_F(Elementwise, InPlaceIsTheSameAsApart) {
  const std::vector<float> host{-2, -1, 0, 1, 2, 3, 4};
  const Tensor x = device().copy_of(host, {7});
  const Stream stream = device().stream();
  jit().elementwise("y = x * x + 1")(stream, x, x);
  EXPECT_EQ(x.to_host<float>(stream), (std::vector<float>{5, 2, 1, 2, 5, 10, 17}));
}

TEST_F(Elementwise, NanGoesThroughMinMaxAndRelu) {
  const float nan = NAN;
  const Tensor x = device().copy_of(std::vector<float>{nan, 1, nan}, {3});
  const Tensor y = device().copy_of(std::vector<float>{1, nan, nan}, {3});
  const Tensor z = device().empty(f32, {3});
  const Stream stream = device().stream();
  for (const char* name : {"minimum", "maximum"}) {
    jit().function(name)(stream, x, y, z);
    for (const float value : z.to_host<float>(stream)) EXPECT_TRUE(std::isnan(value)) << name;
  }
  jit().function("relu")(stream, x, z);
  EXPECT_TRUE(std::isnan(z.to_host<float>(stream)[0]));
}

TEST_F(Elementwise, EmptyTensorsAreNoOperation) {
  const Tensor x = device().empty(f32, {0, 5}), y = device().empty(f32, {5, 0});
  jit().function("copy")(nullptr, x.t(), y);
  EXPECT_EQ(jit().function("add").bind(nullptr, x.t(), 1, y).workspace_bytes(), 0U);
}

TEST_F(Elementwise, WarmCallsAndBoundOnesLoadNothing) {
  const Tensor x = device().copy_of(std::vector<float>{1, 2, 3}, {3});
  const Tensor y = device().empty(f32, {3});
  const JitFunction copy = jit().function("copy");
  const Stream stream = device().stream();
  copy.prepare(stream, x, y);
  const unsigned long loads = jit().counters().loads;
  copy(stream, x, y);
  const BoundLaunch bound = copy.bind(stream, x, y);
  bound(stream);
  EXPECT_EQ(jit().counters().loads, loads);
  EXPECT_EQ(y.to_host<float>(stream), (std::vector<float>{1, 2, 3}));
}

TEST_F(Elementwise, ConfigsAreForTheMainStep) {
  const Tensor x = device().copy_of(std::vector<float>(3000, 2), {3000});
  const Tensor y = device().empty(f32, {3000});
  const Stream stream = device().stream();
  const JitFunction narrow = jit().function("neg").with_config({{"BLOCK_N", 512}, {"num_warps", 4}});
  narrow(stream, x, y);
  EXPECT_EQ(y.to_host<float>(stream), std::vector<float>(3000, -2));
  const Argument arguments[] = {x, y};
  EXPECT_EQ(narrow.choice(arguments).why, "set by the caller");
  EXPECT_EQ(narrow.choice(arguments).config.num_warps, 4);
}

}  // namespace
}  // namespace tilejit::test
