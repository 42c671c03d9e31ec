#include <gtest/gtest.h>

#include "tests/tools/run_program.h"

namespace tilejit::test {
namespace {

/// What the program prints, with its own folder's name taken out, against a golden file. TILEJIT_GOLDEN=write in the
/// environment writes the files anew; then read the difference.
void expect_golden(std::string text, const std::string& folder, const std::string& name) {
  for (std::size_t at; (at = text.find(folder)) != std::string::npos;) text.replace(at, folder.size(), "FOLDER");
  const std::string file = std::string(TILEJIT_SOURCE_DIR) + "/tests/golden/" + name;
  if (const char* wish = std::getenv("TILEJIT_GOLDEN"); wish && std::string(wish) == "write") {
    std::ofstream(file) << text;
  }
  EXPECT_EQ(text, Program::text_of(file)) << name;
}

TEST(ProgramJson, ShowOfATemplateIsTheGoldenFile) {
  Program tilejit;
  const std::string file = tilejit.write("scale.cuh", scale_template);
  expect_golden(tilejit({"show", file, "--json"}).out, tilejit.folder().string(), "show_template_v1.json");
}

TEST(ProgramJson, ShowOfACallIsTheGoldenFile) {
  Program tilejit;
  const std::string file = tilejit.write("scale.cuh", scale_template);
  expect_golden(
      tilejit({"show", file, "x=f32:1000:2", "y=f32:1000:3:1", "factor=0.5", "--arch", "sm_80", "--json"}).out,
      tilejit.folder().string(), "show_call_v1.json");
}

TEST(ProgramJson, CacheStatsAreTheGoldenFile) {
  Program tilejit;
  expect_golden(tilejit({"cache", "stats", "--json"}).out, tilejit.folder().string(), "cache_stats_v1.json");
  expect_golden(tilejit({"cache", "verify", "--json"}).out, tilejit.folder().string(), "cache_verify_v1.json");
  expect_golden(tilejit({"cache", "clear", "--json"}).out, tilejit.folder().string(), "cache_clear_v1.json");
}

}  // namespace
}  // namespace tilejit::test
