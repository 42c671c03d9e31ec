#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilejit/generator/error.h>
#include <tilejit/tools/assignment.h>

namespace tilejit::tool {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

std::string settings_error(const std::vector<std::string>& texts) {
  try {
    parse_settings(texts);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "no error";
}

TEST(Assignment, SplitsAtTheFirstEqualsSign) {
  const Assignment given = parse_assignment("x=f32:4=5", "NAME=VALUE");
  EXPECT_EQ(given.name, "x");
  EXPECT_EQ(given.value, "f32:4=5");
  EXPECT_EQ(parse_assignment("x=", "NAME=VALUE").value, "");
}

TEST(Assignment, WithoutANameIsAnError) {
  EXPECT_THROW(parse_assignment("=4", "NAME=VALUE"), InvalidArgument);
  EXPECT_THROW(parse_assignment("copy", "NAME=VALUE"), InvalidArgument);
}

TEST(Assignment, SettingsKeepTheirOrder) {
  EXPECT_THAT(parse_settings({"num_warps=4", "BLOCK_M=-64"}), ElementsAre(Pair("num_warps", 4), Pair("BLOCK_M", -64)));
}

TEST(Assignment, SettingErrorsNameTheSetting) {
  EXPECT_THAT(settings_error({"BLOCK_M"}), HasSubstr("'BLOCK_M': expected NAME=VALUE"));
  EXPECT_THAT(settings_error({"BLOCK_M=big"}), HasSubstr("--set BLOCK_M: expected an integer, not 'big'"));
  EXPECT_THAT(settings_error({"BLOCK_M=1", "BLOCK_M=2"}), HasSubstr("--set BLOCK_M: given twice"));
  EXPECT_THAT(settings_error({"BLOCK_M=99999999999999999999"}), HasSubstr("does not fit"));
}

}  // namespace
}  // namespace tilejit::tool
