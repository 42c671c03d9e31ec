#include <gmock/gmock.h>

#include <cstring>

#include <tilejit/tests/ptx/snippet.h>

namespace tilejit::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The variables of a module of these lines.
struct Declared {
  explicit Declared(const std::string& lines) : module(read_module(lines)) {}
  const Variable& operator[](std::size_t i) const { return module->variables.at(i); }
  std::unique_ptr<const Module> module;
};

std::string error_in(const std::string& lines) { return error_of(".version 9.0\n.target sm_90\n" + lines); }

TEST(Declaration, SpaceTypeAlignmentVectorAndArray) {
  const Declared read(
      ".visible .global .align 16 .v4 .f32 x[2][3];\n.extern .shared .align 8 .b8 dynamic[];\n.const .u32 one;");
  EXPECT_EQ(read[0].space, "global");
  EXPECT_EQ(read[0].type, "f32");
  EXPECT_EQ(read[0].align, 16);
  EXPECT_EQ(read[0].vector, 4);
  EXPECT_EQ(read[0].elements, 6);
  EXPECT_EQ(bytes_of(read[0]), 96);
  EXPECT_TRUE(read[0].visible);
  EXPECT_EQ(read[0].line, 4);
  EXPECT_TRUE(read[1].external);
  EXPECT_EQ(read[1].elements, 0);
  EXPECT_EQ(bytes_of(read[1]), 0);
  EXPECT_EQ(read[2].elements, 1);
  EXPECT_EQ(read[2].align, 0);
}

TEST(Declaration, RegistersComeInRangesAndLists) {
  const auto module = read_body(".reg .b32 %r<12>; .reg .pred p, q; {.reg.b16 hl,hu; }");
  const auto& scopes = module->functions[0].scopes;
  ASSERT_EQ(scopes[0].variables.size(), 3u);
  EXPECT_EQ(scopes[0].variables[0].name, "%r");
  EXPECT_EQ(scopes[0].variables[0].count, 12);
  EXPECT_EQ(scopes[0].variables[1].name, "p");
  EXPECT_EQ(scopes[0].variables[2].type, "pred");
  EXPECT_EQ(scopes[0].variables[2].count, 0);
  EXPECT_EQ(scopes[1].variables.at(1).name, "hu");
}

TEST(Declaration, WeakAndCommonAreWeak) {
  const Declared read(".weak .global .u32 a; .common .global .u32 b; .global .u32 c;");
  EXPECT_TRUE(read[0].weak);
  EXPECT_TRUE(read[1].weak);
  EXPECT_FALSE(read[2].weak);
}

TEST(Declaration, AnAttributeIsPassedOver) {
  const Declared read(".global .attribute(.managed) .align 4 .u32 m;");
  EXPECT_EQ(read[0].name, "m");
  EXPECT_EQ(read[0].type, "u32");
}

TEST(Declaration, AnUnknownTypeIsData) {
  const Declared read(".global .q17 m;");
  EXPECT_EQ(read[0].type, "q17");
  EXPECT_EQ(bytes_of(read[0]), 0);
}

TEST(Initialiser, BytesAreTheTypesOwn) {
  const Declared read(
      ".global .align 1 .b8 s[6] = {104, 101, 108, 108, 111};\n.global .u16 h[2] = {1, 0x203};\n"
      ".global .s32 minus = -2;\n.const .f32 f[2] = {0f3F800000, 2.0};\n.const .f64 d = 1.0;\n.const .f32 n = -1;");
  EXPECT_THAT(read[0].initial, ElementsAre('h', 'e', 'l', 'l', 'o'));
  EXPECT_EQ(bytes_of(read[0]), 6);
  EXPECT_THAT(read[1].initial, ElementsAre(1, 0, 3, 2));
  EXPECT_THAT(read[2].initial, ElementsAre(0xFE, 0xFF, 0xFF, 0xFF));
  float floats[2];
  std::memcpy(floats, read[3].initial.data(), 8);
  EXPECT_EQ(floats[0], 1.0f);
  EXPECT_EQ(floats[1], 2.0f);
  double wide = 0;
  std::memcpy(&wide, read[4].initial.data(), 8);
  EXPECT_EQ(wide, 1.0);
  std::memcpy(floats, read[5].initial.data(), 4);
  EXPECT_EQ(floats[0], -1.0f);
}

TEST(Initialiser, RowsStartAtTheirOwnPlaceAndTheRestIsZero) {
  const Declared read(
      ".global .b8 a[3][2] = {{1}, {2, 3}};\n.global .b8 b[2][2] = {1, 2, 3};\n.global .v2 .b8 c[2] = {{1},{2,3}};");
  EXPECT_THAT(read[0].initial, ElementsAre(1, 0, 2, 3));
  EXPECT_THAT(read[1].initial, ElementsAre(1, 2, 3));
  EXPECT_THAT(read[2].initial, ElementsAre(1, 0, 2, 3));
}

TEST(Initialiser, AFloatMayHaveASign) {
  const Declared read(".const .f32 f[2] = {-1.5, -0f3F800000};\n.const .f64 d = -0d3FF0000000000000;");
  float floats[2];
  std::memcpy(floats, read[0].initial.data(), 8);
  EXPECT_EQ(floats[0], -1.5f);
  EXPECT_EQ(floats[1], -1.0f);
  double wide = 0;
  std::memcpy(&wide, read[1].initial.data(), 8);
  EXPECT_EQ(wide, -1.0);
}

TEST(Initialiser, AValueBehindARowBeginsTheNextOne) {
  const Declared read(".global .b8 a[2][2] = {{1}, 2, 3};\n.global .b8 b[2][2] = {1, {2}};");
  EXPECT_THAT(read[0].initial, ElementsAre(1, 0, 2, 3));
  EXPECT_THAT(read[1].initial, ElementsAre(1, 0, 2));
}

TEST(Initialiser, CountsWhatHasNoSize) {
  const Declared read(
      ".global .u32 a[] = {1, 2, 3};\n.global .u16 b[][2] = {{1, 2}, {3}};\n.global .v2 .u16 c[] = {{1, 2}, {3, 4}};");
  EXPECT_EQ(read[0].elements, 3);
  EXPECT_EQ(read[1].elements, 4);
  EXPECT_EQ(read[2].elements, 2);
  EXPECT_EQ(bytes_of(read[2]), 8);
}

TEST(Initialiser, AddressesKeepSymbolOffsetAndKind) {
  const Declared read(
      ".global .u64 p[4] = {7, generic(counts)+4, f, generic(t+8)};\n"
      ".global .b8 q[3] = {1, 0xFF(f), 0xFF00(generic(f)+2)};");
  ASSERT_EQ(read[0].initial_symbols.size(), 3u);
  const InitialSymbol& first = read[0].initial_symbols[0];
  EXPECT_EQ(first.offset, 8);
  EXPECT_EQ(first.symbol, "counts");
  EXPECT_EQ(first.addend, 4);
  EXPECT_TRUE(first.generic);
  EXPECT_EQ(first.bytes, 8);
  EXPECT_EQ(first.mask, ~std::uint64_t{0});
  EXPECT_EQ(read[0].initial_symbols[1].symbol, "f");
  EXPECT_FALSE(read[0].initial_symbols[1].generic);
  EXPECT_EQ(read[0].initial_symbols[2].addend, 8);
  EXPECT_EQ(read[0].initial.size(), 32u);
  EXPECT_EQ(read[0].initial[0], 7);
  EXPECT_EQ(read[1].initial_symbols.at(0).mask, 0xFFu);
  EXPECT_EQ(read[1].initial_symbols.at(1).mask, 0xFF00u);
  EXPECT_EQ(read[1].initial_symbols.at(1).bytes, 1);
  EXPECT_EQ(read[1].initial_symbols.at(1).offset, 2);
}

TEST(Initialiser, SamplerStateIsPassedOver) {
  const Declared read(
      ".global .samplerref s = { addr_mode_0 = clamp_to_edge, filter_mode = linear };\n.global .u32 next = 1;");
  EXPECT_EQ(read[0].type, "samplerref");
  EXPECT_EQ(read[1].name, "next");
}

TEST(Initialiser, TooMuchIsAnErrorWithItsLine) {
  EXPECT_THAT(error_in(".global .b8 a[2] = {1, 2, 3};"), HasSubstr("3:27: more values than the array has elements"));
  EXPECT_THAT(error_in(".global .b8 a[2][2] = {{1}, {2}, {3}};"), HasSubstr("more values than"));
  EXPECT_THAT(error_in(".global .b8 a[2][2] = {{1}, 2, {3}};"), HasSubstr("more values than"));
  EXPECT_THAT(error_in(".global .b8 a[2][2] = {{1, 2, 3}};"), HasSubstr("more values than"));
  EXPECT_THAT(error_in(".global .b8 a[2] = {{1}, 2};"), HasSubstr("more braces than the array has dimensions"));
  EXPECT_THAT(error_in(".global .b8 a[2] = 1;"), HasSubstr("expected '{', found '1'"));
  EXPECT_THAT(error_in(".global .q9 a[2] = {1};"), HasSubstr("'q9', which has no known size"));
  EXPECT_THAT(error_in(".global .b8 a[2] = {1.5};"), HasSubstr("a floating-point value for the type 'b8'"));
  EXPECT_THAT(error_in(".global .b8 a[2] = {1 2};"), HasSubstr("expected ',' or '}'"));
}

TEST(Declaration, SizesBeyondMemoryAreErrorsAndAskForNone) {
  EXPECT_THAT(error_in(".global .b8 a[9999999999][9999999999];"), HasSubstr("3:27: an array too large to address"));
  EXPECT_THAT(error_in(".global .b8 a[-1];"), HasSubstr("not a dimension"));
  EXPECT_THAT(error_in(".global .b8 a[2][];"), HasSubstr("not a dimension"));
  EXPECT_THAT(error_in(".global .b8 a[4][1000000000] = {{1}, {2}, {3}};"), HasSubstr("an initialiser with gaps"));
  EXPECT_EQ(error_in(".global .b8 a[100000000000] = {1};"), "");
  EXPECT_THAT(error_in(".global .align 0 .b8 a;"), HasSubstr("expected a number from 1 to"));
  EXPECT_THAT(error_of_body(".reg .b32 %r<0>;"), HasSubstr("expected a number from 1 to"));
}

TEST(Declaration, EveryTypeWithASizeHasIt) {
  const std::pair<const char*, int> sizes[] = {{"b8", 1},  {"s16", 2}, {"bf16", 2},  {"f16x2", 4}, {"f32", 4},
                                               {"u64", 8}, {"f64", 8}, {"b128", 16}, {"pred", 0},  {"nonsense", 0}};
  for (const auto& [type, bytes] : sizes) {
    EXPECT_EQ(bytes_of(type), bytes) << type;
  }
}

}  // namespace
}  // namespace tilejit::ptx
