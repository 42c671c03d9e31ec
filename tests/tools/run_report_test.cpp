#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include <tilejit/tools/run_report.h>

namespace tilejit::tool {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

RunReport report() {
  RunReport result;
  result.template_name = "copy_2d";
  result.device = "Some GPU";
  result.choice = {{{{"BLOCK_M", 64}, {"BLOCK_N", 64}}, 8, 1}, "tuning result (measured)"};
  result.timing = {10, 0.5, 0.25, 2.0};
  result.bytes = 1000000000;
  result.counters = {3, 1, 4, 1, 24};
  result.messages = {"tilejit.jit: compiled copy_2d because: the first kernel of this template"};
  Comparison y;
  y.tensor = "y";
  y.elements = 1000;
  y.wrong = 1;
  y.unwritten = 232;
  y.first_wrong = {{0, 7}, "1", "4"};
  y.first_unwritten = {{7, 68}, "nan", "2"};
  y.largest_error = 3;
  y.stray_bytes = 8;
  result.check = Check{"the slow CPU reference", {y}};
  return result;
}

std::string golden(const std::string& name) {
  std::ifstream file(std::string(TILEJIT_SOURCE_DIR) + "/tests/golden/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(RunReport, JsonIsTheGoldenFile) { EXPECT_EQ(to_json(report()), golden("run_v1.json")); }

TEST(RunReport, TextIsTheGoldenFile) { EXPECT_EQ(to_text(report(), true), golden("run_v1.txt")); }

TEST(RunReport, WhatWasNotAskedForIsNotThere) {
  RunReport quiet = report();
  quiet.check.reset();
  quiet.timing = {};
  EXPECT_EQ(to_text(quiet, false), "copy_2d on Some GPU\nconfig  BLOCK_M=64 BLOCK_N=64 num_warps=8 num_stages=1\n");
  EXPECT_THAT(to_json(quiet), AllOf(HasSubstr("\"check\": null"), HasSubstr("\"time\": null")));
}

TEST(RunReport, AnEmulatedDeviceHasNoTimeOfItsOwn) {
  RunReport emulated = report();
  emulated.emulated = true;
  emulated.timing = {};
  EXPECT_THAT(to_text(emulated, false), AllOf(HasSubstr("Some GPU (emulated)"), HasSubstr("time    not taken")));
}

TEST(RunReport, NothingToCompareWithIsNoPass) {
  RunReport unchecked = report();
  unchecked.check = Check{};
  EXPECT_FALSE(unchecked.check->good());
  EXPECT_THAT(to_text(unchecked, false), HasSubstr("check   FAILED: nothing to compare with"));
}

}  // namespace
}  // namespace tilejit::tool
