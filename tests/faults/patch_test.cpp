#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <tilejit/tests/faults/patch.h>

namespace tilejit::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const char* const two_lines = R"(What it is.
caught by: One.Fails, Two.Fails
diff --git a/x.cuh b/x.cuh
--- a/x.cuh
+++ b/x.cuh
@@ -1,3 +1,3 @@
 a
-b
+B
 c
)";

std::string error_of(const std::string& text) {
  const Patch patch = parse_patch("fault", two_lines);
  try {
    patched(patch, patch.files[0], text);
  } catch (const PatchError& error) {
    return error.what();
  }
  return "";
}

TEST(FaultPatch, ReplacesLinesWhereverTheyAre) {
  const Patch patch = parse_patch("fault", two_lines);
  EXPECT_THAT(patch.caught_by, ElementsAre("One.Fails", "Two.Fails"));
  EXPECT_EQ(patch.files[0].name, "x.cuh");
  EXPECT_EQ(patched(patch, patch.files[0], "x\na\nb\nc\ny\n"), "x\na\nB\nc\ny\n");
  EXPECT_EQ(patched(patch, patch.files[0], "a\nb\nc\n"), "a\nB\nc\n");
}

TEST(FaultPatch, ThatDoesNotFitIsAnError) {
  EXPECT_THAT(error_of("a\nb\nd\n"), HasSubstr("fault: x.cuh does not have these lines:\na\nb\nc\n"));
  EXPECT_THAT(error_of("aa\nb\nc\n"), HasSubstr("does not have"));
  EXPECT_THAT(error_of("a\nb\nc\na\nb\nc\n"), HasSubstr("more than once"));
  EXPECT_THROW(parse_patch("fault", "caught by: One.Fails\n"), PatchError);
  EXPECT_THROW(parse_patch("fault", "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"), PatchError);
}

/// Each of the ten fits the library as it is now.
TEST(FaultPatch, EachFitsTheTemplatesOfToday) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TILEJIT_SOURCE_DIR "/tests/faults")) {
    if (entry.path().extension() != ".patch") continue;
    const Patch patch = read_patch(entry.path().string());
    for (const Patch::File& file : patch.files) {
      std::ifstream in(TILEJIT_SOURCE_DIR "/" + file.name, std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      EXPECT_NO_THROW(EXPECT_NE(patched(patch, file, text), text)) << file.name;
    }
    ++count;
  }
  EXPECT_EQ(count, 10);
}

}  // namespace
}  // namespace tilejit::test
