#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include <tilejit/tools/tuning_report.h>

namespace tilejit::tool {
namespace {

TuningResult result() {
  TuningResult tuned;
  tuned.bucket = "copy_2d f32[unit 1, align 16] f32[unit 1, align 16] M<=4096 N<=6144 on Some GPU (sm_90a)";
  tuned.measurements = {
      {{{{"BLOCK_M", 64}, {"BLOCK_N", 64}}, 8, 1}, 0.25, 0.24, 0.5, 9, 40, 0},
      {{{{"BLOCK_M", 4}, {"BLOCK_N", 1024}}, 8, 1}, 0.5, 0.5, 0.625, 2, -1, -1},
  };
  tuned.rejected = {{{{{"BLOCK_M", 128}, {"BLOCK_N", 1024}}, 1, 1}, "registers: 300 a thread; the limit is 255"}};
  return tuned;
}

std::string golden(const std::string& name) {
  std::ifstream file(std::string(TILEJIT_SOURCE_DIR) + "/tests/golden/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(TuningReport, JsonIsTheGoldenFile) {
  EXPECT_EQ(to_json({"copy_2d", "Some GPU", false}, result()), golden("tune_v1.json"));
}

TEST(TuningReport, TextIsTheGoldenFile) {
  EXPECT_EQ(to_text({"copy_2d", "Some GPU", false}, result()), golden("tune_v1.txt"));
}

TEST(TuningReport, AModelIsNeverCalledMeasured) {
  TuningResult modelled = result();
  modelled.modelled = true;
  const std::string text = to_text({"copy_2d", "emulated sm_90", true}, modelled);
  EXPECT_THAT(text, testing::HasSubstr("emulated sm_90 (emulated), modelled"));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("measured")));
}

/// Of one Config alone nothing is timed: it used to be told as measured, with 0 us.
TEST(TuningReport, WhatWasNotTimedHasNoTime) {
  TuningResult one;
  one.measurements = {{{{{"BLOCK", 256}}, 8, 1}}};
  const std::string text = to_text({"global_id", "Some GPU", false}, one);
  EXPECT_THAT(text, testing::HasSubstr("not timed: there is one Config alone"));
  EXPECT_THAT(text, testing::Not(testing::AnyOf(testing::HasSubstr("measured"), testing::HasSubstr("0.0000"))));
  const std::string json = to_json({"global_id", "Some GPU", false}, one);
  EXPECT_THAT(json, testing::AllOf(testing::HasSubstr("\"median_ms\": null"), testing::HasSubstr("\"BLOCK\": 256")));
}

TEST(TuningReport, NothingTimedHasNoBest) {
  EXPECT_THAT(to_json({"copy_2d", "Some GPU", false}, {}), testing::HasSubstr("\"best\": null"));
}

}  // namespace
}  // namespace tilejit::tool
