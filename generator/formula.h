#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tilejit/cache/export.h>
#include <tilejit/generator/error.h>

namespace tilejit {

/// A formula that cannot be read. The column counts from 1, in the formula's text; what() shows the text with a caret.
class TILEJIT_API FormulaError : public InvalidArgument {
 public:
  FormulaError(int column, const std::string& what_is_wrong, std::string_view text);
  ~FormulaError() override;
  int column() const { return column_; }

 private:
  int column_;
};

/// "out = gelu(x * alpha + bias)": what one output element is made of, as an elementwise kernel computes it. Names,
/// decimal numbers, + - * / and unary -, comparisons (1 or 0; they do not chain), parentheses, and the functions that
/// known_functions() lists. Read by our own parser, so that nothing else ever reaches a kernel. A value.
class TILEJIT_API Formula {
 public:
  static constexpr int max_length = 4096;  ///< characters
  static constexpr int max_nesting = 64;   ///< parentheses, calls and unary operators inside each other
  static constexpr int max_inputs = 24;

  /// FormulaError: bad syntax, unknown functions (the known ones listed), names that end in '_', the output's name on
  /// the right side.
  static Formula parse(std::string_view text);
  static std::vector<std::string> known_functions();

  enum class Operation : std::uint8_t {
    number,
    input,
    add,
    subtract,
    multiply,
    divide,
    negate,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    where,
    absolute,
    minimum,
    maximum,
    fma,
    relu,
    floor,
    ceil,
    round,
    trunc,
    exp,
    exp2,
    log,
    log2,
    sqrt,
    rsqrt,
    tanh,
    erf,
    sigmoid,
    gelu,
    silu,
    sin,
    cos,
    pow
  };
  /// One value, made of values that stand before it.
  struct Node {
    Operation operation = Operation::number;
    int arguments[3] = {-1, -1, -1};  ///< nodes; of `input` the first is the input's place
    double number = 0;
    std::int64_t whole = 0;  ///< of a number that is_whole
    bool is_whole = false;
  };

  const std::string& text() const { return text_; }
  const std::string& output() const { return output_; }
  const std::vector<std::string>& inputs() const { return inputs_; }  ///< in order of first appearance
  const std::vector<Node>& nodes() const { return nodes_; }           ///< the last one is the result
  /// Whether integers can go through it as integers: no division, no fraction, no function that has none for them.
  bool keeps_integers() const;
  bool is_plain_copy() const { return nodes_.size() == 1 && nodes_[0].operation == Operation::input; }

 private:
  friend class FormulaParser;
  std::string text_, output_;
  std::vector<std::string> inputs_;
  std::vector<Node> nodes_;
};

/// The name under which a formula's text calls an operation ("gelu"; "+" for an operator).
TILEJIT_API std::string_view name_of(Formula::Operation operation);

}  // namespace tilejit
