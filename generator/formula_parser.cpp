#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include <tilejit/generator/formula.h>
#include <tilejit/generator/formula_functions.h>

namespace tilejit {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

/// Recursive descent, one character of look-ahead. statement: NAME = comparison; each level names its operators.
class FormulaParser {
 public:
  explicit FormulaParser(std::string_view text) : text_(text) {}

  Formula parse() {
    if (text_.size() > std::size_t(Formula::max_length)) {
      fail(Formula::max_length,
           fmt::format("the formula has {} characters, {} fit", text_.size(), Formula::max_length));
    }
    for (std::size_t i = 0; i < text_.size(); ++i) {
      const auto c = static_cast<unsigned char>(text_[i]);
      if (c < 0x20 || c > 0x7e) fail(i, "a character that no formula has");
    }
    formula_.text_ = text_;
    skip_space();
    const std::size_t begin = at_;
    if (!is_letter(peek())) fail(at_, "expected the output's name: \"out = ...\"");
    formula_.output_ = name();
    check_name(formula_.output_, begin);
    skip_space();
    if (!take("=") || peek() == '=') fail(at_, fmt::format("expected '=' after {}", formula_.output_));
    comparison();
    skip_space();
    if (at_ < text_.size()) {
      fail(at_, peek() == ')' ? "this parenthesis was never opened" : "expected an operator or the end");
    }
    return std::move(formula_);
  }

 private:
  using Operation = Formula::Operation;

  [[noreturn]] void fail(std::size_t at, const std::string& what) const {
    std::string shown(text_.substr(0, Formula::max_length));
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    throw FormulaError(static_cast<int>(at) + 1, what, shown);
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_space() {
    while (peek() == ' ') ++at_;
  }
  bool take(std::string_view token) {
    skip_space();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  int add(Formula::Node node) {
    formula_.nodes_.push_back(node);
    return static_cast<int>(formula_.nodes_.size()) - 1;
  }
  int add(Operation operation, int a, int b = -1, int c = -1) { return add({operation, {a, b, c}, 0, 0, false}); }

  int comparison() {
    int left = sum();
    const auto operation = [&]() -> Operation {
      if (take("<=")) return Operation::less_equal;
      if (take(">=")) return Operation::greater_equal;
      if (take("==")) return Operation::equal;
      if (take("!=")) return Operation::not_equal;
      if (take("<")) return Operation::less;
      if (take(">")) return Operation::greater;
      return Operation::number;
    };
    const Operation first = operation();
    if (first == Operation::number) return left;
    left = add(first, left, sum());
    const std::size_t after = at_;
    if (operation() != Operation::number) {
      at_ = after;
      skip_space();
      fail(at_, "comparisons do not chain; use parentheses");
    }
    return left;
  }

  int sum() {
    int left = product();
    for (;;) {
      if (take("+")) {
        left = add(Operation::add, left, product());
      } else if (take("-")) {
        left = add(Operation::subtract, left, product());
      } else {
        return left;
      }
    }
  }

  int product() {
    int left = unary();
    for (;;) {
      if (take("*")) {
        if (peek() == '*') fail(at_, "there is no operator **; use pow(a, b)");
        left = add(Operation::multiply, left, unary());
      } else if (take("/")) {
        left = add(Operation::divide, left, unary());
      } else {
        return left;
      }
    }
  }

  int unary() {
    const Nesting nesting(*this);
    if (take("-")) return add(Operation::negate, unary());
    return value();
  }

  int value() {
    skip_space();
    if (is_digit(peek()) || peek() == '.') return number();
    if (is_letter(peek())) return input_or_call();
    const std::size_t begin = at_;
    if (!take("(")) {
      fail(at_, at_ == text_.size() ? "the formula ends where a value is expected"
                                    : "expected a name, a number, a function or '('");
    }
    const int inside = comparison();
    if (!take(")")) fail(begin, "this parenthesis is never closed");
    return inside;
  }

  int number() {
    const char* const first = text_.data() + at_;
    const char* const last = text_.data() + text_.size();
    const std::size_t begin = at_;
    Formula::Node node;
    const auto [end, error] = std::from_chars(first, last, node.number);
    if (error == std::errc::result_out_of_range) fail(begin, "a number that no double holds");
    if (error != std::errc()) fail(begin, "expected a number");
    at_ += static_cast<std::size_t>(end - first);
    if (is_letter(peek()) || peek() == '.') fail(at_, "a number goes on with this character");
    const auto [whole_end, whole_error] = std::from_chars(first, last, node.whole);
    node.is_whole = whole_error == std::errc() && whole_end == end;
    return add(node);
  }

  std::string name() {
    const std::size_t begin = at_;
    while (is_letter(peek()) || is_digit(peek())) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  void check_name(const std::string& name, std::size_t begin) const {
    if (name.back() == '_') fail(begin, fmt::format("{} ends in '_', which the generated code keeps for itself", name));
    if (name.find("__") != name.npos)
      fail(begin, fmt::format("{} has two underscores together, which C++ keeps for itself", name));
    for (const FormulaFunction& function : formula_functions)
      if (function.name == name) fail(begin, fmt::format("{} is a function of {} arguments", name, function.arguments));
  }

  int input_or_call() {
    const std::size_t begin = at_;
    std::string called = name();
    skip_space();
    if (peek() == '(') return call(called, begin);
    check_name(called, begin);
    if (called == formula_.output_) {
      fail(begin, fmt::format("{} is the output; give what it held before under a name of its own, as the same tensor",
                              called));
    }
    std::vector<std::string>& inputs = formula_.inputs_;
    const auto found = std::find(inputs.begin(), inputs.end(), called);
    const auto place = static_cast<int>(found - inputs.begin());
    if (found == inputs.end()) {
      if (inputs.size() == std::size_t(Formula::max_inputs))
        fail(begin, fmt::format("more than {} inputs", Formula::max_inputs));
      inputs.push_back(std::move(called));
    }
    return add(Operation::input, place);
  }

  int call(const std::string& called, std::size_t begin) {
    const auto* function = std::find_if(formula_functions.begin(), formula_functions.end(),
                                        [&](const auto& f) { return f.name == called; });
    if (function == formula_functions.end()) {
      const std::vector<std::string> known = Formula::known_functions();
      fail(begin, fmt::format("there is no function {}; known: {}", called, fmt::join(known, ", ")));
    }
    take("(");
    int arguments[3] = {-1, -1, -1};
    for (int i = 0; i < function->arguments; ++i) {
      if (i > 0 && !take(",")) {
        skip_space();
        fail(at_, fmt::format("{} takes {} arguments: expected ','", called, function->arguments));
      }
      arguments[i] = comparison();
    }
    if (!take(")")) {
      skip_space();
      fail(at_, peek() == ',' ? fmt::format("{} takes {} argument{}", called, function->arguments,
                                            function->arguments == 1 ? "" : "s")
                              : fmt::format("expected ')' after the arguments of {}", called));
    }
    return add(function->operation, arguments[0], arguments[1], arguments[2]);
  }

  /// Counts how deep unary() stands in itself.
  class Nesting {
   public:
    explicit Nesting(FormulaParser& parser) : parser_(parser) {
      if (++parser_.depth_ > Formula::max_nesting)
        parser_.fail(parser_.at_, fmt::format("more than {} levels inside each other", Formula::max_nesting));
    }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    FormulaParser& parser_;
  };

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Formula formula_;
};

Formula Formula::parse(std::string_view text) { return FormulaParser(text).parse(); }

}  // namespace tilejit
