#include <tilejit/generator/specialization.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include <tilejit/generator/error.h>

#include "tests/generator/template_text.h"

namespace tilejit {
namespace {

using test::fixture_template;
using testing::ElementsAre;
using testing::IsEmpty;
using Strides = std::vector<std::optional<std::int64_t>>;
constexpr std::nullopt_t dynamic = std::nullopt;

TensorProblem tensor(DType dtype, std::vector<std::int64_t> shape, std::vector<std::int64_t> strides, int align = 16) {
  TensorProblem problem;
  problem.dtype = dtype;
  problem.rank = static_cast<int>(shape.size());
  std::copy(shape.begin(), shape.end(), problem.shape.begin());
  std::copy(strides.begin(), strides.end(), problem.strides.begin());
  problem.address_align = align;
  return problem;
}

class SpecializationTest : public testing::Test {
 protected:
  Specialization of(const TensorProblem& x, const FixedStrides& fixed = {}) const {
    const std::int64_t rows = x.shape[0], columns = x.shape[1];
    return specialize(kernel, {{x, tensor(x.dtype, {rows, columns}, {columns + 64, 1})}, {}},
                      default_config(kernel.info), false, fixed);
  }
  std::string error_of(const TensorProblem& x, const FixedStrides& fixed) const {
    try {
      of(x, fixed);
      return "no error";
    } catch (const InvalidArgument& error) {
      return error.what();
    }
  }
  const Template kernel = fixture_template("copy_2d.cuh");
};

TEST_F(SpecializationTest, StridesZeroAndOneAreCompiledInAndTheOthersStayDynamic) {
  EXPECT_EQ(of(tensor(f32, {64, 64}, {64, 1})).tensors[0].strides, (Strides{dynamic, 1}));
  EXPECT_EQ(of(tensor(f32, {64, 64}, {1, 64})).tensors[0].strides, (Strides{1, dynamic}));
  EXPECT_EQ(of(tensor(f32, {64, 64}, {0, 1})).tensors[0].strides, (Strides{0, 1}));
  EXPECT_EQ(of(tensor(f32, {64, 64}, {-64, -1})).tensors[0].strides, (Strides{dynamic, dynamic}));
  EXPECT_EQ(of(tensor(f32, {64, 64}, {128, 2})).tensors[0].strides, (Strides{dynamic, dynamic}));
}

TEST_F(SpecializationTest, AnAxisOfOneMakesNoVariantOfItsOwn) {
  const TensorSpecialization rows = of(tensor(f32, {64, 64}, {64, 1})).tensors[0];
  for (std::int64_t stride : {0, 1, 64, 4096})
    EXPECT_EQ(of(tensor(f32, {1, 64}, {stride, 1})).tensors[0], rows) << stride;
  const TensorSpecialization columns = of(tensor(f32, {64, 64}, {1, 64})).tensors[0];
  for (std::int64_t stride : {0, 1, 64, 4096})
    EXPECT_EQ(of(tensor(f32, {64, 1}, {1, stride})).tensors[0], columns) << stride;
  EXPECT_EQ(of(tensor(f32, {64, 1}, {4096, 4096})).tensors[0].strides, rows.strides) << "a column of a matrix";
  EXPECT_EQ(of(tensor(f32, {1, 1}, {0, 0})).tensors[0].strides, rows.strides);
}

TEST_F(SpecializationTest, ShapesAndDynamicStridesMakeNoVariant) {
  std::set<Specialization> variants;
  for (std::int64_t rows : {16, 48, 4096})
    for (std::int64_t pitch : {64, 128, 1024}) variants.insert(of(tensor(f32, {rows, 64}, {pitch, 1})));
  EXPECT_EQ(variants.size(), 1u);
  variants.insert(of(tensor(f32, {16, 64}, {66, 1})));
  EXPECT_EQ(variants.size(), 2u) << "another alignment class";
  variants.insert(of(tensor(bf16, {16, 64}, {64, 1})));
  EXPECT_EQ(variants.size(), 3u) << "another dtype";
}

TEST_F(SpecializationTest, FixedStridesAreCompiledInAndAPromiseIsKept) {
  const FixedStrides whatever{{std::vector<std::int64_t>{}, std::nullopt}};
  const FixedStrides promise{{std::vector<std::int64_t>{4096, 1}, std::nullopt}};
  EXPECT_EQ(of(tensor(f32, {64, 64}, {4096, 1}), whatever).tensors[0].strides, (Strides{4096, 1}));
  EXPECT_EQ(of(tensor(f32, {64, 64}, {4096, 1}), whatever).tensors[1].strides, (Strides{dynamic, 1}));
  EXPECT_EQ(of(tensor(f32, {64, 64}, {-3, 7}), whatever).tensors[0].strides, (Strides{-3, 7}));
  EXPECT_EQ(of(tensor(f32, {1, 64}, {5, 1}), whatever).tensors[0].strides, (Strides{64, 1}));
  EXPECT_EQ(of(tensor(f32, {64, 64}, {4096, 1}), promise).tensors[0].strides, (Strides{4096, 1}));
  EXPECT_EQ(of(tensor(f32, {1, 64}, {5, 1}), promise).tensors[0].strides, (Strides{4096, 1}));
  EXPECT_EQ(error_of(tensor(f32, {64, 64}, {64, 1}), promise),
            "x: stride 4096 was promised for axis 0, this tensor has 64");
  EXPECT_EQ(error_of(tensor(f32, {64, 64}, {4096, 1}), {{std::vector<std::int64_t>{1}}}),
            "x: 1 strides were promised, the tensor has 2 axes");
}

TEST_F(SpecializationTest, ItIsAPrintableValue) {
  Specialization specialization = of(tensor(bf16, {64, 64}, {1, 64}));
  EXPECT_EQ(to_string(specialization),
            "copy_2d[bf16 (1, ?) align 16 unit 0; bf16 (?, 1) align 16 unit 1] BLOCK_M=64 BLOCK_N=64 num_warps=8 "
            "num_stages=1");
  const Specialization same = of(tensor(bf16, {32, 32}, {1, 32}));
  EXPECT_EQ(specialization, same);
  specialization.folded = true;
  EXPECT_NE(specialization, same);
  EXPECT_TRUE(same < specialization || specialization < same);
}

TEST(Specialization, ATensorThatMayGoEitherWayIsMappedWhereAMapCanDescribeItAndItsLastAxisIsTheUnitOne) {
  Template kernel = fixture_template("every_key.cuh");
  for (ArgumentInfo& argument : kernel.info.arguments)
    if (argument.name == "a") argument.via = Via::either;
  const auto of = [&](Strides strides, int align = 16) {
    const std::vector<std::int64_t> dense{*strides[0], *strides[1]};
    return specialize(kernel,
                      {{tensor(bf16, {64, 32}, dense, align), tensor(bf16, {32, 128}, {128, 1}),
                        tensor(bf16, {128}, {2}), tensor(f32, {64, 128}, {128, 1})},
                       {f32, i32}},
                      default_config(kernel.info), false)
        .tensors[0];
  };
  const TensorSpecialization mapped = of({32, 1});
  EXPECT_TRUE(mapped.mapped);
  EXPECT_EQ(mapped.align, 16);
  EXPECT_EQ(mapped.strides, (Strides{dynamic, 1}));
  EXPECT_EQ(mapped, of({4096, 1}));
  EXPECT_FALSE(of({33, 1}).mapped);
  EXPECT_FALSE(of({32, 1}, 8).mapped);
  EXPECT_FALSE(of({1, 64}).mapped);
  EXPECT_FALSE(of({64, 2}).mapped);
}

// The TMA unit cuts a store off at 16 bytes: found on an H200, where what follows an odd row was overwritten.
TEST(Specialization, AMapIsWrittenThroughOnlyWhereRowsAreWholePiecesOf16Bytes) {
  Template kernel = fixture_template("every_key.cuh");
  for (ArgumentInfo& argument : kernel.info.arguments)
    if (argument.name == "a") argument.via = Via::either, argument.access = Access::write;
  const auto mapped = [&](std::int64_t columns) {
    return specialize(kernel,
                      {{tensor(bf16, {64, columns}, {64, 1}), tensor(bf16, {columns, 128}, {128, 1}),
                        tensor(bf16, {128}, {2}), tensor(f32, {64, 128}, {128, 1})},
                       {f32, i32}},
                      default_config(kernel.info), false)
        .tensors[0]
        .mapped;
  };
  EXPECT_TRUE(mapped(32));
  EXPECT_TRUE(mapped(40));
  EXPECT_FALSE(mapped(33));
  EXPECT_FALSE(mapped(36));
}

TEST(Specialization, AnAbsentTensorAndATmaMapLeaveNothingOfTheirLayout) {
  const Template kernel = fixture_template("every_key.cuh");
  TensorProblem absent = tensor(f64, {}, {});
  absent.present = false;
  const auto of = [&](std::int64_t pitch, int align) {
    return specialize(kernel,
                      {{tensor(bf16, {64, 32}, {pitch, 1}, align), tensor(bf16, {32, 128}, {128, 1}), absent,
                        tensor(f32, {64, 128}, {128, 1})},
                       {f32, i32}},
                      default_config(kernel.info), false);
  };
  const Specialization specialization = of(32, 16);
  EXPECT_EQ(specialization, of(4096, 16));
  EXPECT_EQ(specialization.tensors[0].strides, (Strides{dynamic, dynamic}));
  EXPECT_EQ(specialization.tensors[0].unit_axis, 1);
  TensorSpecialization nothing;
  nothing.present = false;
  EXPECT_EQ(specialization.tensors[2], nothing);
  EXPECT_THAT(specialization.scalars, ElementsAre(f32, i32));
  try {
    of(33, 16);
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(),
                 "a goes through a TMA map: axis 0 has stride 33 (2 bytes an element); a map needs a multiple of 16 "
                 "bytes, more than 0 and less than 2^40");
  }
  EXPECT_THROW(of(32, 8), InvalidArgument);
}

}  // namespace
}  // namespace tilejit
