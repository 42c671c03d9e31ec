#include <tilejit/generator/target.h>

#include <gtest/gtest.h>

#include <tilejit/generator/arch.h>
#include <tilejit/generator/error.h>

namespace tilejit {
namespace {

TEST(Arch, TakesNamesApartAndPutsThemTogether) {
  for (const char* name : {"sm_75", "sm_90a", "sm_100f", "compute_80", "compute_90a"}) {
    const auto arch = Arch::parse(name);
    ASSERT_TRUE(arch) << name;
    EXPECT_EQ(arch->name(arch->real ? "sm_" : "compute_"), name);
  }
  for (const char* name :
       {"", "sm_", "90", "sm90", "sm_9", "sm_90b", "sm_90aa", "sm_-90", "sm_9000", "SM_90", "sm_90 "})
    EXPECT_FALSE(Arch::parse(name)) << name;
}

TEST(Target, FeaturesAreNamedNotGuessedFromNumbers) {
  EXPECT_TRUE(target_of("sm_90a").has("wgmma"));
  EXPECT_FALSE(target_of("sm_90").has("wgmma"));
  EXPECT_FALSE(target_of("sm_100a").has("wgmma")) << "wgmma is 9.0's alone";
  EXPECT_TRUE(target_of("sm_90").has("tma"));
  EXPECT_FALSE(target_of("sm_89").has("tma"));
  EXPECT_TRUE(target_of("sm_89").has("fp8_convert"));
  EXPECT_FALSE(target_of("sm_80").has("fp8_convert"));
  EXPECT_TRUE(target_of("sm_80").has("mma"));
  EXPECT_FALSE(target_of("sm_80").has("anything else"));
}

TEST(Target, LimitsAreTheArchs) {
  EXPECT_EQ(target_of("sm_90a").shared_limit, 232448);
  EXPECT_EQ(target_of("sm_80").shared_limit, 166912);
  EXPECT_EQ(target_of("sm_89").shared_limit, 101376);
  EXPECT_EQ(target_of("sm_90").sms, 132);
}

TEST(Target, ComputeIsPtxAlone) {
  EXPECT_TRUE(target_of("compute_80").ptx_only);
  EXPECT_EQ(target_of("compute_80").arch, "sm_80");
  EXPECT_FALSE(target_of("sm_80").ptx_only);
}

TEST(Target, AnArchOfTheFutureHasTheFactsOfTheOneBelow) {
  EXPECT_EQ(target_of("sm_999").shared_limit, target_of("sm_121").shared_limit);
  EXPECT_EQ(target_of("sm_999").arch, "sm_999");
}

TEST(Target, WhatIsNoArchIsSaidSo) {
  try {
    target_of("hopper");
    FAIL();
  } catch (const ToolchainError& error) {
    EXPECT_NE(std::string(error.what()).find("'hopper' is not an arch"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace tilejit
