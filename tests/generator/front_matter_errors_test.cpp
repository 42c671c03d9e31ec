#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include <tilejit/generator/error.h>
#include <tilejit/generator/front_matter.h>

#include "tests/generator/template_text.h"

// Each wrong thing gets the place in the file, what was expected, and the nearest known name.
namespace tilejit {
namespace {

using test::fixture;
using test::with;

std::string error_of(const std::string& source, const std::string& file = "copy_2d.cuh") {
  try {
    parse_front_matter(source, file);
    return "no error";
  } catch (const TemplateError& error) {
    return error.what();
  }
}

/// The error that copy_2d gives once `from` is `to`.
std::string error_with(const std::string& from, const std::string& to) {
  return error_of(with(fixture("copy_2d.cuh"), from, to));
}
std::string error_in_every_key(const std::string& from, const std::string& to) {
  return error_of(with(fixture("every_key.cuh"), from, to), "every_key.cuh");
}

TEST(FrontMatterError, TheBlockMustStandInTheFirstComment) {
  EXPECT_EQ(error_of(""), "copy_2d.cuh:1:1: front matter was expected: a template's first comment starts with /*---");
  EXPECT_EQ(error_of("\n  #pragma once"),
            "copy_2d.cuh:2:3: front matter was expected: a template's first comment starts with /*---");
  EXPECT_EQ(error_of("\n/*---\nsummary = 1"), "copy_2d.cuh:2:1: front matter starts here and is not closed by ---*/");
  EXPECT_EQ(error_of("/*---\na = 1 */ ---*/"), "copy_2d.cuh:2:7: front matter is closed by ---*/, not by */ alone");
  EXPECT_EQ(error_of("/*---*/"), "copy_2d.cuh:1:6: front matter is closed by ---*/, not by */ alone");
}

TEST(FrontMatterError, ASummaryIsOneLine) {
  EXPECT_NE(error_with("summary = \"", "summary = \"two\\n").find("summary is one line"), std::string::npos);
}

TEST(FrontMatterError, AZeroByteIsRefusedWhereItStands) {
  const std::string source = fixture("copy_2d.cuh");
  const std::string error = error_of(source + std::string(1, '\0'));
  EXPECT_EQ(error, "copy_2d.cuh:" + std::to_string(std::ranges::count(source, '\n') + 1) +
                       ":1: a zero byte, at which the compiler would take the text to end");
}

TEST(FrontMatterError, TheFilesNameMustBeAFunctions) {
  EXPECT_EQ(error_of(fixture("copy_2d.cuh"), "copy-2d.cuh"),
            "copy-2d.cuh:1:1: the file's name is the function's name too, and \"copy-2d\" cannot be one");
}

TEST(FrontMatterError, BrokenTomlIsPlacedInTheFile) {
  const std::string error = error_with("access = \"read\"", "access = read");
  EXPECT_EQ(error.substr(0, 17), "copy_2d.cuh:9:10:") << error;
  EXPECT_NE(error.find("this is not TOML"), std::string::npos) << error;
  EXPECT_EQ(error_with("[config]", "[config").substr(0, 15), "copy_2d.cuh:15:");
  EXPECT_EQ(error_with("[config]", "[,config]"), "copy_2d.cuh:15:1: this line is not TOML");
  EXPECT_EQ(error_with("grid ", "summary ").substr(0, 14), "copy_2d.cuh:4:") << "a key twice";
}

TEST(FrontMatterError, OnlyStringsAndCommentsHoldCharactersBeyondAscii) {
  EXPECT_EQ(error_with("grid ", "gr\u00efd "),
            "copy_2d.cuh:4:3: only strings and comments may hold characters beyond ASCII");
  EXPECT_EQ(error_with("[config]", "\xe2\xba\xa8 [config]"),
            "copy_2d.cuh:15:1: only strings and comments may hold characters beyond ASCII");
  const std::string source = with(with(fixture("copy_2d.cuh"), "y = x for", "\u00fc\u4e2d\\\" \u00fc"), "[config]",
                                  "# \u00fc\u4e2d\n[config]");
  EXPECT_EQ(error_of(source), "no error");
  EXPECT_EQ(parse_front_matter(source, "copy_2d.cuh").summary.substr(0, 9), "\u00fc\u4e2d\" \u00fc");
  EXPECT_EQ(error_of(with(source, "summary = \"", "summary = \"\"\"\n\u00fc'\"\"\"#")), "no error");
}

TEST(FrontMatterError, UnknownKeysComeWithTheNearestKnownOne) {
  EXPECT_EQ(error_with("where ", "wehre "),
            "copy_2d.cuh:5:1: \"wehre\" is not a key of front matter (did you mean where?)");
  EXPECT_EQ(error_with("bytes =", "byte ="), "copy_2d.cuh:20:1: \"byte\" is not a key of [cost] (did you mean bytes?)");
  EXPECT_EQ(error_with("access = \"write\"", "acess = \"write\""),
            "copy_2d.cuh:13:1: \"acess\" is not a key of a tensor argument (did you mean access?)");
  EXPECT_EQ(error_in_every_key("relative =", "rel =").substr(0, 50),
            "every_key.cuh:11:15: \"rel\" is not a key of toleran");
}

TEST(FrontMatterError, MissingKeysSayWhatTheyAreFor) {
  EXPECT_EQ(error_with("grid    =", "# grid ="),
            "copy_2d.cuh:1:1: grid is missing: 1 to 3 expressions, the programs along x, y and z");
  EXPECT_EQ(error_with("summary =", "# summary ="),
            "copy_2d.cuh:1:1: summary is missing: one line that says what the template computes");
  EXPECT_EQ(error_with("access = \"write\"\n", ""),
            "copy_2d.cuh:10:1: tensor \"y\" needs access = \"read\", \"write\" or \"update\"");
  EXPECT_EQ(error_with("name = \"y\"\n", ""), "copy_2d.cuh:10:1: an argument needs a name");
  EXPECT_EQ(
      error_of("/*---\nsummary = \"\"\ngrid = [1]\n---*/"),
      "copy_2d.cuh:1:1: arguments is missing: an [[arguments]] table for each parameter of the function, in order");
}

TEST(FrontMatterError, WrongTypesNameBoth) {
  EXPECT_EQ(error_with("summary = \"y", "summary = 3 #"), "copy_2d.cuh:2:11: summary is a string, not a whole number");
  EXPECT_EQ(error_with("[\"cdiv(M, BLOCK_M)\", \"cdiv(N, BLOCK_N)\"]", "\"cdiv(M, BLOCK_M)\""),
            "copy_2d.cuh:4:11: grid is an array, not a string");
  EXPECT_EQ(error_with("\"cdiv(N, BLOCK_N)\"", "1.5"),
            "copy_2d.cuh:4:32: grid is an expression (a string or a whole number), not a number with a point");
  EXPECT_EQ(error_with("[1, 4, 8, 16,", "[1, \"4\", 8, 16,"),
            "copy_2d.cuh:16:17: BLOCK_M is a whole number, not a string");
  EXPECT_EQ(error_with("\"M\", \"N\"", "\"M\", true"),
            "copy_2d.cuh:8:15: an axis in shape is a size's name or a whole number, not true or false");
}

TEST(FrontMatterError, ExpressionsAreErrorsAtTheirOwnColumnInTheFile) {
  EXPECT_EQ(error_with("\"cdiv(N, BLOCK_N)\"", "\"cdiv(N, BLOKC_N)\""),
            "copy_2d.cuh:4:41: grid: \"BLOKC_N\" is not known here (did you mean BLOCK_N or BLOCK_M?)");
  EXPECT_EQ(error_with("\"cdiv(N, BLOCK_N)\"", "\"cdiv(L, BLOCK_N)\"").substr(0, 35),
            "copy_2d.cuh:4:38: grid: \"L\" is not ");
  EXPECT_EQ(error_with("1024 * num_warps", "1024 *"),
            "copy_2d.cuh:5:79: where: a number, a name or \"(\" was expected, not the end");
  EXPECT_EQ(error_with("\"M * N * (size(x) + size(y))\"", "'''\n  M * N\n  * oops'''"),
            "copy_2d.cuh:22:5: bytes in [cost]: \"oops\" is not known here (known: M, N, BLOCK_M, BLOCK_N, num_warps, "
            "num_stages, sms, shared_limit)");
  EXPECT_EQ(error_with("\"M * N * (size(x) + size(y))\"", "\"\\u004d * \\t oops\"").substr(0, 19),
            "copy_2d.cuh:20:22: ");
}

TEST(FrontMatterError, NamesAreCheckedOnceForAll) {
  EXPECT_EQ(error_with("name = \"y\"", "name = \"x\""),
            "copy_2d.cuh:11:8: argument \"x\" stands twice, first in line 6");
  EXPECT_EQ(
      error_with("name = \"y\"", "name = \"2y\""),
      "copy_2d.cuh:11:8: an argument's name: \"2y\" is not a name: letters, digits and underscores, not a digit first");
  EXPECT_EQ(error_with("name = \"y\"", "name = \"float\""),
            "copy_2d.cuh:11:8: an argument's name: \"float\" is a word of CUDA C++");
  EXPECT_EQ(error_with("name = \"y\"", "name = \"sms\""),
            "copy_2d.cuh:11:8: an argument's name: \"sms\" has a meaning of its own here");
  EXPECT_EQ(error_with("\"M\", \"N\"", "\"M\", \"x\""), "copy_2d.cuh:8:15: size \"x\" has the name of an argument");
  EXPECT_EQ(error_with("BLOCK_M   = [1", "N   = [1"), "copy_2d.cuh:16:1: constant \"N\" has the name of a size");
  EXPECT_EQ(error_with("BLOCK_M   = [1", "view_x = [1"),
            "copy_2d.cuh:16:1: constant \"view_x\": names that start with view_ are the generator's");
}

TEST(FrontMatterError, DtypesAreFromTheClosedListOrAnotherTensors) {
  EXPECT_EQ(error_with("dtype = \"x\"", "dtype = \"z\"").substr(0, 62),
            "copy_2d.cuh:14:9: dtype: \"z\" is neither a dtype nor another te");
  EXPECT_EQ(error_with("dtype = \"x\"", "dtype = \"y\""),
            "copy_2d.cuh:14:9: dtype: \"y\" must be another tensor that is never absent and has its own dtype");
  EXPECT_EQ(error_with("dtype = \"x\"", "dtypes = [\"f32\", \"float32\"]").substr(0, 51),
            "copy_2d.cuh:14:18: dtypes: \"float32\" is not one of ");
  EXPECT_EQ(error_with("dtype = \"x\"", "dtypes = []"), "copy_2d.cuh:14:10: dtypes is empty; left out it means all");
  EXPECT_EQ(error_in_every_key("optional = true", "optional = true\ndtype = \"alpha\"").substr(0, 20),
            "every_key.cuh:37:9: ");
}

TEST(FrontMatterError, TheDefaultConfigMustBeWholeAmongTheCandidatesAndPassWhere) {
  EXPECT_EQ(error_with("BLOCK_M = 64, ", ""),
            "copy_2d.cuh:3:1: default has no value for BLOCK_M, and [config] leaves a choice");
  EXPECT_EQ(error_with("BLOCK_M = 64", "BLOCK_M = 65"),
            "copy_2d.cuh:3:23: default: BLOCK_M = 65 is not among its candidates 1, 4, 8, 16, 32, 64, 128");
  EXPECT_EQ(error_with("BLOCK_M = 64, BLOCK_N = 64", "BLOCK_M = 1, BLOCK_N = 64"),
            "copy_2d.cuh:5:12: the default Config does not pass where: BLOCK_M * BLOCK_N >= 32 * num_warps");
  EXPECT_EQ(error_with("\"BLOCK_M * BLOCK_N >= 32 * num_warps\"", "\"BLOCK_M / (BLOCK_N - 64) > 0\""),
            "copy_2d.cuh:5:21: where, for the default Config: 64 / 0 divides by zero");
  EXPECT_EQ(error_with("num_warps = 8", "num_warps = 3"),
            "copy_2d.cuh:3:53: num_warps is 1, 2, 4, 8, 12, 16 or 32, not 3");
  EXPECT_EQ(error_with("[1, 2, 4, 8]", "[1, 2, 2, 8]"), "copy_2d.cuh:18:20: num_warps: 2 stands twice");
  EXPECT_EQ(error_with("[1, 2, 4, 8]", "[]"), "copy_2d.cuh:18:13: num_warps has no candidate");
  EXPECT_EQ(error_with("BLOCK_M = 64", "BLOCK_M = 64, HUGE_ONE = 2147483648"),
            "copy_2d.cuh:3:38: HUGE_ONE = 2147483648 does not fit into a 32-bit int");
}

TEST(FrontMatterError, TheFunctionMustTakeTheArguments) {
  EXPECT_EQ(error_with("copy_2d(X x, Y y)", "copy_2d(X x, Y z)"),
            "copy_2d.cuh:23:32: parameter 2 of copy_2d is \"z\"; [[arguments]] has \"y\" there, in line 10");
  EXPECT_EQ(error_with("copy_2d(X x, Y y)", "copy_2d(Y y, X x)"),
            "copy_2d.cuh:23:27: parameter 1 of copy_2d is \"y\"; [[arguments]] has \"x\" there, in line 6");
  EXPECT_EQ(error_with("copy_2d(X x, Y y)", "copy_2d(X x)"),
            "copy_2d.cuh:23:17: copy_2d takes 1 parameters, [[arguments]] has 2: \"y\" in line 10 is missing");
  EXPECT_EQ(error_with("copy_2d(X x, Y y)", "copy_2d(X x, Y y, int n)"),
            "copy_2d.cuh:23:39: copy_2d takes 3 parameters, [[arguments]] has 2: \"n\" is not among them");
  EXPECT_EQ(
      error_with("copy_2d(X x, Y y)", "copy2d(X x, Y y)"),
      "copy_2d.cuh:1:1: the file defines no __device__ function copy_2d, the template's name (did you mean copy2d?)");
}

TEST(FrontMatterError, WhatTheCompilerNeedsCannotDependOnTheProblem) {
  EXPECT_EQ(error_in_every_key("cluster = [\"CLUSTER\", 1]", "cluster = [\"CLUSTER\", \"M\"]"),
            "every_key.cuh:8:23: cluster is fixed when the kernel is compiled; \"M\" is not known then");
  EXPECT_EQ(error_in_every_key("min_blocks = \"2 / CLUSTER\"", "min_blocks = \"sms\""),
            "every_key.cuh:9:14: min_blocks is fixed when the kernel is compiled; \"sms\" is not known then");
  EXPECT_EQ(error_in_every_key("swizzle = 128", "swizzle = \"align(a) * 8\""),
            "every_key.cuh:24:11: swizzle is fixed when the kernel is compiled; of tensors it may use size and "
            "floating alone");
  EXPECT_EQ(error_in_every_key("\"K % 8 == 0\"", "\"K % BLOCK_K == 0\""),
            "every_key.cuh:5:52: requires speaks of the Problem alone; \"BLOCK_K\" belongs to the Config, and such a "
            "condition into where");
}

TEST(FrontMatterError, FeaturesAndMapsFitEachOther) {
  EXPECT_EQ(error_in_every_key("[\"tma\", \"wgmma\", \"cluster\"]", "[\"tma\", \"wgma\", \"cluster\"]"),
            "every_key.cuh:4:17: needs: \"wgma\" is not one of tma, cluster, wgmma, setmaxnreg, fp8_convert, "
            "bf16_arithmetic, mma (did you mean wgmma?)");
  EXPECT_EQ(error_in_every_key("[\"tma\", \"wgmma\", \"cluster\"]", "[\"wgmma\", \"cluster\"]"),
            "every_key.cuh:22:1: a TMA map asks for needs = [\"tma\"]");
  EXPECT_EQ(error_in_every_key("[\"tma\", \"wgmma\", \"cluster\"]", "[\"tma\"]"),
            "every_key.cuh:8:1: cluster asks for needs = [\"cluster\"]");
  EXPECT_EQ(error_in_every_key("box = [\"BLOCK_M\", \"BLOCK_K\"]", "box = [\"BLOCK_M\"]"),
            "every_key.cuh:23:7: box has 1 elements, the shape of \"a\" has 2 axes");
  EXPECT_EQ(error_in_every_key("via = \"tma\"\nbox", "box"),
            "every_key.cuh:22:1: box belongs to via = \"tma\" and \"either\"");
}

TEST(FrontMatterError, ScalarsAndTensorsAreToldApart) {
  EXPECT_EQ(error_in_every_key("default = 0.1", "access = \"read\""),
            "every_key.cuh:45:1: access belongs to a tensor; \"alpha\" has no shape, so it is a scalar");
  EXPECT_EQ(error_in_every_key("dtype = \"i32\"", ""),
            "every_key.cuh:46:1: \"count\" needs a shape (a tensor) or a dtype (a scalar)");
  EXPECT_EQ(error_in_every_key("dtype = \"i32\"", "dtype = \"i32\"\ndefault = 1.5"),
            "every_key.cuh:49:11: default: i32 needs a whole number, not a number with a point");
  EXPECT_EQ(error_in_every_key("dtype = \"i32\"", "dtype = \"i8\"\ndefault = 128"),
            "every_key.cuh:49:11: default: 128 is beyond what i8 holds here");
  EXPECT_EQ(error_in_every_key("dtype = \"i32\"", "dtype = \"f16\"\ndefault = 2049"),
            "every_key.cuh:49:11: default: 2049 is not exact in f16");
  EXPECT_EQ(error_in_every_key("dtype = \"i32\"", "dtype = \"i64\"\ndefault = 9007199254740993"),
            "every_key.cuh:49:11: default: 9007199254740993 is not exact in i64");
}

TEST(FrontMatterError, AFactorIsAnF64OfATensorThatIsThere) {
  const auto count_with = [](const std::string& text) { return error_in_every_key("dtype = \"i32\"", text); };
  EXPECT_EQ(count_with("dtype = \"f64\"\nfactor_of = \"a\""), "no error");
  EXPECT_EQ(count_with("dtype = \"f32\"\nfactor_of = \"a\""),
            "every_key.cuh:49:1: factor_of belongs to a scalar of f64; \"count\" is f32");
  for (const std::string other : {"bias", "alpha", "count", "M", "f32", ""}) {  // an optional tensor, and what is none
    const std::string error = count_with("dtype = \"f64\"\nfactor_of = \"" + other + "\"");
    const std::string start = "every_key.cuh:49:13: factor_of: \"" + other + "\" is no tensor that is never absent";
    EXPECT_TRUE(error.starts_with(start)) << error;
  }
  const std::string tensor = error_in_every_key("optional = true", "optional = true\nfactor_of = \"a\"");
  EXPECT_TRUE(tensor.starts_with("every_key.cuh:37:1: \"factor_of\" is not a key of a tensor argument")) << tensor;
}

TEST(FrontMatterError, OptionsAndHeadersStayAClosedSet) {
  EXPECT_EQ(error_in_every_key("--maxrregcount=168", "-I/usr/include"),
            "every_key.cuh:12:12: options: what a template reads is a closed set; there is no include path");
  EXPECT_EQ(error_in_every_key("--maxrregcount=168", "--gpu-architecture=sm_80"),
            "every_key.cuh:12:12: options: --gpu-architecture is the generator's own");
  EXPECT_EQ(error_in_every_key("block/mma.cuh", "../mma.cuh"),
            "every_key.cuh:13:8: use: \"../mma.cuh\" is not a header's name below the templates");
}

TEST(FrontMatterError, DeepNestingIsAnErrorNotACrash) {
  const auto block = [](const std::string& text) { return "/*---\n" + text + "\n---*/"; };
  std::string dotted = "a";
  for (int i = 0; i < 20000; ++i) dotted += ".a";
  EXPECT_NE(error_of(block(dotted + " = 1")).find("more than 16 dots"), std::string::npos);
  EXPECT_NE(error_of(block("[" + dotted + "]")).find("more than 16 dots"), std::string::npos);
  EXPECT_NE(error_of(block("a = " + std::string(20000, '[') + std::string(20000, ']'))), "no error");
  std::string tables = "x = 1";
  for (int i = 0; i < 12; ++i) tables = "a = { " + tables + " }";
  EXPECT_NE(error_of(block(tables)).find("nest deeper than 8"), std::string::npos);
  EXPECT_NE(error_of(block(std::string(70000, '\n'))).find("70002 bytes; 65536 fit"), std::string::npos);
}

TEST(FrontMatterError, DamagedTemplatesEndInAPlacedErrorOrAreReadWhole) {
  std::mt19937 random(11);
  const std::string pieces[] = {
      "\"",  "[",         "]",     "[[", "{",  "}", "=", "\n", ".",       ",",    "#",
      "'''", "\"\"\"",    "---*/", "*/", "\\", "1", "-", "M",  "size(x)", "\xff", std::string(1, '\0'),
      "inf", "1979-05-27"};
  const std::string sound[] = {fixture("copy_2d.cuh"), fixture("every_key.cuh")};
  int read = 0;
  for (int i = 0; i < 2500; ++i) {
    std::string source = sound[i % 2];
    for (unsigned n = random() % 3 + 1; n > 0; --n) {
      const std::size_t at = random() % source.size();
      if (random() % 3 == 0)
        source.erase(at, random() % 30);
      else
        source.insert(at, pieces[random() % std::size(pieces)]);
    }
    const char* file = i % 2 == 0 ? "copy_2d.cuh" : "every_key.cuh";
    const auto lines = std::count(source.begin(), source.end(), '\n') + 1;
    try {
      parse_front_matter(source, file);
      ++read;
    } catch (const TemplateError& error) {
      ASSERT_GE(error.line(), 1) << error.what();
      ASSERT_LE(error.line(), lines) << error.what();
      ASSERT_GE(error.column(), 1) << error.what();
    }
  }
  EXPECT_GT(read, 100);
}

}  // namespace
}  // namespace tilejit
