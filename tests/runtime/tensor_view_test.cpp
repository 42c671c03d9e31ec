#include <tilejit/runtime/tensor_view.h>

#include <gmock/gmock.h>

#include <tilejit/generator/error.h>

#include "message.h"

namespace tilejit {
namespace {

using test::message_of;
using testing::ElementsAre;
using testing::HasSubstr;

void* const somewhere = reinterpret_cast<void*>(0x10000);

template <class Call>
std::string refused(Call call) {
  return message_of<InvalidArgument>(call);
}

TEST(TensorView, WithoutStridesIsRowMajor) {
  const TensorView view(somewhere, f32, {2, 3, 4});
  EXPECT_THAT(view.strides(), ElementsAre(12, 4, 1));
  EXPECT_TRUE(view.is_contiguous());
  EXPECT_EQ(view.elements(), 24);
}

TEST(TensorView, OfEmptyShapeIsOneElement) {
  const TensorView view(somewhere, f32, {});
  EXPECT_EQ(view.rank(), 0);
  EXPECT_EQ(view.elements(), 1);
  EXPECT_EQ(view.byte_extent().end, 4);
}

TEST(TensorView, DefaultIsAbsentAndHoldsNothing) {
  const TensorView view;
  EXPECT_FALSE(view.present());
  EXPECT_EQ(view.elements(), 0);
  EXPECT_EQ(view.byte_extent().end, 0);
  EXPECT_FALSE(view.problem().present);
  EXPECT_EQ(view.to_string(), "absent");
}

TEST(TensorView, ContiguousIgnoresTheStridesOfExtentOneAndOfEmptyViews) {
  EXPECT_TRUE(TensorView(somewhere, f32, {3, 1, 4}, {4, 77, 1}).is_contiguous());
  EXPECT_TRUE(TensorView(somewhere, f32, {3, 0}, {9, 9}).is_contiguous());
  EXPECT_TRUE(TensorView(somewhere, f32, {0, 3}, {9, 9}).is_contiguous());
  EXPECT_FALSE(TensorView(somewhere, f32, {3, 4}, {5, 1}).is_contiguous());
  EXPECT_FALSE(TensorView(somewhere, f32, {3, 4}, {1, 3}).is_contiguous());
  EXPECT_FALSE(TensorView(somewhere, f32, {4}, {-1}).is_contiguous());
}

TEST(TensorView, ByteExtentReachesBothWaysFromTheFirstElement) {
  const TensorView view(somewhere, f64, {3, 4}, {-10, 2});
  EXPECT_EQ(view.byte_extent().lowest, -2 * 10 * 8);
  EXPECT_EQ(view.byte_extent().end, (3 * 2 + 1) * 8);
}

TEST(TensorView, ByteExtentOfAnEmptyViewIsNothing) {
  const TensorView view(somewhere, f64, {3, 0}, {-10, 2});
  EXPECT_EQ(view.byte_extent().lowest, 0);
  EXPECT_EQ(view.byte_extent().end, 0);
}

TEST(TensorView, RefusesNineAxes) {
  EXPECT_THAT(refused([] { TensorView(somewhere, f32, {1, 1, 1, 1, 1, 1, 1, 1, 1}); }), HasSubstr("9 axes"));
}

TEST(TensorView, RefusesANegativeExtentByAxis) {
  EXPECT_THAT(refused([] { TensorView(somewhere, f32, {3, -4}); }), HasSubstr("axis 1 of shape (3, -4)"));
}

TEST(TensorView, RefusesAnotherNumberOfStrides) {
  EXPECT_THAT(refused([] { TensorView(somewhere, f32, {3, 4}, {1}); }), HasSubstr("strides (1) are 1"));
}

TEST(TensorView, RefusesWhatInt64CannotReach) {
  const std::int64_t huge = std::int64_t(1) << 40;
  EXPECT_NE(refused([&] { TensorView(somewhere, f32, {huge, huge}); }), "");
  EXPECT_NE(refused([&] { TensorView(somewhere, f32, {huge, 4}, {huge, 1}); }), "");
  EXPECT_NE(refused([&] { TensorView(somewhere, f64, {2}, {INT64_MIN}); }), "");
  EXPECT_NE(refused([&] { TensorView(somewhere, f64, {2}, {INT64_MAX / 8}); }), "");
  EXPECT_NE(refused([&] { TensorView(somewhere, f32, {huge, huge}, {0, 0}); }), "") << "elements cannot be counted";
  EXPECT_EQ(refused([&] { TensorView(somewhere, f64, {2}, {INT64_MAX / 8 - 1}); }), "");
}

TEST(TensorView, AnEmptyViewMayHaveAnyExtents) {
  const std::int64_t huge = std::int64_t(1) << 62;
  const TensorView view(somewhere, f32, {huge, huge, 0}, {huge, huge, 1});
  EXPECT_EQ(view.elements(), 0);
  EXPECT_TRUE(view.is_contiguous());
  EXPECT_EQ(view.byte_extent().end, 0);
  EXPECT_EQ(view.select(0, huge - 1).elements(), 0);
  EXPECT_EQ(view.slice(0, 5, huge, huge / 2).size(0), 2);
  EXPECT_EQ(TensorView(somewhere, f32, {huge, huge, 0}).elements(), 0);
}

TEST(TensorView, SizesAndStridesCountFromTheEndToo) {
  const TensorView view(somewhere, f32, {2, 3, 4});
  EXPECT_EQ(view.size(-1), 4);
  EXPECT_EQ(view.stride(-3), 12);
  EXPECT_THAT(refused([&] { view.size(3); }), HasSubstr("no axis 3 in f32 (2, 3, 4) strides (12, 4, 1)"));
  EXPECT_NE(refused([&] { view.stride(-4); }), "");
}

TEST(TensorView, PrintsDtypeShapeAndStrides) {
  EXPECT_EQ(TensorView(somewhere, bf16, {3, 4}, {1, 3}).to_string(), "bf16 (3, 4) strides (1, 3)");
}

TEST(TensorView, ProblemSaysHowTheAddressIsAligned) {
  const auto align_at = [](std::uintptr_t address) {
    return TensorView(reinterpret_cast<void*>(address), u8, {4}).problem().address_align;
  };
  EXPECT_EQ(align_at(0x1000), 16);
  EXPECT_EQ(align_at(0x1008), 8);
  EXPECT_EQ(align_at(0x1004), 4);
  EXPECT_EQ(align_at(0x1002), 2);
  EXPECT_EQ(align_at(0x1001), 1);
  const TensorProblem problem = TensorView(somewhere, f16, {3, 4}, {8, -2}).problem();
  EXPECT_EQ(problem.rank, 2);
  EXPECT_EQ(problem.dtype, f16);
  EXPECT_EQ(problem.shape[1], 4);
  EXPECT_EQ(problem.strides[1], -2);
}

}  // namespace
}  // namespace tilejit
