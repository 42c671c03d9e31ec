#include <gmock/gmock.h>

#include <random>

#include <tilejit/generator/ptx/facts.h>
#include <tilejit/tests/ptx/snippet.h>

namespace tilejit::ptx {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

// Each of these hangs or dies, rather than fails, where a reader recurses without a limit or takes quadratic time.
constexpr std::size_t ten_megabytes = std::size_t{10} << 20;
constexpr std::size_t two_megabytes = std::size_t{2} << 20;  // of what is read to its end

std::string repeated(const std::string& piece, std::size_t size = ten_megabytes) {
  std::string result = piece;
  while (result.size() < size) {
    result += result;
  }
  return result.substr(0, size / piece.size() * piece.size());
}

const std::string header = ".version 9.0\n.target sm_90\n.address_size 64\n";
const std::string kernel = header + ".entry k() {\n";

TEST(BrokenText, TenMegabytesOfRandomBytesAreAnErrorWithALine) {
  std::mt19937 random(1);
  std::string bytes(ten_megabytes, '\0');
  for (char& byte : bytes) {
    byte = static_cast<char>(random());
  }
  EXPECT_THAT(error_of(bytes), MatchesRegex("[0-9]+:[0-9]+: .*"));
  EXPECT_THAT(error_of(header + bytes), MatchesRegex("[0-9]+:[0-9]+: .*"));
  EXPECT_THAT(error_of(kernel + bytes), MatchesRegex("[0-9]+:[0-9]+: .*"));
}

TEST(BrokenText, TenMegabytesOfRandomPrintableTextAreAnErrorWithALine) {
  std::mt19937 random(2);
  std::string bytes(ten_megabytes, ' ');
  for (char& byte : bytes) {
    byte = static_cast<char>(' ' + random() % 95);
  }
  EXPECT_THAT(error_of(header + bytes), MatchesRegex("[0-9]+:[0-9]+: .*"));
  EXPECT_THAT(error_of(kernel + bytes), MatchesRegex("[0-9]+:[0-9]+: .*"));
}

TEST(BrokenText, TenMegabytesOfOneThingAreAnErrorAtItsPlace) {
  EXPECT_THAT(error_of(kernel + repeated("{")), HasSubstr("5:256: scopes nested more than 256 deep"));
  EXPECT_THAT(error_of(kernel + "x " + repeated("{")), HasSubstr("an operand nested more than 16 deep"));
  EXPECT_THAT(error_of(kernel + "x " + repeated("(")), HasSubstr("an expression nested more than 64 deep"));
  EXPECT_THAT(error_of(kernel + "x " + repeated("[")), HasSubstr("expected an integer, found '['"));
  EXPECT_THAT(error_of(kernel + "x " + repeated("a,")), HasSubstr("5:131076: more than 65536 operands"));
  EXPECT_THAT(error_of(kernel + "x [a]" + repeated(" .b", two_megabytes)),
              HasSubstr("expected ';', found the end of the text"));
  EXPECT_THAT(error_of(kernel + repeated("a")), HasSubstr("expected an operand, found the end of the text"));
  EXPECT_THAT(error_of(kernel + repeated("a.", two_megabytes)), HasSubstr("expected an operand, found '.'"));
  EXPECT_THAT(error_of(kernel + "x " + repeated("1+", two_megabytes)),
              HasSubstr("expected an integer, found the end of the text"));
  EXPECT_THAT(error_of(kernel + "x [a" + repeated("+1", two_megabytes)),
              HasSubstr("expected ']', found the end of the text"));
  EXPECT_THAT(error_of(kernel + "x " + repeated("9")), HasSubstr("a number of more than 64 bits"));
  EXPECT_THAT(error_of(kernel + repeated("@")), HasSubstr("expected a name, found '@'"));
  EXPECT_THAT(error_of(kernel + repeated("L:")), HasSubstr("a label twice in one scope: 'L'"));
  EXPECT_THAT(error_of(kernel + repeated(".x ", two_megabytes)), HasSubstr("expected ';', found the end of the text"));
  EXPECT_THAT(error_of(header + repeated(".global .b8 a[] = {")), HasSubstr("expected an integer, found 'global'"));
  EXPECT_THAT(error_of(header + ".global .b8 a[] = " + repeated("{")), HasSubstr("more braces than"));
  EXPECT_THAT(error_of(header + ".global .b8 a" + repeated("[2]")), HasSubstr("not a dimension of an array"));
  EXPECT_THAT(error_of(header + repeated("/* ")), HasSubstr("a comment without its closing */"));
  EXPECT_THAT(error_of(header + "\"" + repeated("x")), HasSubstr("a string without its closing quote"));
  EXPECT_THAT(error_of(header + repeated("\n", two_megabytes) + "x"),
              MatchesRegex("2097[0-9]*:1: expected a directive.*"));
}

TEST(BrokenText, ManyGoodStatementsTakeTimeInProportion) {
  std::string body;
  for (int i = 0; i < 50000; ++i) {
    const std::string n = std::to_string(i);
    body += ".loc 1 " + std::to_string(i + 1) + " 3\nL" + n + ": { .reg .b32 r" + n + "; add.s32 r" + n + ", r" + n +
            ", L" + n + "; }\n";
  }
  std::string functions;
  for (int i = 0; i < 10000; ++i) {
    functions += ".shared .b8 s" + std::to_string(i) + "[4];\n.func f" + std::to_string(i) + "() { mov.u64 %rd1, s" +
                 std::to_string(i) + "; call f" + std::to_string(i / 2) + "; }\n";
  }
  const auto module = read(kernel + body + "}\n" + functions);
  const Function& k = module->functions[0];
  EXPECT_EQ(k.scopes.size(), 50001u);
  EXPECT_EQ(k.locations.size(), 50000u);
  for (const Function& function : module->functions) {
    EXPECT_LE(facts_of(*module, function).shared_bytes, 4 * 16);
  }
}

TEST(BrokenText, TheEndInTheMiddleOfAKernelIsAnErrorOnTheLastLine) {
  EXPECT_THAT(error_of(kernel + "ld.global.f32 %f1, [%rd1];\n"),
              HasSubstr("6:1: expected a statement or '}', found the end"));
  EXPECT_THAT(error_of(kernel + "ld.global.f32 %f1,"), HasSubstr("5:19: expected an operand, found the end"));
  EXPECT_THAT(error_of(header + ".entry k(.param .u64 a,"), HasSubstr("4:24: expected a parameter (.param or .reg)"));
  EXPECT_THAT(error_of(header + ".entry k()"), HasSubstr("4:11: expected ';', found the end of the text"));
  EXPECT_THAT(error_of(header + ".section .debug_info {"), HasSubstr("expected '}', found the end"));
  EXPECT_THAT(error_of(header + ".section .debug_str {"), HasSubstr("expected a label, .b8 or '}'"));
  EXPECT_THAT(error_of(header + ".visible"), HasSubstr("expected a function or a variable"));
}

TEST(BrokenText, AClosingBraceTooManyIsAnError) {
  EXPECT_THAT(error_of(kernel + "}\n}"), HasSubstr("6:1: expected a directive, a function or a variable, found '}'"));
}

}  // namespace
}  // namespace tilejit::ptx
