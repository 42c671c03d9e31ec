#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/run_program.h"

namespace tilejit::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json counted(const Program& tilejit, std::vector<std::string> args) {
  args.insert(args.begin(), "access");
  args.push_back("--json");
  const Finished run = tilejit(args);
  EXPECT_EQ(run.status, 0) << run.err;
  return json::parse(run.out);
}

/// What each request of a kind touches, if all its instructions agree; -1: they differ.
double sectors_a_request(const json& report, const std::string& kind) {
  double found = 0;
  for (const json& one : report.at("instructions")) {
    if (one.at("space") != "global" || one.at("kind") != kind) continue;
    const double here = one.at("sectors_per_request");
    if (found != 0 && found != here) return -1;
    found = here;
  }
  return found;
}

TEST(Access, AnArrayOfStructsCosts28SectorsARequestAnd112AWarp) {
  const Program tilejit;
  const json report = counted(tilejit, {"kinetic_energy_aos", "particles=f32:1024x7", "energy=f32:1024", "--set",
                                        "BLOCK=128", "--set", "num_warps=4"});
  EXPECT_EQ(sectors_a_request(report, "load"), 28);
  EXPECT_EQ(report.at("global_loads").at("sectors"), 112 * 32);  // 32 warps
  EXPECT_NEAR(report.at("global_loads").at("efficiency").get<double>(), 0.143, 0.0005);
  EXPECT_EQ(report.at("global_stores").at("sectors"), 4 * 32);
  const json warp = report.at("a_warps_loads");
  EXPECT_EQ(warp.at("sectors"), 112);
  EXPECT_EQ(warp.at("distinct_sectors"), 28);
  EXPECT_EQ(warp.at("distinct_bytes_moved"), 896);
  EXPECT_NEAR(warp.at("distinct_efficiency").get<double>(), 0.571, 0.0005);
  EXPECT_EQ(report.at("distinct_load_bytes"), 4 * 4 * 1024);
}

TEST(Access, SeparateArraysCost16SectorsAWarpAllOfThemUsed) {
  const Program tilejit;
  const json report = counted(tilejit, {"kinetic_energy_soa", "vx=f32:1024", "vy=f32:1024", "vz=f32:1024", "m=f32:1024",
                                        "energy=f32:1024", "--set", "BLOCK=128", "--set", "num_warps=4"});
  EXPECT_EQ(sectors_a_request(report, "load"), 4);
  EXPECT_EQ(report.at("global_loads").at("sectors"), 16 * 32);
  EXPECT_EQ(report.at("global_loads").at("efficiency"), 1.0);
  const json warp = report.at("a_warps_loads");
  EXPECT_EQ(warp.at("sectors"), 16);
  EXPECT_EQ(warp.at("distinct_sectors"), 16);
  EXPECT_EQ(warp.at("distinct_bytes_moved"), 512);
  EXPECT_EQ(warp.at("distinct_efficiency"), 1.0);
}

TEST(Access, ARowOfAMatrixIs4SectorsAndAColumn32) {
  const Program tilejit;
  const auto requests = [&](const std::string& view) {
    const json report = counted(tilejit, {"vector_add", "x=f32:" + view, "y=f32:" + view, "z=f32:32", "--set",
                                          "BLOCK=32", "--set", "num_warps=1"});
    EXPECT_EQ(report.at("warps"), 1);
    return report.at("global_loads");
  };
  const json row = requests("32:1"), column = requests("32:32");  // of 32x32 floats
  EXPECT_EQ(row.at("requests"), 2);
  EXPECT_EQ(row.at("sectors_per_request"), 4);
  EXPECT_EQ(row.at("efficiency"), 1.0);
  EXPECT_EQ(column.at("requests"), 2);
  EXPECT_EQ(column.at("sectors_per_request"), 32);
  EXPECT_EQ(column.at("bytes_moved"), 2 * 1024);
  EXPECT_EQ(column.at("efficiency"), 0.125);
}

TEST(Access, SectorsThatSeveralRequestsShareAreDistinctOnce) {
  const Program tilejit;
  // Two broadcasts, each one sector however often it is asked for.
  const json report = counted(tilejit, {"vector_add", "x=f32:1024:0", "y=f32:1024:0", "z=f32:1024", "--set",
                                        "BLOCK=1024", "--set", "num_warps=4"});
  EXPECT_EQ(report.at("a_warps_loads").at("distinct_sectors"), 2);
}

TEST(Access, ACallThatTheDefaultConfigDoesNotFitIsCountedWithOneThatDoes) {
  const Program tilejit;
  const json report = counted(tilejit, {"softmax", "x=f32:8x1024", "y=f32:8x1024"});
  EXPECT_EQ(report.at("blocks"), 8);
  EXPECT_EQ(report.at("global_loads").at("bytes_moved"), 8 * 1024 * 4);
}

TEST(Access, TheNaiveProductDoesHalfAFlopAByte) {
  const Program tilejit;
  const json report = counted(tilejit, {"matmul_row", "a=bf16:16x1024", "b=bf16:1024x128", "c=bf16:16x128"});
  EXPECT_EQ(report.at("flops"), 2 * 16 * 1024 * 128);
  EXPECT_NEAR(report.at("flop_per_byte_asked").get<double>(), 0.5, 0.001);
}

TEST(Access, EfficiencyIsOneOverTheStrideDownToAnEighth) {
  const Program tilejit;
  for (const int stride : {1, 2, 4, 8, 16, 32}) {
    const std::string x = "x=f32:4096:" + std::to_string(stride);
    const json report = counted(tilejit, {"vector_add", x, "y=f32:4096:" + std::to_string(stride), "z=f32:4096"});
    EXPECT_DOUBLE_EQ(report.at("global_loads").at("efficiency"), 1.0 / std::min(stride, 8)) << stride;
  }
}

TEST(Access, ATransposedViewMovesNoMoreThanAStraightOneAndMeetsNoBankConflict) {
  const Program tilejit;
  const json straight = counted(tilejit, {"copy_2d", "x=f32:512x512", "y=f32:512x512"});
  const json turned = counted(tilejit, {"copy_2d", "x=f32:512x512:1,512", "y=f32:512x512"});
  EXPECT_EQ(turned.at("global_loads"), straight.at("global_loads"));
  EXPECT_EQ(turned.at("global_stores"), straight.at("global_stores"));
  EXPECT_EQ(turned.at("global_loads").at("efficiency"), 1.0);
  EXPECT_GT(turned.at("shared").at("wavefronts"), 0);
  EXPECT_EQ(turned.at("shared").at("wavefronts"), turned.at("shared").at("wavefronts_ideal"));
  const json naive = counted(tilejit, {"matmul_row", "a=f32:64x64:1,64", "b=f32:64x128", "c=f32:64x128"});
  EXPECT_LT(naive.at("global_loads").at("requests"), naive.at("global_loads").at("sectors"));
}

TEST(Access, TheTextHasTheWorstInstructionFirstAndSaysWhatItCounts) {
  const Program tilejit;
  const Finished run = tilejit({"access", "kinetic_energy_aos", "particles=f32:1024x7", "energy=f32:1024"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_LT(run.out.find("load 4 B"), run.out.find("store 4 B"));
  EXPECT_THAT(run.out, HasSubstr("sectors requested of L1, never DRAM bytes"));
  EXPECT_THAT(run.out, HasSubstr("kinetic_energy_aos.cuh:"));
  const Finished lines =
      tilejit({"access", "kinetic_energy_aos", "particles=f32:1024x7", "energy=f32:1024", "--per-line"});
  EXPECT_THAT(lines.out, HasSubstr("load x"));
}

}  // namespace
}  // namespace tilejit::test
