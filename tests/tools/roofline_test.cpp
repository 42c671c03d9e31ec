#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilejit/tools/roofline.h>

namespace tilejit::tool {
namespace {

using testing::HasSubstr;

TEST(Roofline, SaysWhichSideOfTheRidgeACallIsOn) {
  // 8192^3 in bf16: 2 * 8192^3 FLOP, three matrices of 128 MB.
  const auto large = roofline("bf16", 3 * 8192LL * 8192 * 2, 2 * 8192LL * 8192 * 8192, "sm_90a");
  ASSERT_TRUE(large.has_value());
  EXPECT_NEAR(large->intensity(), 8192.0 / 3, 1e-9);
  EXPECT_NEAR(large->ridge(), 206.1, 0.1);
  EXPECT_TRUE(large->bound_by_arithmetic());
  EXPECT_THAT(to_text(*large), HasSubstr("2730.7 FLOP a byte; the ridge of H200 is 206.1"));
  EXPECT_THAT(to_text(*large), HasSubstr("bound by arithmetic"));
  EXPECT_NEAR(large->least_seconds(), 2 * 8192.0 * 8192 * 8192 / 989.5e12, 1e-9);

  const auto thin = roofline("bf16", 2 * (2 * 8192LL * 128 + 8192LL * 8192), 2 * 8192LL * 8192 * 128, "sm_90a");
  EXPECT_FALSE(thin->bound_by_arithmetic());
  EXPECT_THAT(json_of(*thin), HasSubstr("\"bound_by\":\"memory\""));
}

TEST(Roofline, ArchsThatAreNotListedHaveTheOneBelow) {
  EXPECT_EQ(roofline("f32", 1, 1, "sm_103a")->device, "B200");
  EXPECT_EQ(roofline("f32", 1, 1, "compute_80")->device, "A100 80GB");
}

TEST(Roofline, WithoutWorkOrAFigureThereIsNone) {
  EXPECT_FALSE(roofline("bf16", 0, 8, "sm_90a").has_value());
  EXPECT_FALSE(roofline("bf16", 8, 0, "sm_90a").has_value());
  EXPECT_FALSE(roofline("bool", 8, 8, "sm_90a").has_value());
}

}  // namespace
}  // namespace tilejit::tool
