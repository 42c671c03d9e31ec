#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <random>

#include <tilejit/generator/error.h>
#include <tilejit/generator/expression.h>

// Random trees are printed with only the parentheses that C's precedence asks for (and some more), then read back and
// compared with a slow evaluation of the tree in 128 bits: same value, or an error at the same column.
namespace tilejit {
namespace {

__extension__ typedef __int128 Wide;

struct Node {
  std::string sign;  ///< operator or function; empty: a leaf
  std::vector<std::unique_ptr<Node>> operands;
  std::string leaf;
  std::int64_t leaf_value = 0;
  int column = 0;  ///< of sign, set by printing
};

struct Failure {
  int column;
};

int level_of(const std::string& sign) {
  if (sign == "||") return 1;
  if (sign == "&&") return 2;
  if (sign == "+" || sign == "-") return 4;
  if (sign == "*" || sign == "/" || sign == "%") return 5;
  if (sign == "cdiv" || sign == "min" || sign == "max") return 7;
  return 3;
}

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  std::unique_ptr<Node> tree(int depth) {
    auto node = std::make_unique<Node>();
    if (depth == 0 || below(5) == 0) {
      static const std::pair<const char*, std::int64_t> leaves[] = {{"0", 0},
                                                                    {"1", 1},
                                                                    {"2", 2},
                                                                    {"3", 3},
                                                                    {"7", 7},
                                                                    {"64", 64},
                                                                    {"-1", -1},
                                                                    {"-5", -5},
                                                                    {"4611686018427387904", 4611686018427387904},
                                                                    {"9223372036854775807", 9223372036854775807},
                                                                    {"-9223372036854775808", -9223372036854775807 - 1},
                                                                    {"M", 1000},
                                                                    {"N", -3},
                                                                    {"Z", 0},
                                                                    {"size(x)", 4},
                                                                    {"align(x)", 16},
                                                                    {"stride(x, 1)", -77}};
      const auto& [text, value] = leaves[below(static_cast<int>(std::size(leaves)))];
      node->leaf = text;
      node->leaf_value = value;
      return node;
    }
    static const char* signs[] = {
        "+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "cdiv", "min", "max", "neg", "!"};
    node->sign = signs[below(static_cast<int>(std::size(signs)))];
    int count = node->sign == "neg" || node->sign == "!" ? 1 : 2;
    if (node->sign == "min" || node->sign == "max") count += below(3);
    for (int i = 0; i < count; ++i) node->operands.push_back(tree(depth - 1));
    return node;
  }

  void print(Node& node, int level, std::string& out) {
    space(out);
    if (node.sign.empty()) {
      const bool negative = node.leaf[0] == '-';
      if (negative && level > 6)
        out += "(" + node.leaf + ")";
      else
        out += node.leaf;
      return;
    }
    const bool unary = node.sign == "neg" || node.sign == "!";
    const int own = unary ? 6 : level_of(node.sign);
    const bool parenthesis = own < level || (level > 0 && below(6) == 0);
    if (parenthesis) out += "(", space(out);
    if (unary) {
      node.column = static_cast<int>(out.size()) + 1;
      out += node.sign == "!" ? "!" : "-";
      // "-" before a literal would be read as the literal's sign.
      print(*node.operands[0], node.sign == "neg" && node.operands[0]->sign.empty() ? 7 : 6, out);
    } else if (own == 7) {
      node.column = static_cast<int>(out.size()) + 1;
      out += node.sign, space(out), out += "(";
      for (std::size_t i = 0; i < node.operands.size(); ++i) {
        if (i > 0) out += ",";
        print(*node.operands[i], 0, out);
      }
      space(out), out += ")";
    } else {
      print(*node.operands[0], own == 3 ? 4 : own, out);
      space(out);
      node.column = static_cast<int>(out.size()) + 1;
      out += node.sign;
      print(*node.operands[1], own + 1, out);
    }
    if (parenthesis) space(out), out += ")";
  }

 private:
  void space(std::string& out) {
    if (below(3) == 0) out += " ";
  }
  std::mt19937 random_;
};

Wide checked(Wide value, int column) {
  if (value > Wide{9223372036854775807} || value < -Wide{9223372036854775807} - 1) throw Failure{column};
  return value;
}

Wide slow(const Node& node) {
  if (node.sign.empty()) return node.leaf_value;
  const std::string& sign = node.sign;
  const Wide a = slow(*node.operands[0]);
  if (sign == "neg") return checked(-a, node.column);
  if (sign == "!") return a == 0;
  if (sign == "&&") return a != 0 && slow(*node.operands[1]) != 0;
  if (sign == "||") return a != 0 || slow(*node.operands[1]) != 0;
  if (sign == "min" || sign == "max") {
    Wide best = a;
    for (std::size_t i = 1; i < node.operands.size(); ++i) {
      const Wide other = slow(*node.operands[i]);
      if (sign == "min" ? other < best : other > best) best = other;
    }
    return best;
  }
  const Wide b = slow(*node.operands[1]);
  if (sign == "+") return checked(a + b, node.column);
  if (sign == "-") return checked(a - b, node.column);
  if (sign == "*") return checked(a * b, node.column);
  if (sign == "<") return a < b;
  if (sign == "<=") return a <= b;
  if (sign == ">") return a > b;
  if (sign == ">=") return a >= b;
  if (sign == "==") return a == b;
  if (sign == "!=") return a != b;
  if (b == 0) throw Failure{node.column};
  if (sign == "%") return a % b;
  if (sign == "/") return checked(a / b, node.column);
  Wide up = a / b;
  while (b > 0 ? up * b < a : up * b > a) ++up;
  return checked(up, node.column);
}

TEST(ExpressionProperty, AgreesWithASlowTreeInValueOrInTheColumnOfItsError) {
  const Symbols symbols{{"M", "N", "Z"}, {"x"}, {2}};
  const std::int64_t values[] = {1000, -3, 0};
  Scope::TensorFacts facts[1];
  facts[0] = {4, 16, 2, {1, -77}};
  Generator generator(20240607);
  int good = 0, bad = 0;
  for (int i = 0; i < 15000; ++i) {
    const auto tree = generator.tree(1 + generator.below(5));
    std::string text;
    generator.print(*tree, 0, text);
    if (text.size() > Expression::max_length) continue;
    std::optional<std::int64_t> expected;
    int column = 0;
    try {
      expected = static_cast<std::int64_t>(slow(*tree));
      ++good;
    } catch (const Failure& failure) {
      column = failure.column;
      ++bad;
    }
    const Expression expression = Expression::parse(text, symbols);
    try {
      const std::int64_t value = expression.evaluate({values, facts});
      ASSERT_TRUE(expected.has_value()) << text << " is an error at column " << column << ", not " << value;
      ASSERT_EQ(value, *expected) << text;
    } catch (const InvalidArgument& error) {
      ASSERT_FALSE(expected.has_value()) << text << ": " << error.what();
      ASSERT_NE(std::string(error.what()).find("\", column " + std::to_string(column) + ": "), std::string::npos)
          << text << ": " << error.what() << ", expected column " << column;
    }
  }
  EXPECT_GT(good, 3000);
  EXPECT_GT(bad, 1500);
}

TEST(ExpressionProperty, RandomBytesNeverCrashAndRandomTokensEndInAValueOrANamedError) {
  const Symbols symbols{{"M", "N"}, {"x"}, {2}};
  const std::int64_t values[] = {5, 0};
  Scope::TensorFacts facts[1];
  facts[0] = {4, 16, 2, {1, 2}};
  std::mt19937 random(7);
  const char* tokens[] = {"M",           "N",  "x",  "0", "9",     "(",    ")",
                          ",",           "+",  "-",  "*", "/",     "%",    "<",
                          "==",          "&&", "||", "!", "cdiv(", "min(", "size(x)",
                          "stride(x,1)", " ",  "q",  "&", ".",     "\xff", "9223372036854775807"};
  int evaluated = 0;
  for (int i = 0; i < 40000; ++i) {
    std::string text;
    const bool bytes = i % 4 == 0;
    for (unsigned n = random() % 12 + 1; n > 0; --n)
      text += bytes ? std::string(1, static_cast<char>(random())) : std::string(tokens[random() % std::size(tokens)]);
    try {
      Expression::parse(text, symbols).evaluate({values, facts});
      ++evaluated;
    } catch (const InvalidArgument& error) {
      ASSERT_NE(std::string(error.what()).find("column "), std::string::npos) << text;
    }
  }
  EXPECT_GT(evaluated, 400);
}

}  // namespace
}  // namespace tilejit
