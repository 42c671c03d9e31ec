#include <tilejit/generator/closed_source.h>

#include <gtest/gtest.h>

#include "sources.h"

namespace tilejit {
namespace {

using test::source_with_body;
using test::template_name;

std::string opening(const std::string& body) { return opening_in(source_with_body(body)).value_or(""); }

TEST(ClosedSource, NamesOfHeadersInMemoryAreClosed) {
  EXPECT_EQ(opening("  x[0] = 1;"), "");
  EXPECT_EQ(opening("#include \"block.cuh\"\n#include <block/index.cuh>"), "");
  EXPECT_FALSE(opening_in(source_with_body("#include \"/my/own.cuh\"", {{"/my/own.cuh", ""}})));
}

TEST(ClosedSource, AbsoluteNamesAreFoundOnTheTemplatesOwnLine) {
  const std::string found = template_name + ":22: error: '/etc/x' would be read from the disk";
  for (const char* line :
       {"#include \"/etc/x\"", "#include </etc/x>", " # \tinclude \"/etc/x\"", "%:include \"/etc/x\"",
        "#include/**/\"/etc/x\"", "#include_next \"/etc/x\"", "#embed \"/etc/x\"", "/* a */ #include \"/etc/x\"",
        "#if __has_include(\"/etc/x\")", "#if !__has_include ( </etc/x> )"})
    EXPECT_TRUE(opening("\n" + std::string(line)).starts_with(found))
        << line << " " << opening("\n" + std::string(line));
}

TEST(ClosedSource, ASplicedDirectiveIsFoundAndLaterLinesKeepTheirNumbers) {
  EXPECT_TRUE(opening("#inc\\\nlude \\\n\"/etc/x\"").starts_with(template_name + ":21: "));
  EXPECT_TRUE(opening("int a\\\n;\n#include \"/etc/x\"").starts_with(template_name + ":23: "));
  EXPECT_TRUE(opening("/* a\n b */ int c;\n#include \"/etc/x\"").starts_with(template_name + ":23: "));
  EXPECT_TRUE(opening("auto s = R\"x(\n)\" /* )x\";\n#include \"/etc/x\"").starts_with(template_name + ":23: "));
}

TEST(ClosedSource, ComputedNamesAreNotGuessedAt) {
  EXPECT_NE(opening("#include HEADER").find("not written out"), std::string::npos);
  EXPECT_NE(opening("#if __has_include(HEADER)").find("not written out"), std::string::npos);
}

TEST(ClosedSource, WhatOnlyLooksLikeADirectiveIsNone) {
  for (const char* line :
       {"// #include \"/etc/x\"", "/*\n# include the limits\n#include \"/etc/x\"\n*/",
        "auto s = \"#include </etc/x>\";", "auto s = R\"(\n#include \"/etc/x\"\n)\";", "int n = 1'000; // '\n",
        "#define include", "#ifdef __has_include\n#endif", "// a \\\n#include \"/etc/x\""})
    EXPECT_EQ(opening(line), "") << line;
}

TEST(ClosedSource, HeadersAreLookedAtToo) {
  const auto found = opening_in(source_with_body("", {{"a.cuh", "\n\n#include \"/etc/x\"\n"}}));
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->starts_with("a.cuh:3: error: ")) << *found;
}

TEST(ClosedSource, OptionsThatReadOrWriteFilesAreRefused) {
  GeneratedSource source = source_with_body("");
  source.options = {"-DX=1", "--use_fast_math", "--maxrregcount=32"};
  EXPECT_FALSE(opening_in(source));
  for (const char* option :
       {"-I/usr/include", "-I", "--include-path=/x", "--pre-include=x.h", "-pch", "--time=/tmp/t"}) {
    source.options = {option};
    EXPECT_TRUE(opening_in(source)) << option;
  }
}

}  // namespace
}  // namespace tilejit
