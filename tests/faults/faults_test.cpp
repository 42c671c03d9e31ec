// Ten faults, one at a time in a copy of the templates: each must make the cases of runtime/ops that are meant for it
// fail, and with TILEJIT_TEST_EFFORT the whole property suite too, which passes without one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include <tilejit/tests/faults/patch.h>
#include <tilejit/tests/support/effort.h>
#include <tilejit/tests/support/run_file.h>

namespace tilejit::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* faults[] = {"assumed_alignment", "dropped_mask",  "floor_grid",    "hard_coded_stride",
                                  "index_of_32_bits",  "lost_tail",     "stale_scratch", "swapped_axis",
                                  "missing_barrier",   "wrong_identity"};

Ending run(const std::string& filter, const std::string& fault) {
  return run_file({TILEJIT_OPS_TEST, "--gtest_filter=" + filter, "--gtest_brief=1"},
                  {{"TILEJIT_TEST_DEVICE", "emulated"}, {"TILEJIT_TEST_FAULT", fault}, {"TILEJIT_TEST_EFFORT", ""}});
}

class Faults : public testing::TestWithParam<const char*> {
 protected:
  std::string path() const { return std::string(TILEJIT_SOURCE_DIR "/tests/faults/") + GetParam() + ".patch"; }
};

TEST_P(Faults, FailTheFewCasesMeantForThem) {
  const Patch patch = read_patch(path());
  for (const std::string& name : patch.caught_by) {
    const Ending spoilt = run(name, path());
    EXPECT_EQ(spoilt.status, 1) << spoilt.text;
    EXPECT_THAT(spoilt.text, HasSubstr("[  FAILED  ] " + name));
    EXPECT_THAT(spoilt.text, Not(HasSubstr("NVRTC")));  // it compiles, and what it computes is wrong
  }
}

constexpr const char* whole_suite = "Properties.*:FarViews.*";

TEST_P(Faults, FailTheWholeSuite) {
  if (rounds(1) == 1 || !is_default_build) GTEST_SKIP() << "minutes: scripts/test --full, in the default build";
  const Ending spoilt = run(whole_suite, path());
  EXPECT_EQ(spoilt.status, 1) << spoilt.text;
  EXPECT_THAT(spoilt.text, HasSubstr("[  FAILED  ] "));
}

INSTANTIATE_TEST_SUITE_P(Ten, Faults, testing::ValuesIn(faults), [](const auto& which) { return which.param; });

TEST(WholeSuite, PassesWithoutAFault) {
  if (rounds(1) == 1 || !is_default_build) GTEST_SKIP() << "minutes: scripts/test --full, in the default build";
  const Ending sound = run(whole_suite, "");
  EXPECT_EQ(sound.status, 0) << sound.text;
}

TEST(FaultFile, ThatCannotBeReadEndsTheProgram) {
  const Ending none =
      run_file({TILEJIT_OPS_TEST, "--gtest_list_tests"}, {{"TILEJIT_TEST_FAULT", "/nowhere/fault.patch"}});
  EXPECT_EQ(none.status, 3);
  EXPECT_THAT(none.text, HasSubstr("/nowhere/fault.patch: cannot be read"));
}

}  // namespace
}  // namespace tilejit::test
