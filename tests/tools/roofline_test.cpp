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

TEST(Roofline, APeakOfTensorCoresIsForKernelsThatUseThem) {
  for (const char* dtype : {"f16", "bf16", "tf32", "i8", "f64"}) EXPECT_EQ(peak_of(dtype, true), dtype);
  EXPECT_EQ(peak_of("f32", true), "tf32");
  for (const char* dtype : {"f32", "tf32", "f16", "bf16", "f8e4m3", "f8e5m2"}) EXPECT_EQ(peak_of(dtype, false), "f32");
  for (const char* dtype : {"i8", "u8", "i16", "i32"}) EXPECT_EQ(peak_of(dtype, false), "i32");
  for (const char* dtype : {"f64", "i64", "bool"}) EXPECT_EQ(peak_of(dtype, false), dtype);
  EXPECT_DOUBLE_EQ(roofline(peak_of("f16", false), 1, 1, "sm_90a")->peak_flops, 66.9e12);
  EXPECT_DOUBLE_EQ(roofline(peak_of("f64", false), 1, 1, "sm_90a")->peak_flops, 33.5e12);
}

TEST(Roofline, WithoutWorkOrAFigureThereIsNone) {
  EXPECT_FALSE(roofline("bf16", 0, 8, "sm_90a").has_value());
  EXPECT_FALSE(roofline("bf16", 8, 0, "sm_90a").has_value());
  EXPECT_FALSE(roofline("bool", 8, 8, "sm_90a").has_value());
}

}  // namespace
}  // namespace tilejit::tool
