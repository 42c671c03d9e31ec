#include <tilejit/generator/expression.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include <tilejit/generator/nearest.h>

namespace tilejit {

using Kind = Expression::Op::Kind;

namespace {

[[noreturn]] void fail(int column, std::string what) { throw ExpressionError(column, std::move(what)); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

struct Token {
  enum class Type { number, name, sign, end } type = Type::end;
  std::string_view text;
  int column = 1;
  bool is(std::string_view sign) const { return type == Type::sign && text == sign; }
  std::string shown() const { return type == Type::end ? "the end" : fmt::format("\"{}\"", text); }
};

Token next_token(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r')) ++at;
  Token token{Token::Type::end, text.substr(at, 0), static_cast<int>(at) + 1};
  if (at == text.size()) return token;
  std::size_t end = at + 1;
  if (is_digit(text[at]) || starts_name(text[at])) {
    token.type = is_digit(text[at]) ? Token::Type::number : Token::Type::name;
    while (end < text.size() && (is_digit(text[end]) || starts_name(text[end]))) ++end;
  } else {
    token.type = Token::Type::sign;
    for (std::string_view pair : {"<=", ">=", "==", "!=", "&&", "||"})
      if (text.substr(at, 2) == pair) end = at + 2;
    if (end == at + 1 && std::string_view("+-*/%<>!(),").find(text[at]) == std::string_view::npos) {
      std::string shown = static_cast<unsigned char>(text[at]) < 0x20 || static_cast<unsigned char>(text[at]) > 0x7e
                              ? fmt::format("byte 0x{:02x}", static_cast<unsigned char>(text[at]))
                              : fmt::format("\"{}\"", text[at]);
      std::string hint;
      if (text[at] == '.') hint = "; expressions hold whole numbers";
      if (text[at] == '=') hint = "; equality is ==";
      if (text[at] == '&') hint = "; logical and is &&";
      if (text[at] == '|') hint = "; logical or is ||";
      fail(token.column, fmt::format("{} is not part of an expression{}", shown, hint));
    }
  }
  token.text = text.substr(at, end - at);
  return token;
}

struct Binary {
  std::string_view sign;
  Kind kind;
  int level;  ///< binds tighter the higher
};
constexpr int comparison_level = 3;
constexpr Binary binaries[] = {
    {"||", Kind::jump_if_true, 1},
    {"&&", Kind::jump_if_false, 2},
    {"<", Kind::lt, 3},
    {"<=", Kind::le, 3},
    {">", Kind::gt, 3},
    {">=", Kind::ge, 3},
    {"==", Kind::eq, 3},
    {"!=", Kind::ne, 3},
    {"+", Kind::add, 4},
    {"-", Kind::sub, 4},
    {"*", Kind::mul, 5},
    {"/", Kind::div, 5},
    {"%", Kind::mod, 5},
};

const Binary* binary_of(const Token& token) {
  if (token.type != Token::Type::sign) return nullptr;
  for (const Binary& binary : binaries)
    if (binary.sign == token.text) return &binary;
  return nullptr;
}

const std::vector<std::string> functions{"cdiv", "min", "max", "size", "floating", "align", "stride"};

}  // namespace

/// Precedence climbing; emits postfix as it goes and counts how many operands wait.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const Symbols& symbols) : symbols_(symbols) {
    expression_.text_ = text;
    if (text.size() > static_cast<std::size_t>(Expression::max_length))
      fail(Expression::max_length + 1, fmt::format("an expression has at most {} characters, this one has {}",
                                                   Expression::max_length, text.size()));
    token_ = next_token(text, 0);
  }

  Expression whole() {
    if (token_.type == Token::Type::end) fail(1, "an expression is empty");
    binary(1);
    if (token_.type != Token::Type::end)
      fail(token_.column, fmt::format("{} was not expected; an operator or the end was", token_.shown()));
    return std::move(expression_);
  }

 private:
  void advance() {
    const std::string_view text = expression_.text_;
    token_ = next_token(text, static_cast<std::size_t>(token_.column) - 1 + token_.text.size());
  }

  void expect(std::string_view sign, std::string_view where) {
    if (!token_.is(sign))
      fail(token_.column, fmt::format("\"{}\" was expected {}, not {}", sign, where, token_.shown()));
    advance();
  }

  std::size_t emit(Kind kind, int column, std::int64_t operand = 0, std::int32_t axis = 0) {
    switch (kind) {
      case Kind::number:
      case Kind::value:
      case Kind::size:
      case Kind::floating:
      case Kind::align:
      case Kind::stride:
        if (++pending_ > Expression::max_pending)
          fail(column, fmt::format("more than {} operands wait for an operator here", Expression::max_pending));
        break;
      case Kind::negate:
      case Kind::logical_not:
      case Kind::truth:
        break;
      default:
        --pending_;
    }
    expression_.ops_.push_back({kind, static_cast<std::uint16_t>(column), axis, operand});
    return expression_.ops_.size() - 1;
  }

  void binary(int level) {
    unary();
    std::string_view compared;
    for (const Binary* found = binary_of(token_); found != nullptr && found->level >= level;
         found = binary_of(token_)) {
      const Token sign = token_;
      if (found->level == comparison_level) {
        if (!compared.empty())
          fail(sign.column, fmt::format("\"{}\" after a comparison: a chain is written a {} b && b {} c", sign.text,
                                        compared, sign.text));
        compared = sign.text;
      } else if (found->level < comparison_level) {
        compared = {};
      }
      advance();
      if (found->level < comparison_level) {
        const std::size_t jump = emit(found->kind, sign.column);
        binary(found->level + 1);
        emit(Kind::truth, sign.column);
        expression_.ops_[jump].operand = static_cast<std::int64_t>(expression_.ops_.size());
      } else {
        binary(found->level + 1);
        emit(found->kind, sign.column);
      }
    }
  }

  void unary() {
    if (++nesting_ > Expression::max_nesting)
      fail(token_.column, fmt::format("nested deeper than {}", Expression::max_nesting));
    const Token sign = token_;
    if (sign.is("-")) {
      advance();
      if (token_.type == Token::Type::number)
        number(sign.column, true);
      else {
        unary();
        emit(Kind::negate, sign.column);
      }
    } else if (sign.is("!")) {
      advance();
      unary();
      emit(Kind::logical_not, sign.column);
    } else {
      primary();
    }
    --nesting_;
  }

  void primary() {
    const Token token = token_;
    if (token.type == Token::Type::number) {
      number(token.column, false);
    } else if (token.type == Token::Type::name) {
      advance();
      if (token_.is("("))
        call(token);
      else
        name(token);
    } else if (token.is("(")) {
      advance();
      binary(1);
      expect(")", "to close the parenthesis");
    } else {
      fail(token.column, fmt::format("a number, a name or \"(\" was expected, not {}", token.shown()));
    }
  }

  void number(int column, bool negative) {
    const std::string_view digits = token_.text;
    if (digits.size() > 1 && digits[0] == '0') fail(token_.column, "a number has no leading zero");
    std::uint64_t value = 0;
    for (char digit : digits) {
      if (!is_digit(digit)) fail(token_.column, fmt::format("\"{}\" is neither a whole number nor a name", digits));
      if (__builtin_mul_overflow(value, std::uint64_t{10}, &value) ||
          __builtin_add_overflow(value, static_cast<std::uint64_t>(digit - '0'), &value))
        value = std::numeric_limits<std::uint64_t>::max();
      if (value > std::uint64_t{1} << 63) break;
    }
    if (value > (std::uint64_t{1} << 63) - (negative ? 0 : 1))
      fail(token_.column, fmt::format("{}{} does not fit into 64 bits", negative ? "-" : "", digits));
    emit(Kind::number, column, static_cast<std::int64_t>(negative ? ~value + 1 : value));
    advance();
  }

  void name(const Token& token) {
    const auto found = std::find(symbols_.values.begin(), symbols_.values.end(), token.text);
    if (found == symbols_.values.end()) {
      if (std::find(symbols_.tensors.begin(), symbols_.tensors.end(), token.text) != symbols_.tensors.end())
        fail(token.column,
             fmt::format("\"{0}\" is a tensor; size({0}), align({0}) and stride({0}, axis) are numbers", token.text));
      fail(token.column,
           fmt::format("\"{}\" is not known here{}", token.text, suggestion(token.text, symbols_.values)));
    }
    emit(Kind::value, token.column, found - symbols_.values.begin());
  }

  void call(const Token& function) {
    advance();
    if (function.text == "cdiv") {
      binary(1);
      expect(",", "between cdiv's two operands");
      binary(1);
      emit(Kind::cdiv, function.column);
      expect(")", "behind cdiv's two operands");
    } else if (function.text == "min" || function.text == "max") {
      binary(1);
      if (!token_.is(",")) fail(token_.column, fmt::format("{} takes two or more operands", function.text));
      while (token_.is(",")) {
        advance();
        binary(1);
        emit(function.text == "min" ? Kind::min : Kind::max, function.column);
      }
      expect(")", fmt::format("behind {}'s operands", function.text));
    } else if (function.text == "size" || function.text == "floating" || function.text == "align") {
      const std::int64_t tensor = tensor_name(function);
      emit(function.text == "size"       ? Kind::size
           : function.text == "floating" ? Kind::floating
                                         : Kind::align,
           function.column, tensor);
      expect(")", fmt::format("behind {}'s tensor", function.text));
    } else if (function.text == "stride") {
      const std::int64_t tensor = tensor_name(function);
      expect(",", "between stride's tensor and axis");
      const std::int32_t axis = axis_of(tensor);
      emit(Kind::stride, function.column, tensor, axis);
      expect(")", "behind stride's axis");
    } else {
      fail(function.column,
           fmt::format("\"{}\" is not a function{}", function.text, suggestion(function.text, functions)));
    }
  }

  std::int64_t tensor_name(const Token& function) {
    const Token token = token_;
    if (token.type != Token::Type::name)
      fail(token.column, fmt::format("{} takes a tensor's name, not {}", function.text, token.shown()));
    const auto found = std::find(symbols_.tensors.begin(), symbols_.tensors.end(), token.text);
    if (found == symbols_.tensors.end())
      fail(token.column,
           fmt::format("\"{}\" is not a tensor argument{}", token.text, suggestion(token.text, symbols_.tensors)));
    advance();
    return found - symbols_.tensors.begin();
  }

  std::int32_t axis_of(std::int64_t tensor) {
    const auto index = static_cast<std::size_t>(tensor);
    const int rank = index < symbols_.ranks.size() ? symbols_.ranks[index] : 8;
    const bool digit = token_.type == Token::Type::number && token_.text.size() == 1 && is_digit(token_.text[0]);
    const int axis = digit ? token_.text[0] - '0' : rank;
    if (token_.type != Token::Type::number)
      fail(token_.column, fmt::format("stride's axis is a number written out, not {}", token_.shown()));
    if (axis >= rank)
      fail(token_.column,
           fmt::format("\"{}\" has rank {}: there is no axis {}", symbols_.tensors[index], rank, token_.text));
    advance();
    return axis;
  }

  const Symbols& symbols_;
  Expression expression_;
  Token token_;
  int nesting_ = 0, pending_ = 0;
};

Expression Expression::parse(std::string_view text, const Symbols& symbols) {
  return ExpressionParser(text, symbols).whole();
}

}  // namespace tilejit
