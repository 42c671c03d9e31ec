// matmul over layouts, tails, dtypes and epilogues, against a reference in double, on outputs that hold NaN before. The
// bound is on the relative Frobenius error.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include <tilejit/tests/templates/device_fixture.h>

#include "../message.h"
#include "matmul_case.h"

namespace tilejit::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Matmul : public DeviceTest {
 protected:
  static testing::AssertionResult computes(const Matrix& a, const Matrix& b, const Matrix& c, const Extra& extra = {}) {
    const JitFunction matmul = jit().function("matmul");
    return computes_product(device(), a, b, c, extra, [&](StreamRef stream, const ProductViews& views) {
      matmul(stream, views.a, views.b, views.c, views.bias, views.residual, extra.alpha, extra.beta, extra.activation,
             extra.precision);
    });
  }
};

struct Shape3 {
  std::int64_t m, n, k;
};
const Shape3 odd{37, 70, 21}, even{64, 72, 40};

TEST_F(Matmul, EveryPairOfMajorsWithTailsInAllThreeSizes) {
  for (const Lie& a : {plain, turned})
    for (const Lie& b : {plain, turned})
      for (const Shape3& s : {odd, even})
        EXPECT_TRUE(computes({f32, s.m, s.k, a}, {f32, s.k, s.n, b}, {f32, s.m, s.n}))
            << a.name << " " << b.name << " " << s.m;
}

TEST_F(Matmul, StridesOfEveryKindOnEachOperand) {
  for (const Lie& lie : {padded, stepped, shifted, repeated})
    EXPECT_TRUE(computes({f32, 37, 21, lie}, {f32, 21, 70}, {f32, 37, 70})) << "a " << lie.name;
  for (const Lie& lie : {stepped, shifted})
    EXPECT_TRUE(computes({f32, 37, 21}, {f32, 21, 70, lie}, {f32, 37, 70})) << "b " << lie.name;
  for (const Lie& lie : {turned, padded, stepped, shifted})
    EXPECT_TRUE(computes({f32, 37, 21}, {f32, 21, 70}, {f32, 37, 70, lie})) << "c " << lie.name;
}

TEST_F(Matmul, SizesOfOneAndNothing) {
  for (const Shape3& s : {Shape3{1, 1, 1}, Shape3{1, 70, 21}, Shape3{37, 1, 21}, Shape3{37, 70, 1}, Shape3{37, 70, 0},
                          Shape3{0, 70, 21}, Shape3{37, 0, 21}})
    EXPECT_TRUE(computes({f32, s.m, s.k}, {f32, s.k, s.n}, {f32, s.m, s.n})) << s.m << " " << s.n << " " << s.k;
}

TEST_F(Matmul, EveryPairOfDtypes) {
  const std::vector<std::pair<DType, std::vector<DType>>> pairs{
      {f64, {f64, f32}}, {f32, {f32, f16}}, {f16, {f16, f32}}, {bf16, {bf16, f32}},
      {i8, {i32}},       {i32, {i32, i64}}, {i64, {i64}}};
  for (const auto& [from, results] : pairs)
    for (const DType to : results)
      EXPECT_TRUE(computes({from, 37, 21}, {from, 21, 70, turned}, {to, 37, 70}))
          << name_of(from) << " " << name_of(to);
}

TEST_F(Matmul, TensorCoresTakeEveryMajorTailAndAlignment) {
  for (const auto& [dtype, precision] : {std::pair{bf16, Precision::full}, std::pair{f32, Precision::tf32}}) {
    const Extra extra{.precision = precision};
    for (const Lie& a : {plain, turned})
      for (const Lie& b : {plain, turned})
        EXPECT_TRUE(computes({dtype, 88, 72, a}, {dtype, 72, 136, b}, {f32, 88, 136}, extra))
            << a.name << " " << b.name;
    EXPECT_TRUE(computes({dtype, 37, 21, shifted}, {dtype, 21, 70, turned}, {dtype, 37, 70}, extra));
    EXPECT_TRUE(computes({dtype, 37, 70, stepped}, {dtype, 70, 21, padded}, {dtype, 37, 21, turned}, extra));
    EXPECT_TRUE(computes({dtype, 65, 33, repeated}, {dtype, 33, 66}, {dtype, 65, 66, stepped}, extra));
  }
}

TEST_F(Matmul, TensorCoresFinishTheSameWay) {
  EXPECT_TRUE(computes({bf16, 37, 40}, {bf16, 40, 70}, {bf16, 37, 70},
                       {.bias = Matrix{f32, 1, 70},
                        .residual = Matrix{bf16, 37, 70},
                        .alpha = 0.5,
                        .beta = 2,
                        .activation = Activation::gelu}));
}

TEST_F(Matmul, EpiloguesInTheOrderThatIsDocumented) {
  const Matrix a{f32, 37, 21}, b{f32, 21, 70}, c{f32, 37, 70}, full{bf16, 37, 70, turned};
  EXPECT_TRUE(computes(a, b, c, {.alpha = 0.5, .beta = -2}));
  EXPECT_TRUE(computes(a, b, c, {.bias = Matrix{f32, 1, 70}, .activation = Activation::relu}));
  EXPECT_TRUE(computes(a, b, c, {.bias = Matrix{f16, 37, 1}, .residual = full, .activation = Activation::gelu}));
  EXPECT_TRUE(
      computes(a, b, {f16, 37, 70, turned}, {.residual = full, .alpha = 3, .beta = 1, .activation = Activation::silu}));
  EXPECT_TRUE(computes({i32, 5, 7}, {i32, 7, 9}, {i32, 5, 9},
                       {.bias = Matrix{i32, 5, 9}, .alpha = -3, .beta = 2, .activation = Activation::relu}));
}

TEST_F(Matmul, ABiasOfOneAxisIsARow) {
  const Tensor a = device().copy_of(std::vector<float>{1, 2, 3, 4}, {2, 2});
  const Tensor b = device().copy_of(std::vector<float>{5, 6, 7, 8}, {2, 2});
  const Tensor bias = device().copy_of(std::vector<float>{100, 200}, {2}), c = device().empty(f32, {2, 2});
  const Stream stream = device().stream();
  jit().function("matmul")(stream, a, b, c, bias);
  EXPECT_THAT(c.to_host<float>(stream), testing::ElementsAre(119, 222, 143, 250));
  jit().function("matmul")(stream, a, b, c, nullptr, c);  // in place: c += a b
  EXPECT_THAT(c.to_host<float>(stream), testing::ElementsAre(138, 244, 186, 300));
}

TEST_F(Matmul, NaNAndInfinityAreCarriedAndBetaZeroNeverReads) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  std::vector<float> left(33 * 20, 1), right(20 * 40, 1);
  left[3 * 20 + 4] = nan;
  left[5 * 20 + 19] = infinity;
  right[7 * 40 + 39] = -infinity;
  const Tensor a = device().copy_of(left, {33, 20}), b = device().copy_of(right, {20, 40});
  const Tensor c = device().copy_of(std::vector<float>(33 * 40, nan), {33, 40});
  const Stream stream = device().stream();
  jit().function("matmul")(stream, a, b, c, nullptr, nullptr, 1.0, 0.0, Activation::relu);
  const std::vector<float> found = c.to_host<float>(stream);
  for (int row = 0; row < 33; ++row)
    for (int col = 0; col < 40; ++col) {
      const float x = found[std::size_t(row * 40 + col)];
      if (row == 3 || (row == 5 && col == 39))
        EXPECT_TRUE(std::isnan(x)) << row << " " << col << ": " << x;
      else
        EXPECT_EQ(x, row == 5 ? infinity : col == 39 ? 0 : 20) << row << " " << col;
    }
}

class MatmulRefusals : public Matmul {
 protected:
  template <class... Args>
  std::string refusal(const Args&... args) {
    return message_of<InvalidArgument>([&] { jit().function("matmul")(nullptr, args...); });
  }
};

TEST_F(MatmulRefusals, ShapesThatDoNotMultiplyNameBothTensorsAndAxes) {
  const auto make = [&](std::int64_t m, std::int64_t n) { return device().empty(f32, {m, n}); };
  EXPECT_THAT(refusal(make(3, 5), make(6, 7), make(3, 7)),
              AllOf(HasSubstr("axis 1 of a is 5 long, axis 0 of b is 6"), HasSubstr("c is f32 (3, 7)")));
  EXPECT_THAT(refusal(make(3, 5), make(5, 7), make(4, 7)), HasSubstr("axis 0 of a is 3 long, axis 0 of c is 4"));
  EXPECT_THAT(refusal(make(3, 5), make(5, 7), make(3, 8)), HasSubstr("axis 1 of b is 7 long, axis 1 of c is 8"));
  EXPECT_THAT(refusal(device().empty(f32, {3}), make(5, 7), make(3, 7)), HasSubstr("a has 1 axes"));
  EXPECT_THAT(refusal(make(3, 5), make(5, 7), make(3, 7), device().empty(f32, {3})), HasSubstr("bias is a row (N)"));
  EXPECT_THAT(refusal(make(3, 5), make(5, 7), make(3, 7), nullptr, make(7, 3)), HasSubstr("residual has c's shape"));
}

TEST_F(MatmulRefusals, OutputsThatOverlapAnOperand) {
  const Tensor x = device().empty(f32, {8, 8}), y = device().empty(f32, {8, 8});
  EXPECT_THAT(refusal(x, y, x), HasSubstr("c is written and overlaps a"));
  EXPECT_THAT(refusal(y, x, x.t()), HasSubstr("c is written and overlaps b"));
  EXPECT_THAT(refusal(y, y, x, nullptr, x.t()), HasSubstr("or exactly residual's"));
  EXPECT_THAT(refusal(x, x, TensorView(y.data(), f32, {8, 8}, {0, 1})), HasSubstr("share memory"));
}

TEST_F(MatmulRefusals, DtypesListThePairsThatExist) {
  const Tensor x = device().empty(f32, {8, 8}), y = device().empty(f16, {8, 8}), z = device().empty(i32, {8, 8});
  EXPECT_THAT(refusal(x, y, x), AllOf(HasSubstr("no f32 x f16 -> f32"), HasSubstr("f32 x f32 -> f32 f64 f16 bf16")));
  EXPECT_THAT(refusal(x, x, z), HasSubstr("no f32 x f32 -> i32"));
  EXPECT_THAT(refusal(z, z, device().empty(i32, {8, 8}), nullptr, nullptr, 0.5), HasSubstr("alpha is 0.5"));
  EXPECT_THAT(refusal(y, y, device().empty(f16, {8, 8}), nullptr, nullptr, 1, 0, 0, Precision::tf32),
              HasSubstr("tf32 is for f32"));
  EXPECT_THAT(refusal(x, x, device().empty(f32, {8, 8}), nullptr, nullptr, 1, 0, 4),
              HasSubstr("none, relu, gelu, silu"));
}

}  // namespace
}  // namespace tilejit::test
