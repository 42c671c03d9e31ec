#include <tilejit/generator/problem.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include <tilejit/generator/error.h>

#include "tests/generator/template_text.h"

namespace tilejit {
namespace {

using test::fixture_template;
using testing::ElementsAre;

TensorProblem tensor(DType dtype, std::vector<std::int64_t> shape, std::vector<std::int64_t> strides, int align = 16) {
  TensorProblem problem;
  problem.dtype = dtype;
  problem.rank = static_cast<int>(shape.size());
  std::copy(shape.begin(), shape.end(), problem.shape.begin());
  std::copy(strides.begin(), strides.end(), problem.strides.begin());
  problem.address_align = align;
  return problem;
}

std::string error_of(const Template& kernel, const Problem& problem) {
  try {
    sizes_of(kernel, problem);
    return "no error";
  } catch (const InvalidArgument& error) {
    return error.what();
  }
}

/// Every place where a vector of `align` bytes may start, by walking the whole tensor: each index of the other axes,
/// and along the unit axis each index that is a multiple of the vector. A vector must be aligned and lie within the
/// extent.
bool vectors_fit(const TensorProblem& tensor, int align, std::int64_t address) {
  const auto size = static_cast<std::int64_t>(size_of(tensor.dtype)), elements = align / size;
  const int unit = unit_stride_axis(tensor);
  std::array<std::int64_t, max_rank> index{};
  for (;;) {
    std::int64_t place = address;
    for (int axis = 0; axis < tensor.rank; ++axis)
      place += index[static_cast<std::size_t>(axis)] * tensor.strides[static_cast<std::size_t>(axis)] * size;
    if (std::abs(place) % align != 0) return false;
    if (unit >= 0 && index[static_cast<std::size_t>(unit)] + elements > tensor.shape[static_cast<std::size_t>(unit)])
      return false;
    int axis = 0;
    for (; axis < tensor.rank; ++axis) {
      std::int64_t& i = index[static_cast<std::size_t>(axis)];
      i += axis == unit ? elements : 1;
      if (i < tensor.shape[static_cast<std::size_t>(axis)]) break;
      i = 0;
    }
    if (axis == tensor.rank) return true;
  }
}

TEST(AlignmentClass, IsTheLargestThatEveryVectorStartPermits) {
  int classes[17] = {};
  for (DType dtype : {i8, f16, f32, f64})
    for (std::int64_t rows : {1, 2, 3})
      for (std::int64_t columns : {1, 2, 3, 4, 6, 8, 12, 16, 32})
        for (std::int64_t pitch : {-16, -4, -1, 0, 1, 2, 3, 4, 6, 8, 16, 32})
          for (std::int64_t other : {1, 5, 8})
            for (bool transposed : {false, true})
              for (int align : {1, 2, 4, 8, 16}) {
                const int size = static_cast<int>(size_of(dtype));
                if (align < size) continue;
                TensorProblem t = tensor(dtype, {rows, columns}, {pitch, other}, align);
                if (transposed) t = tensor(dtype, {columns, rows}, {other, pitch}, align);
                const int found = alignment_class(t, "x");
                const std::int64_t address = 1024 * 1024 + (align == 16 ? 0 : align);
                ASSERT_TRUE(vectors_fit(t, found, address)) << found;
                ++classes[found];
                if (unit_stride_axis(t) < 0) {
                  ASSERT_EQ(found, size);
                } else if (found < 16) {
                  // A tensor without elements along an axis has no vector to misplace, so the class may be smaller
                  // there.
                  ASSERT_FALSE(vectors_fit(t, 2 * found, address))
                      << name_of(dtype) << " " << rows << "x" << columns << " pitch " << pitch << " align " << align;
                }
              }
  for (int each : {1, 2, 4, 8, 16}) EXPECT_GT(classes[each], 0) << each;
}

TEST(AlignmentClass, ThreeAxesAllCount) {
  EXPECT_EQ(alignment_class(tensor(f32, {5, 6, 8}, {64, 8, 1}), "x"), 16);
  EXPECT_EQ(alignment_class(tensor(f32, {5, 6, 8}, {66, 8, 1}), "x"), 8);
  EXPECT_EQ(alignment_class(tensor(f32, {1, 6, 8}, {67, 8, 1}), "x"), 16) << "an axis of extent 1 does not count";
  EXPECT_EQ(alignment_class(tensor(f32, {5, 6, 7}, {64, 8, 1}), "x"), 4) << "the extent counts";
  EXPECT_EQ(alignment_class(tensor(bf16, {4, 4096}, {0, 1}), "x"), 16) << "stride 0 is a multiple of everything";
  EXPECT_EQ(alignment_class(tensor(f64, {4, 4}, {(1ll << 61) + 2, 1}), "x"), 16) << "bytes beyond 64 bits";
}

TEST(AlignmentClass, AnAddressBelowTheDtypesSizeIsRefusedByName) {
  try {
    alignment_class(tensor(f32, {4}, {1}, 2), "weights");
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "weights: the address is aligned to 2 bytes, an element of f32 needs 4");
  }
}

TEST(UnitStrideAxis, IsTheLastOfStrideOneAndLengthOrALastAxisOfOne) {
  EXPECT_EQ(unit_stride_axis(tensor(f32, {3, 4}, {4, 1})), 1);
  EXPECT_EQ(unit_stride_axis(tensor(f32, {4, 3}, {1, 4})), 0);
  EXPECT_EQ(unit_stride_axis(tensor(f32, {3, 4}, {1, 1})), 1);
  EXPECT_EQ(unit_stride_axis(tensor(f32, {3, 4}, {8, 2})), -1);
  EXPECT_EQ(unit_stride_axis(tensor(f32, {4096, 1}, {1, 1})), 0);
  EXPECT_EQ(unit_stride_axis(tensor(f32, {4096, 1}, {8192, 8192})), 1) << "a column of a row-major matrix";
  EXPECT_EQ(unit_stride_axis(tensor(f32, {1, 4096}, {1, 2})), -1);
  EXPECT_EQ(unit_stride_axis(tensor(f32, {1, 1}, {7, 9})), 1);
  EXPECT_EQ(unit_stride_axis(tensor(f32, {}, {})), -1);
}

TEST(SettledStrides, AnAxisOfOneHasItsContiguousStride) {
  const auto settled = [](const TensorProblem& t) {
    const auto strides = settled_strides(t);
    return std::vector<std::int64_t>(strides.begin(), strides.begin() + t.rank);
  };
  EXPECT_THAT(settled(tensor(f32, {1, 4096}, {77, 1})), ElementsAre(4096, 1));
  EXPECT_THAT(settled(tensor(f32, {1, 4096}, {0, 2})), ElementsAre(8192, 2));
  EXPECT_THAT(settled(tensor(f32, {4096, 1}, {8192, 8192})), ElementsAre(8192, 1));
  EXPECT_THAT(settled(tensor(f32, {1, 1, 1}, {0, -5, 9})), ElementsAre(1, 1, 1));
  EXPECT_THAT(settled(tensor(f32, {2, 1, 3}, {-6, 0, 1})), ElementsAre(-6, 3, 1));
}

TEST(SizesOf, SizesComeFromTheShapes) {
  const Template kernel = fixture_template("copy_2d.cuh");
  EXPECT_THAT(sizes_of(kernel, {{tensor(f32, {3, 4}, {4, 1}), tensor(f32, {3, 4}, {1, 3})}, {}}), ElementsAre(3, 4));
}

TEST(SizesOf, ADisagreementNamesBothTensorsAndAxes) {
  const Template kernel = fixture_template("copy_2d.cuh");
  EXPECT_EQ(error_of(kernel, {{tensor(f32, {3, 4}, {4, 1}), tensor(f32, {4, 3}, {3, 1})}, {}}),
            "copy_2d: M is 3 by axis 0 of x (3, 4) and 4 by axis 0 of y (4, 3)");
}

TEST(SizesOf, WhatDoesNotFitIsRefusedByName) {
  const Template kernel = fixture_template("copy_2d.cuh");
  const TensorProblem x = tensor(f32, {3, 4}, {4, 1});
  EXPECT_EQ(error_of(kernel, {{x}, {}}), "copy_2d takes 2 tensors, 1 were given");
  EXPECT_EQ(error_of(kernel, {{x, x}, {f32}}), "copy_2d takes 0 scalars, 1 were given");
  EXPECT_EQ(error_of(kernel, {{x, tensor(f32, {12}, {1})}, {}}),
            "copy_2d: y has 1 axes (12); 2 axes (M, N) are declared");
  EXPECT_EQ(error_of(kernel, {{x, tensor(bf16, {3, 4}, {4, 1})}, {}}),
            "copy_2d: y is bf16; it must have the dtype of x, which is f32");
  TensorProblem absent;
  absent.present = false;
  EXPECT_EQ(error_of(kernel, {{x, absent}, {}}), "copy_2d: y is missing, and it is not optional");
}

TEST(SizesOf, DtypesFixedExtentsAndOptionalTensorsAreKept) {
  const std::string source = test::with(test::fixture("every_key.cuh"), "shape = [\"N\"]", "shape = [7]");
  const Template kernel = test::template_of(source, "every_key.cuh");
  const auto problem = [&](DType dtype, std::int64_t bias, bool present) {
    TensorProblem c = tensor(f32, {bias}, {1});
    c.present = present;
    return Problem{
        {tensor(dtype, {64, 32}, {32, 1}), tensor(dtype, {32, 128}, {128, 1}), c, tensor(f32, {64, 128}, {128, 1})},
        {f32, i32}};
  };
  EXPECT_EQ(error_of(kernel, problem(f16, 7, true)), "no error");
  EXPECT_EQ(error_of(kernel, problem(f16, 0, false)), "no error");
  EXPECT_EQ(error_of(kernel, problem(f16, 8, true)), "every_key: axis 0 of bias is 8 long; 7 is declared");
  EXPECT_EQ(error_of(kernel, problem(f32, 7, true)), "every_key: a is f32; it may be f16, bf16");
  EXPECT_THAT(sizes_of(kernel, problem(f16, 7, true)), ElementsAre(64, 32, 128));
}

}  // namespace
}  // namespace tilejit
