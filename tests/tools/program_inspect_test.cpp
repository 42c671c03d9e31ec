#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/run_program.h"

namespace tilejit::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const std::string two_kernels =
    ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry first() .maxntid 64 { ld.global.v2.f32 {a, b}, "
    "[x]; "
    "zap.u32 a; ret; }\n.visible .entry second() { ret; }\n";

/// How many sites of this space and operation move so many bytes; -1 in place of bytes: however many.
int sites(const nlohmann::json& report, const std::string& space, const std::string& operation, int bytes) {
  int result = 0;
  for (const auto& access : report.at("accesses")) {
    const bool same = access.at("space") == space && access.at("operation") == operation;
    result += same && (bytes < 0 || access.at("bytes") == bytes) ? access.at("sites").get<int>() : 0;
  }
  return result;
}

TEST(ProgramInspect, AContiguousCopyMovesSixteenBytesAThreadAndAccess) {
  Program tilejit;
  const Finished done =
      tilejit({"inspect", "copy_2d", "x=f32:4096x4096", "y=f32:4096x4096", "--arch", "sm_90a", "--json"});
  ASSERT_EQ(done.status, 0) << done.err;
  const auto report = nlohmann::json::parse(done.out);
  EXPECT_EQ(report.at("format"), "tilejit.inspect");
  EXPECT_EQ(report.at("arch"), "sm_90a");
  for (const char* operation : {"load", "store"}) {
    EXPECT_GT(sites(report, "global", operation, 16), 0) << operation;
    EXPECT_EQ(sites(report, "global", operation, 16), sites(report, "global", operation, -1)) << operation;
  }
  EXPECT_GT(report.at("registers"), 0);
  EXPECT_EQ(report.at("spill_stores"), 0);
  EXPECT_GT(report.at("occupancy").at("warps"), 0);
  EXPECT_TRUE(report.at("unknown").empty()) << report.at("unknown");
  for (const auto& access : report.at("accesses")) {
    EXPECT_THAT(access.at("first").at("file"), HasSubstr("copy_2d.cuh")) << access;
  }
}

TEST(ProgramInspect, ThePtxIsPrintedBehindTheScreenOnDemand) {
  Program tilejit;
  const Finished done =
      tilejit({"inspect", "vector_add", "x=f32:4096", "y=f32:4096", "z=f32:4096", "--arch", "sm_80", "--ptx"});
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out,
              AllOf(StartsWith("vector_add_kernel  sm_80"), HasSubstr("registers"), HasSubstr(".target sm_80")));
}

TEST(ProgramInspect, TheRoofIsOfTensorCoresWhereTheKernelUsesThem) {
  Program tilejit;
  const auto roof = [&](std::vector<std::string> call) {
    call.insert(call.begin(), "inspect");
    call.insert(call.end(), {"--arch", "sm_80", "--json"});
    const Finished done = tilejit(call);
    EXPECT_EQ(done.status, 0) << done.err;
    return nlohmann::json::parse(done.out).at("roofline");
  };
  const auto sum = roof({"row_sum", "x=f16:3x70001", "y=f32:3"});
  EXPECT_EQ(sum.at("arithmetic"), "f32");
  EXPECT_DOUBLE_EQ(sum.at("peak_flops").get<double>(), 19.5e12);
  EXPECT_EQ(roof({"matmul", "a=f16:64x64", "b=f16:64x64", "c=f16:64x64"}).at("arithmetic"), "f16");
  EXPECT_EQ(roof({"matmul_tiled", "a=f16:64x64", "b=f16:64x64", "c=f16:64x64"}).at("arithmetic"), "f32");
}

TEST(ProgramInspect, AFileOfPtxIsReadWithoutACompiler) {
  Program tilejit;
  tilejit.set("TILEJIT_NVRTC", "/nowhere");
  const std::string file = tilejit.write("two.ptx", two_kernels);
  const Finished done = tilejit({"inspect", file, "--entry", "first"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, AllOf(StartsWith("first  sm_90a  64 threads"), HasSubstr("1 x 64-bit"),
                              HasSubstr("registers   unknown"), HasSubstr("does not know: zap.u32 (1)")));
  EXPECT_THAT(tilejit({"inspect", file}).err, HasSubstr("several kernels, name one: first, second"));
}

TEST(ProgramInspect, BrokenPtxEndsWithFileLineAndStatusOne) {
  Program tilejit;
  const std::string file = tilejit.write("cut.ptx", two_kernels.substr(0, 120));
  const Finished done = tilejit({"inspect", file});
  EXPECT_EQ(done.status, 1);
  EXPECT_THAT(done.err, HasSubstr(file + ":4:"));
  EXPECT_EQ(done.out, "");
}

}  // namespace
}  // namespace tilejit::test
