#include <tilejit/runtime/ops/rows.h>

#include <gmock/gmock.h>

#include <tilejit/generator/dtype.h>

namespace tilejit {
namespace {

using testing::ElementsAre;

void* const somewhere = reinterpret_cast<void*>(0x100000);

TEST(Rows, NeighbouringAxesBecomeRowsAndColumns) {
  const TensorView x(somewhere, f32, {2, 3, 4, 5});
  const auto matrix = as_matrix(x, 0b1100);
  ASSERT_TRUE(matrix);
  EXPECT_THAT(matrix->shape(), ElementsAre(6, 20));
  EXPECT_THAT(matrix->strides(), ElementsAre(20, 1));
}

TEST(Rows, LeadingAxesMayBeTheColumns) {
  const auto matrix = as_matrix(TensorView(somewhere, f32, {2, 3, 4, 5}), 0b0011);
  ASSERT_TRUE(matrix);
  EXPECT_THAT(matrix->shape(), ElementsAre(20, 6));
  EXPECT_THAT(matrix->strides(), ElementsAre(1, 20));
}

TEST(Rows, AxesThatOneStrideDoesNotWalkAreNoMatrix) {
  EXPECT_FALSE(as_matrix(TensorView(somewhere, f32, {2, 3, 4}), 0b101));
  EXPECT_FALSE(as_matrix(TensorView(somewhere, f32, {2, 3, 4}, {24, 8, 1}).transpose(0, 1), 0b100));
  EXPECT_TRUE(as_matrix(TensorView(somewhere, f32, {2, 3, 4}, {24, 8, 1}), 0b100));  // padded rows
}

TEST(Rows, NoAxisOnASideIsOneRowOrColumn) {
  const TensorView x(somewhere, f32, {2, 3});
  EXPECT_THAT(as_matrix(x, 0b11)->shape(), ElementsAre(1, 6));
  EXPECT_THAT(as_matrix(x, 0)->shape(), ElementsAre(6, 1));
  EXPECT_THAT(as_matrix(TensorView(somewhere, f32, std::span<const std::int64_t>{}), 0)->shape(), ElementsAre(1, 1));
}

TEST(Rows, ExtentsOfOneDoNotMatterWhateverTheirStride) {
  const auto matrix = as_matrix(TensorView(somewhere, f32, {1, 3, 1, 4}, {7, 4, INT64_C(1) << 40, 1}), 0b1000);
  ASSERT_TRUE(matrix);
  EXPECT_THAT(matrix->strides(), ElementsAre(4, 1));
}

TEST(Rows, ThePackedMatrixHasTheColumnsInnermost) {
  const TensorView packed = packed_over(TensorView(somewhere, f32, {2, 3, 4}), 0b101);
  EXPECT_THAT(packed.strides(), ElementsAre(4, 8, 1));
}

}  // namespace
}  // namespace tilejit
