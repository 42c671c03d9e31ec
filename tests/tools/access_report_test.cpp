#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include <tilejit/tools/access_report.h>

namespace tilejit::tool {
namespace {

/// TILEJIT_GOLDEN=write in the environment writes the file anew.
void expect_golden(const std::string& text, const std::string& name) {
  const std::string file = std::string(TILEJIT_SOURCE_DIR) + "/tests/golden/" + name;
  const char* const golden = std::getenv("TILEJIT_GOLDEN");
  if (golden != nullptr && std::string(golden) == "write") std::ofstream(file) << text;
  std::ifstream in(file, std::ios::binary);
  EXPECT_EQ(text, std::string(std::istreambuf_iterator<char>(in), {})) << file;
}

AccessSite site(const std::string& space, const std::string& kind, int bytes, const std::string& line, int ptx_line,
                AccessSums sums) {
  AccessSite one;
  one.space = space, one.kind = kind, one.bytes = bytes, one.line = line, one.ptx_line = ptx_line, one.sums = sums;
  one.source = "/tilejit/templates/block/memory.cuh:90, inlined at /tilejit/templates/kernels/" + line;
  one.ptx = kind == "load" ? "ld." + space + ".u32 %r1, [%rd1];" : "st." + space + ".u32 [%rd1], %r1;";
  return one;
}

/// 32 warps that load four of seven fields of an array of structs, exchange them and store one.
AccessReport report() {
  AccessReport r;
  r.kernel = "energy_kernel";
  r.launches = 1, r.blocks = 8, r.threads = 1024, r.warps = 32;
  r.flops = 7168;
  r.distinct_load_sectors = 28 * 32, r.distinct_load_bytes = 16 * 32 * 32;
  const AccessSums load{32, 1024, 4096, 4096, 896, 128, 0, 0}, store{32, 1024, 4096, 4096, 128, 128, 0, 0};
  for (const int field : {3, 4, 5, 6})
    r.sites.push_back(site("global", "load", 4, field < 6 ? "energy.cuh:28" : "energy.cuh:29", 90 + field, load));
  r.sites.push_back(site("shared", "load", 4, "energy.cuh:30", 100, {32, 1024, 4096, 4096, 0, 0, 1024, 32}));
  r.sites.push_back(site("global", "store", 4, "energy.cuh:30", 110, store));
  r.sites.push_back(site("shared", "store", 4, "energy.cuh:30", 99, {32, 1024, 4096, 4096, 0, 0, 32, 32}));
  return r;
}

TEST(AccessReport, TextIsTheGoldenFile) { expect_golden(to_text(report(), false), "access_v1.txt"); }
TEST(AccessReport, TextByLineIsTheGoldenFile) { expect_golden(to_text(report(), true), "access_lines_v1.txt"); }
TEST(AccessReport, JsonIsTheGoldenFile) { expect_golden(to_json(report()), "access_v1.json"); }

TEST(AccessReport, SaysDistinctSectorsBesideRequestedOnes) {
  EXPECT_THAT(
      to_text(report(), false),
      ::testing::HasSubstr("loads    a warp requests 112.0 sectors (14.3 %) and touches 28.0 distinct ones = 896 "
                           "bytes (57.1 %)\n"));
}

TEST(AccessReport, AKernelThatOnlyStoresHasNoLineOfLoads) {
  AccessReport r = report();
  std::erase_if(r.sites, [](const AccessSite& one) { return one.kind == "load"; });
  r.distinct_load_sectors = r.distinct_load_bytes = 0;
  EXPECT_THAT(to_text(r, false), ::testing::Not(::testing::HasSubstr("\nloads ")));
}

TEST(AccessReport, LinesSumUpTheirInstructions) {
  const std::vector<LineOfAccess> lines = by_line(report());
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[0].line, "energy.cuh:28");
  EXPECT_EQ(lines[0].sites, 3);
  EXPECT_EQ(lines[0].sums.sectors, 3 * 896u);
}

}  // namespace
}  // namespace tilejit::tool
