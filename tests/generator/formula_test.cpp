#include <tilejit/generator/formula.h>

#include <gmock/gmock.h>

#include <tilejit/generator/elementwise_source.h>

namespace tilejit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string refused(const std::string& text, int column) {
  try {
    Formula::parse(text);
  } catch (const FormulaError& error) {
    EXPECT_EQ(error.column(), column) << text << "\n" << error.what();
    return error.what();
  }
  ADD_FAILURE() << text << " was taken";
  return {};
}

TEST(Formula, NamesComeInOrderOfFirstAppearance) {
  const Formula formula = Formula::parse("out = gelu(x * alpha + bias) - x");
  EXPECT_EQ(formula.output(), "out");
  EXPECT_THAT(formula.inputs(), ElementsAre("x", "alpha", "bias"));
}

TEST(Formula, OperatorsBindAsInC) {
  const auto text = [](const char* formula) {
    return formula_statements(Formula::parse(formula), "float", {"a", "b", "c"}, "");
  };
  EXPECT_EQ(text("y = a + b * c"),
            "const float n0 = a;\nconst float n1 = b;\nconst float n2 = c;\nconst float n3 = n1 * n2;\n"
            "const float n4 = n0 + n3;\n");
  EXPECT_EQ(text("y = a - b - c"),
            "const float n0 = a;\nconst float n1 = b;\nconst float n2 = n0 - n1;\nconst float n3 = c;\n"
            "const float n4 = n2 - n3;\n");
  EXPECT_EQ(text("y = -a < b"),
            "const float n0 = a;\nconst float n1 = -n0;\nconst float n2 = b;\nconst float n3 = (float)(n1 < n2);\n");
}

TEST(Formula, KeepsIntegersUnlessSomethingMakesFractions) {
  for (const char* text : {"y = x", "y = a * b - 3", "y = where(a > b, min(a, 2), abs(b))", "y = fma(a, b, c)"})
    EXPECT_TRUE(Formula::parse(text).keeps_integers()) << text;
  for (const char* text : {"y = a / b", "y = a + 0.5", "y = exp(a)", "y = 1e3 * a"})
    EXPECT_FALSE(Formula::parse(text).keeps_integers()) << text;
}

TEST(Formula, ErrorsPointAtTheCharacter) {
  EXPECT_THAT(refused("out = x +", 10), HasSubstr("ends where a value is expected"));
  EXPECT_THAT(refused("out = (x", 7), HasSubstr("never closed"));
  EXPECT_THAT(refused("out = x)", 8), HasSubstr("never opened"));
  EXPECT_THAT(refused("out x", 5), HasSubstr("expected '=' after out"));
  EXPECT_THAT(refused("= x", 1), HasSubstr("output's name"));
  EXPECT_THAT(refused("out = out + 1", 7), HasSubstr("is the output"));
  EXPECT_THAT(refused("out = a < b < c", 13), HasSubstr("do not chain"));
  EXPECT_THAT(refused("out = tanh x", 7), HasSubstr("is a function of 1 arguments"));
  EXPECT_THAT(refused("out = pow(x)", 12), HasSubstr("takes 2 arguments"));
  EXPECT_THAT(refused("out = exp(x, y)", 12), HasSubstr("takes 1 argument"));
  EXPECT_THAT(refused("out = nothing(x)", 7), HasSubstr("known: abs, ceil"));
  EXPECT_THAT(refused("out = x ** 2", 10), HasSubstr("pow(a, b)"));
  EXPECT_THAT(refused("out = 2x", 8), HasSubstr("a number goes on"));
  EXPECT_THAT(refused("out = 1e999", 7), HasSubstr("no double"));
  EXPECT_THAT(refused("out = x; y", 8), HasSubstr("expected an operator"));
  EXPECT_THAT(refused("out = x\n+ 1", 8), HasSubstr("no formula has"));
  EXPECT_THAT(refused("out = x[0]", 8), HasSubstr("expected an operator"));
  EXPECT_THAT(refused("out = x_", 7), HasSubstr("ends in '_'"));
  EXPECT_THAT(refused("out = 2 * x__y", 11), HasSubstr("two underscores together"));
  EXPECT_THAT(refused("__syncthreads = x", 1), HasSubstr("two underscores together"));
  EXPECT_THAT(refused("", 1), HasSubstr("output's name"));
}

TEST(Formula, LimitsAreRefusedRatherThanReached) {
  refused("y = " + std::string(70, '(') + "x" + std::string(70, ')'), 69);
  EXPECT_NO_THROW(Formula::parse("y = " + std::string(60, '(') + "x" + std::string(60, ')')));
  EXPECT_THAT(refused("y = x" + std::string(5000, ' '), 4097), HasSubstr("characters"));
  std::string many = "y = a0";
  for (int i = 1; i < 30; ++i) many += "+a" + std::to_string(i);
  EXPECT_THROW(Formula::parse(many), FormulaError);
  std::string chain = "y = x";
  for (int i = 0; i < 1000; ++i) chain += "+x";
  EXPECT_NO_THROW(Formula::parse(chain));
}

TEST(ElementwiseSource, IsATemplateOfAnyRankAndFormula) {
  for (int rank = 2; rank <= 8; ++rank) {
    ElementwiseForm form;
    form.name = "elementwise_" + std::to_string(rank) + "d";
    form.rank = rank;
    // Names that the block library, front matter or C++ know too.
    form.inputs = {{"load", false, false}, {"BLOCK_M", true, false}, {"size", false, true}};
    form.output = "float";
    const Formula formula = Formula::parse("float = load * BLOCK_M + size");
    const SourceFile file = elementwise_source(formula, form);
    const FrontMatter info = parse_front_matter(file.text, file.name);
    EXPECT_EQ(info.arguments.size(), 4U);
    EXPECT_EQ(info.arguments[0].shape.size(), std::size_t(rank));
    EXPECT_EQ(file.text, elementwise_source(formula, form).text);
  }
}

}  // namespace
}  // namespace tilejit
