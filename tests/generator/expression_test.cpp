#include <gtest/gtest.h>

#include <limits>

#include <tilejit/generator/expression.h>

namespace tilejit {
namespace {

constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();

const Symbols symbols{{"M", "N", "BLOCK_M", "zero"}, {"x", "bias"}, {2, 1}};

std::int64_t value_of(std::string_view text) {
  const std::int64_t values[] = {1000, 7, 256, 0};
  Scope::TensorFacts facts[2];
  facts[0] = {4, 16, 2, {4096, 1}};
  facts[1] = {2, 2, 1, {-3}};
  facts[1].floating = true;
  return Expression::parse(text, symbols).evaluate({values, facts});
}

std::string error_of(std::string_view text) {
  try {
    const std::int64_t value = value_of(text);
    return "no error, but " + std::to_string(value);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
}

TEST(Expression, ArithmeticIsCs) {
  EXPECT_EQ(value_of("1 + 2 * 3"), 7);
  EXPECT_EQ(value_of("(1 + 2) * 3"), 9);
  EXPECT_EQ(value_of("10 - 4 - 3"), 3);
  EXPECT_EQ(value_of("100 / 7 / 2"), 7);
  EXPECT_EQ(value_of("-7 / 2"), -3);
  EXPECT_EQ(value_of("-7 % 2"), -1);
  EXPECT_EQ(value_of("7 % -2"), 1);
  EXPECT_EQ(value_of("- - 3"), 3);
  EXPECT_EQ(value_of("2--3"), 5);
}

TEST(Expression, TruthIsOneAndZero) {
  EXPECT_EQ(value_of("5 && -1"), 1);
  EXPECT_EQ(value_of("0 || 17"), 1);
  EXPECT_EQ(value_of("!5 + !0"), 1);
  EXPECT_EQ(value_of("M >= 1000 && N < 8 || zero"), 1);
  EXPECT_EQ(value_of("1 || 0 && 0"), 1);
  EXPECT_EQ(value_of("(1 || 0) && 0"), 0);
  EXPECT_EQ(value_of("1 + 1 == 2"), 1);
  EXPECT_EQ(value_of("(1 < 2) == (3 < 4)"), 1);
}

TEST(Expression, TheRightSideOfAndAndOrIsEvaluatedOnlyWhereNeeded) {
  EXPECT_EQ(value_of("zero != 0 && 1 / zero > 1"), 0);
  EXPECT_EQ(value_of("zero == 0 || 1 / zero > 1"), 1);
  EXPECT_EQ(value_of("(zero && 1 / zero) + 3"), 3);
  EXPECT_NE(error_of("zero == 0 && 1 / zero > 1").find("divides by zero"), std::string::npos);
}

TEST(Expression, NamesAndFunctionsReadTheScope) {
  EXPECT_EQ(value_of("cdiv(M, BLOCK_M)"), 4);
  EXPECT_EQ(value_of("cdiv(M, BLOCK_M) * BLOCK_M - M"), 24);
  EXPECT_EQ(value_of("min(M, N) + max(M, N, 5000)"), 5007);
  EXPECT_EQ(value_of("M * N * (size(x) + size(bias))"), 42000);
  EXPECT_EQ(value_of("10 * floating(x) + floating(bias)"), 1);
  EXPECT_EQ(value_of("align(x) >= 16 && align(bias) == 2"), 1);
  EXPECT_EQ(value_of("stride(x, 0) + stride(x, 1) + stride(bias, 0)"), 4094);
}

TEST(Expression, CdivRoundsUpForAllSigns) {
  EXPECT_EQ(value_of("cdiv(7, 2)"), 4);
  EXPECT_EQ(value_of("cdiv(8, 2)"), 4);
  EXPECT_EQ(value_of("cdiv(-7, 2)"), -3);
  EXPECT_EQ(value_of("cdiv(7, -2)"), -3);
  EXPECT_EQ(value_of("cdiv(-7, -2)"), 4);
  EXPECT_EQ(value_of("cdiv(0, 5)"), 0);
  EXPECT_EQ(value_of("cdiv(9223372036854775807, 2)"), highest / 2 + 1);
}

TEST(Expression, OverflowIsAnErrorWithAColumn) {
  EXPECT_EQ(value_of("9223372036854775807"), highest);
  EXPECT_EQ(value_of("-9223372036854775808"), lowest);
  EXPECT_EQ(error_of("1 + 9223372036854775807"),
            "expression \"1 + 9223372036854775807\", column 3: 1 + 9223372036854775807 overflows 64 bits");
  EXPECT_EQ(error_of("M * 9223372036854775807"),
            "expression \"M * 9223372036854775807\", column 3: 1000 * 9223372036854775807 overflows 64 bits");
  EXPECT_EQ(error_of("-9223372036854775808 / -1"),
            "expression \"-9223372036854775808 / -1\", column 22: -9223372036854775808 / -1 overflows 64 bits");
  EXPECT_EQ(value_of("-9223372036854775808 % -1"), 0);
  EXPECT_NE(error_of("-(-9223372036854775808)").find("column 1: -(-9223372036854775808) overflows"), std::string::npos);
  EXPECT_NE(error_of("cdiv(-9223372036854775808, -1)").find("column 1: cdiv("), std::string::npos);
}

TEST(Expression, DivisionByZeroIsAnErrorWithAColumn) {
  EXPECT_EQ(error_of("M / zero"), "expression \"M / zero\", column 3: 1000 / 0 divides by zero");
  EXPECT_EQ(error_of("2 + M % zero"), "expression \"2 + M % zero\", column 7: 1000 % 0 divides by zero");
  EXPECT_EQ(error_of("cdiv(M, zero)"), "expression \"cdiv(M, zero)\", column 1: cdiv(1000, 0) divides by zero");
}

TEST(Expression, BadSyntaxSaysWhatWasExpectedAndWhere) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "column 1: an expression is empty"},
      {"  ", "column 1: an expression is empty"},
      {"1 +", "column 4: a number, a name or \"(\" was expected, not the end"},
      {"(1", "column 3: \")\" was expected to close the parenthesis, not the end"},
      {"1 2", "column 3: \"2\" was not expected; an operator or the end was"},
      {"1.5", "column 2: \".\" is not part of an expression; expressions hold whole numbers"},
      {"M = 2", "column 3: \"=\" is not part of an expression; equality is =="},
      {"M & 2", "column 3: \"&\" is not part of an expression; logical and is &&"},
      {"012", "column 1: a number has no leading zero"},
      {"1e5", "column 1: \"1e5\" is neither a whole number nor a name"},
      {"0x10", "column 1: a number has no leading zero"},
      {"9223372036854775808", "column 1: 9223372036854775808 does not fit into 64 bits"},
      {"-9223372036854775809", "column 2: -9223372036854775809 does not fit into 64 bits"},
      {"99999999999999999999999999", "column 1: 99999999999999999999999999 does not fit into 64 bits"},
      {"1 < 2 < 3", "column 7: \"<\" after a comparison: a chain is written a < b && b < c"},
      {"cdiv(1)", "column 7: \",\" was expected between cdiv's two operands, not \")\""},
      {"min(1)", "column 6: min takes two or more operands"},
      {"size(2)", "column 6: size takes a tensor's name, not \"2\""},
      {"stride(x, M)", "column 11: stride's axis is a number written out, not \"M\""},
      {"stride(x, 2)", "column 11: \"x\" has rank 2: there is no axis 2"},
      {"\x01", "column 1: byte 0x01 is not part of an expression"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(error_of(text), message) << text;
}

TEST(Expression, UnknownNamesComeWithTheNearestKnownOne) {
  EXPECT_EQ(error_of("cdiv(M, BLOK_M)"), "column 9: \"BLOK_M\" is not known here (did you mean BLOCK_M?)");
  EXPECT_EQ(error_of("1 + ceil(M, 2)"),
            "column 5: \"ceil\" is not a function (known: cdiv, min, max, size, floating, align, stride)");
  EXPECT_EQ(error_of("size(b1as)"), "column 6: \"b1as\" is not a tensor argument (did you mean bias?)");
  EXPECT_EQ(error_of("x * 2"), "column 1: \"x\" is a tensor; size(x), align(x) and stride(x, axis) are numbers");
}

TEST(Expression, DeepNestingAndLongTextAreErrors) {
  const auto nested = [](int depth) { return std::string(depth, '(') + "1" + std::string(depth, ')'); };
  EXPECT_EQ(value_of(nested(Expression::max_nesting - 1)), 1);
  EXPECT_NE(error_of(nested(Expression::max_nesting)).find("nested deeper than 64"), std::string::npos);
  EXPECT_NE(error_of(std::string(2000, '!') + "1").find("nested deeper"), std::string::npos);
  EXPECT_NE(error_of(std::string(2000, '(')).find("nested deeper"), std::string::npos);
  std::string sum = "1";
  while (sum.size() + 2 <= Expression::max_length) sum += "+1";
  EXPECT_EQ(value_of(sum), static_cast<std::int64_t>((sum.size() + 1) / 2));
  EXPECT_NE(error_of(sum + "+1+1").find("at most 4096 characters"), std::string::npos);
}

TEST(Expression, TooManyWaitingOperandsAreAnErrorNotACrash) {
  std::string text, end;
  for (int i = 0; i < 50; ++i) text += "1 + 1 * (", end += ")";
  EXPECT_EQ(value_of(text + "1" + end), 51);
  text.clear(), end.clear();
  for (int i = 0; i < 60; ++i) text += "1 < 1 + 1 * (", end += ")";
  EXPECT_NE(error_of(text + "1" + end).find("more than 128 operands wait"), std::string::npos);
}

TEST(Expression, ItKnowsWhichNamesItUses) {
  const Expression expression = Expression::parse("cdiv(N, BLOCK_M) * size(bias)", symbols);
  EXPECT_FALSE(expression.uses_value(0));
  EXPECT_TRUE(expression.uses_value(1));
  EXPECT_TRUE(expression.uses_value(2));
  EXPECT_FALSE(expression.uses_tensor(0));
  EXPECT_TRUE(expression.uses_tensor(1));
}

TEST(Expression, AnAxisBeyondTheTensorsRankIsAnErrorWhereRanksAreKnownLate) {
  const Expression expression = Expression::parse("stride(x, 3)", {{}, {"x"}, {}});
  Scope::TensorFacts facts[1];
  facts[0] = {4, 16, 2, {4096, 1}};
  EXPECT_THROW(expression.evaluate({{}, facts}), InvalidArgument);
  EXPECT_THROW(expression.evaluate({{}, {}}), std::logic_error);
}

}  // namespace
}  // namespace tilejit
