#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "odd_templates.h"

namespace {

std::string bytes_of(const std::string& name) {
  std::ifstream in(TILEJIT_SOURCE_DIR "/tests/repository/fixtures/" + name, std::ios::binary);
  EXPECT_TRUE(in.good()) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(EmbedTemplates, KeepsEveryByte) {
  ASSERT_EQ(odd_templates.files.size(), 3U);
  EXPECT_GT(odd_templates.files[0].text.size(), 200U);
  EXPECT_EQ(odd_templates.files[0].text, bytes_of("odd bytes.cuh"));
  EXPECT_EQ(odd_templates.files[1].text, bytes_of("empty.cuh"));
}

TEST(EmbedTemplates, NamesFilesBelowPrefixAndBase) {
  EXPECT_EQ(odd_templates.files[0].name, "/odd/templates/fixtures/odd bytes.cuh");
  EXPECT_EQ(odd_templates.files[1].name, "/odd/templates/fixtures/empty.cuh");
  EXPECT_EQ(odd_templates.files[2].name, "/odd/templates/arrows.h");
}

TEST(EmbedTemplates, TellsTemplatesFromHeaders) {
  EXPECT_TRUE(odd_templates.files[0].is_template);
  EXPECT_FALSE(odd_templates.files[1].is_template);
  EXPECT_FALSE(odd_templates.files[2].is_template);
}

}  // namespace
