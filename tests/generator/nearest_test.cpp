#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tilejit/generator/nearest.h>

namespace tilejit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> known{"copy_2d", "copy_2d_hardcoded", "matmul_row", "row_sum", "column_sum"};

TEST(Nearest, ATypoFindsTheNameItMeant) {
  EXPECT_THAT(nearest_names("cpoy_2d", known), ElementsAre("copy_2d"));
  EXPECT_THAT(nearest_names("Copy_2D", known), ElementsAre("copy_2d"));
  EXPECT_THAT(nearest_names("rowsum", known), ElementsAre("row_sum"));
}

TEST(Nearest, APartFindsTheWhole) {
  EXPECT_THAT(nearest_names("matmul", known), ElementsAre("matmul_row"));
  EXPECT_THAT(nearest_names("copy", known), ElementsAre("copy_2d", "copy_2d_hardcoded"));
}

TEST(Nearest, NothingIsSuggestedForSomethingElse) {
  EXPECT_THAT(nearest_names("softmax", known), IsEmpty());
  EXPECT_THAT(nearest_names("", known), IsEmpty());
  EXPECT_THAT(nearest_names(std::string(100000, 'x'), known), IsEmpty());
}

TEST(Nearest, ASuggestionIsAPhraseAndAShortListIsShownWhole) {
  EXPECT_EQ(suggestion("copy", known), " (did you mean copy_2d or copy_2d_hardcoded?)");
  EXPECT_EQ(suggestion("softmax", std::vector<std::string>{"a", "b"}), " (known: a, b)");
  EXPECT_EQ(suggestion("softmax", std::vector<std::string>(50, "a")), "");
  EXPECT_EQ(suggestion("softmax", std::vector<std::string>{}), "");
}

}  // namespace
}  // namespace tilejit
