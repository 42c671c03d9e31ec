#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include <tilejit/tests/support/temp_folder.h>
#include <tilejit/tools/diagnosis.h>

namespace tilejit::tool {
namespace {

std::string golden(const std::string& name) {
  std::ifstream file(std::string(TILEJIT_SOURCE_DIR) + "/tests/golden/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

const std::vector<Finding> findings = {
    {"NVRTC", true, true, "/lib/libnvrtc.so.13, version 13.0", ""},
    {"GPU driver", false, false, "looked for\n  here\n  there", "install a driver"},
};

TEST(Diagnosis, JsonIsTheGoldenFile) { EXPECT_EQ(to_json(findings), golden("doctor_v1.json")); }

TEST(Diagnosis, TextKeepsItsMarginOverSeveralLines) {
  std::vector<Finding> shown = findings;
  shown.push_back({"emulated device 0", true, false, "found", ""});  // the longest name
  EXPECT_EQ(to_text(shown),
            "NVRTC             ok   /lib/libnvrtc.so.13, version 13.0\n"
            "GPU driver        no   looked for\n"
            "                         here\n"
            "                         there\n"
            "                       -> install a driver\n"
            "emulated device 0 ok   found\n");
}

TEST(Diagnosis, EveryPartIsThereAndWhatIsNotUsableHasARemedy) {
  const test::TempFolder folder;
  Options options;
  options.cache_root = "";
  options.nvrtc = folder / "libnvrtc.so";
  options.emulator = folder / "libtilejit_emulated_cuda.so";
  std::vector<std::string> parts;
  for (const Finding& one : diagnose(options)) {
    parts.push_back(one.part);
    EXPECT_EQ(one.usable, one.remedy.empty()) << one.part;
    EXPECT_NE(one.found, "") << one.part;
    if (one.part == "NVRTC" || one.part == "emulated driver") {
      EXPECT_FALSE(one.usable) << one.part;
      EXPECT_NE(one.found.find(folder.path().string()), std::string::npos) << one.found;
    }
    if (one.part == "cache") {
      EXPECT_EQ(one.found, "memory only: no cache root is set");
    }
  }
  for (const char* part : {"CUDA toolkit", "NVRTC", "GPU driver", "emulated driver", "cache"}) {
    EXPECT_EQ(std::count(parts.begin(), parts.end(), part), 1) << part;
  }
}

}  // namespace
}  // namespace tilejit::tool
