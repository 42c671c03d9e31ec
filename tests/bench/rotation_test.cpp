#include <tilejit/bench/rotation.h>

#include <gtest/gtest.h>

#include <tilejit/runtime/errors.h>

namespace tilejit::bench {
namespace {

TEST(Rotation, HoldsAtLeast120MegabytesWhateverOneLaunchMoves) {
  for (double bytes = 128; bytes < 1e9; bytes *= 1.7) {
    const Rotation rotation = rotation_of(bytes);
    EXPECT_GE(rotation.sets * bytes, 120e6) << bytes;
    EXPECT_TRUE(rotation.sets == 8 || (rotation.sets - 1) * bytes < 120e6) << bytes << ": no more sets than needed";
  }
}

TEST(Rotation, TakesEachSetEquallyOften) {
  for (double bytes = 128; bytes < 1e9; bytes *= 1.7) {
    const Rotation rotation = rotation_of(bytes);
    EXPECT_EQ(rotation.launches % rotation.sets, 0) << bytes;
    EXPECT_GE(rotation.launches, 64) << bytes;
    EXPECT_LT(rotation.launches, 64 + rotation.sets) << bytes;
  }
}

TEST(Rotation, OfARowOpOf16384x256) {
  const Rotation f32 = rotation_of(2.0 * 4 * 16384 * 256), bf16 = rotation_of(2.0 * 2 * 16384 * 256);
  EXPECT_EQ(f32.sets, 8);
  EXPECT_EQ(f32.launches, 64);
  EXPECT_EQ(bf16.sets, 8);
  EXPECT_EQ(rotation_of(2.0 * 2 * 1024 * 256).sets, 115);
}

TEST(Rotation, OfNothingIsRefused) {
  EXPECT_THROW(rotation_of(0), InvalidArgument);
  EXPECT_THROW(rotation_of(16), InvalidArgument);
}

}  // namespace
}  // namespace tilejit::bench
