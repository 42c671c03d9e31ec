#include <tilejit/runtime/ops/axes.h>

#include <gmock/gmock.h>

#include <tilejit/generator/dtype.h>

namespace tilejit {
namespace {

using testing::ElementsAre;

void* const somewhere = reinterpret_cast<void*>(0x100000);

Axes simplified(const TensorView& from, const TensorView& to) {
  const TensorView* const views[] = {&from, &to};
  Axes axes = Axes::over(to.shape(), views);
  axes.simplify(1);
  return axes;
}

TEST(Axes, ContiguousPairsBecomeOne) {
  const TensorView x(somewhere, f32, {4, 5, 6, 7});
  const Axes axes = simplified(x, x);
  EXPECT_EQ(axes.rank, 1);
  EXPECT_EQ(axes.extents[0], 840);
  EXPECT_EQ(axes.operands[0].strides[0], 1);
}

TEST(Axes, TheSamePermutationOnBothSidesIsOneToo) {
  const TensorView x(somewhere, f32, {4, 5, 6, 7});
  EXPECT_EQ(simplified(x.permute({3, 1, 0, 2}), x.permute({3, 1, 0, 2})).rank, 1);
}

TEST(Axes, TransposesStayTwo) {
  const TensorView x(somewhere, f32, {2, 3, 4, 5}), y(somewhere, f32, {4, 5, 2, 3});
  const Axes axes = simplified(x.permute({2, 3, 0, 1}), y);
  EXPECT_EQ(axes.rank, 2);
  EXPECT_THAT(axes.layout(0, f32).shape(), ElementsAre(20, 6));
  EXPECT_THAT(axes.layout(0, f32).strides(), ElementsAre(1, 20));
  EXPECT_THAT(axes.layout(1, f32).strides(), ElementsAre(6, 1));
}

TEST(Axes, AxesAlongWhichTheLeaderGoesBackwardsAreTurnedAround) {
  const TensorView x(somewhere, f32, {10}), back = x.slice(0, 9, -11, -1);
  const Axes axes = simplified(x, back);
  EXPECT_EQ(axes.operands[1].strides[0], 1);
  EXPECT_EQ(axes.operands[1].offset, -9);
  EXPECT_EQ(axes.operands[0].strides[0], -1);
  EXPECT_EQ(axes.operands[0].offset, 9);
}

TEST(Axes, ExtentsOfOneAndMissingAxesRepeatWhateverTheirStride) {
  const TensorView x(somewhere, f32, {1, 4}, {INT64_C(1) << 40, 1}), y(somewhere, f32, {3, 5, 4});
  const Axes axes = simplified(x, y);
  EXPECT_THAT(axes.layout(0, f32).shape(), ElementsAre(15, 4));
  EXPECT_THAT(axes.layout(0, f32).strides(), ElementsAre(0, 1));
}

TEST(Axes, NothingIsLeftOfOneElement) {
  const TensorView x(somewhere, f32, {1, 1}, {77, -3});
  Axes axes = simplified(x, x);
  EXPECT_EQ(axes.rank, 0);
  axes.require(2);
  EXPECT_THAT(axes.layout(0, f32).shape(), ElementsAre(1, 1));
}

TEST(Axes, GapsAreNotFolded) {
  const TensorView padded(somewhere, f32, {4, 5}, {8, 1}), y(somewhere, f32, {4, 5});
  EXPECT_EQ(simplified(padded, y).rank, 2);
  EXPECT_EQ(simplified(padded, padded).rank, 2);
}

}  // namespace
}  // namespace tilejit
