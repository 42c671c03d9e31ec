#include <tilejit/generator/diagnostics.h>

#include <gtest/gtest.h>

#include "sources.h"

namespace tilejit {
namespace {

const GeneratedSource source = test::source_with_body("");

TEST(FirstError, IsTheTemplatesOwn) {
  EXPECT_EQ(first_error("/tilejit/templates/kernels/scale.cuh(12): warning #177-D: unused\n"
                        "  int a;\n      ^\n"
                        "/tilejit/templates/kernels/scale.cuh(14): error: identifier \"x\" is undefined\n",
                        source, ""),
            "/tilejit/templates/kernels/scale.cuh:14: error: identifier \"x\" is undefined");
}

TEST(FirstError, InAHeaderNamesTheLineOfTheTemplateThatReachesIt) {
  for (const char* quote : {"", "\""})
    EXPECT_EQ(
        first_error("block/memory.cuh(7): error: class \"V\" has no member \"nope\"\n"
                    "  x.nope();\n    ^\n"
                    "          detected during:\n"
                    "            instantiation of \"T deep(T) [with T=V]\" at line 9 of block/index.cuh\n"
                    "            instantiation of \"T deeper(T) [with T=V]\" at line 22 of " +
                        (quote + test::template_name + quote) +
                        "\n            instantiation of \"void scale(X) [with X=V]\" at line 9 of "
                        "/tilejit/generated/scale.cu\n",
                    source, ""),
        "/tilejit/templates/kernels/scale.cuh:22: error: class \"V\" has no member \"nope\" (in block/memory.cuh:7)");
}

TEST(FirstError, PrefersOneThatTouchesTheTemplate) {
  EXPECT_EQ(first_error("block/memory.cuh(7): error: broken header\n"
                        "/tilejit/templates/kernels/scale.cuh(3): error: expected a \";\"\n",
                        source, ""),
            "/tilejit/templates/kernels/scale.cuh:3: error: expected a \";\"");
}

TEST(FirstError, ElseIsTheFirstOne) {
  EXPECT_EQ(first_error("block/memory.cuh(7): catastrophic error: cannot open source file \"no.cuh\"\n", source, ""),
            "block/memory.cuh:7: error: cannot open source file \"no.cuh\"");
}

TEST(FirstError, OfPtxasIsTracedBackByLineInformation) {
  const std::string ptx =
      ".version 9.0\n"
      "\t.loc\t1 9 0\n"
      "\tmov.u32 %r1, 0;\n"
      "\t.loc\t2 4 1, function_name $L__info_string0, inlined_at 1 9 3\n"
      "\tbogus.op;\n"
      "\t.loc\t1 30 1\n"
      "\t.file\t1 \"/tilejit/templates/kernels/scale.cuh\"\n"
      "\t.file\t2 \"block/ptx.cuh\"\n";
  const std::string log =
      "ptxas application ptx input, line 5; error   : Unknown modifier '.op'\nptxas fatal   : aborted\n";
  EXPECT_EQ(
      first_error(log, source, ptx),
      "/tilejit/templates/kernels/scale.cuh:9: error: Unknown modifier '.op' (line 5 of the PTX) (in block/ptx.cuh:4)");
  EXPECT_EQ(first_error(log, source, ""), "Unknown modifier '.op' (line 5 of the PTX)");
}

TEST(FirstError, IsEmptyWhereThereIsNone) {
  EXPECT_EQ(first_error("", source, ""), "");
  EXPECT_EQ(first_error("something went wrong (somewhere): perhaps\n(): error: \n", source, ""), "");
}

}  // namespace
}  // namespace tilejit
