#include <gmock/gmock.h>

#include <tilejit/tests/ptx/snippet.h>

namespace tilejit::ptx {
namespace {

using testing::HasSubstr;

/// "line:column name < line:column" from the innermost place outward.
std::string chain(const Function& function, int location) {
  std::string result;
  for (; location >= 0; location = function.locations.at(static_cast<std::size_t>(location)).inlined_at) {
    const SourceLocation& place = function.locations.at(static_cast<std::size_t>(location));
    result += (result.empty() ? "" : " < ") + std::to_string(place.line) + ":" + std::to_string(place.column);
    if (!place.inlined_function.empty()) {
      result += " " + place.inlined_function;
    }
  }
  return result;
}

const char* const strings =
    "\t.file\t1 \"/tilejit/copy.cu\"\n\t.file 2 \"/tilejit/block.cuh\", 1700000000, 1234\n\t.section\t.debug_str\n\t{\n"
    "$L__info_string0:\n.b8 95,90,51,105,110,108,0\n$L__info_string1:\n.b8 97\n.b8 98\n.b8 99\n.b8 0\n\n\t}\n";

TEST(Locations, FollowInliningOutward) {
  const auto module =
      read_module(std::string(".visible .entry k() {\nmov.u32 a, 0;\n.loc 1 15 3\n.loc 2 11 25, function_name "
                              "$L__info_string0, inlined_at 1 15 3\n.loc 2 10 7, function_name "
                              "$L__info_string1, inlined_at 2 11 25\nmov.u32 a, 1;\n.loc 1 16 1\nret;\n}\n") +
                  strings);
  const Function& k = module->functions[0];
  EXPECT_EQ(k.body[0].location, -1);
  EXPECT_EQ(chain(k, k.body[1].location), "10:7 abc < 11:25 _Z3inl < 15:3");
  EXPECT_EQ(chain(k, k.body[2].location), "16:1");
  EXPECT_EQ(module->files.at(1), "/tilejit/copy.cu");
  EXPECT_EQ(module->files.at(2), "/tilejit/block.cuh");
}

TEST(Locations, ThePlaceItWasInlinedAtIsTheLatestOfThatName) {
  const auto module = read_module(
      ".entry k() {\n.loc 1 1 1\n.loc 1 5 5, function_name a, inlined_at 1 1 1\n.loc 1 2 2\n.loc 1 5 5, function_name "
      "a, inlined_at "
      "1 2 2\n.loc 1 9 9, function_name b, inlined_at 1 5 5\nret; }");
  const Function& k = module->functions[0];
  EXPECT_EQ(chain(k, k.body[0].location), "9:9 < 5:5 < 2:2");
}

TEST(Locations, RepeatedPlacesAreOne) {
  const auto module = read_module(".entry k() {\n.loc 1 1 1\nret;\n.loc 1 2 1\nret;\n.loc 1 1 1\nret; }");
  EXPECT_EQ(module->functions[0].locations.size(), 2u);
  EXPECT_EQ(module->functions[0].body[2].location, 0);
}

TEST(Locations, LineZeroLeavesThePlaceBeforeItInForce) {
  const auto module = read_module(".entry k() {\n.loc 1 7 1\nret;\n.loc 1 0 1\nret; }");
  EXPECT_EQ(module->functions[0].body[1].location, module->functions[0].body[0].location);
}

TEST(Locations, LineZeroBeforeAnyOtherIsNone) {
  const auto module = read_module(".entry k() {\n.loc 1 0 1\nret;\n}");
  EXPECT_EQ(module->functions[0].body[0].location, -1);
}

TEST(Locations, AnUnseenPlaceAndAMissingStringAreNoErrors) {
  const auto module = read_module(".entry k() {\n.loc 1 7 1, function_name nowhere+3, inlined_at 1 99 2\nret; }");
  EXPECT_EQ(chain(module->functions[0], module->functions[0].body[0].location), "7:1 < 99:2");
}

TEST(Locations, EachFunctionHasItsOwn) {
  const auto module = read_module(".entry a() { .loc 1 1 1\nret; }\n.entry b() { ret; }");
  EXPECT_EQ(module->functions[1].body[0].location, -1);
}

TEST(Locations, OtherDebugSectionsArePassedOver) {
  const auto module = read_module(
      ".section .debug_abbrev { .b8 1\n.b8 17 }\n.section .debug_info\n{\n.b32 115\n.b64 $Lbegin+4\n.b32 end-start\n}\n"
      ".entry k() { ret; }");
  EXPECT_EQ(module->functions.size(), 1u);
}

TEST(Locations, ABrokenLineIsNamed) {
  EXPECT_THAT(error_of_body("\n.loc 1 x 3\nret;"), HasSubstr("6:8: expected a number, found 'x'"));
  EXPECT_THAT(error_of_body(".loc 1 2 3, elsewhere 4\nret;"), HasSubstr("expected function_name or inlined_at"));
  EXPECT_THAT(error_of_body(".loc 1 99999999999 3\nret;"), HasSubstr("expected a number from 0 to 2147483647"));
}

}  // namespace
}  // namespace tilejit::ptx
