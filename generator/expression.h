#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tilejit/cache/export.h>
#include <tilejit/generator/error.h>

namespace tilejit {

/// An expression that cannot be read or evaluated. The column counts from 1, in the expression's text.
class TILEJIT_API ExpressionError : public InvalidArgument {
 public:
  /// what() is "column 3: <what_is_wrong>"; for an evaluation, "expression \"<text>\", column 3: <what_is_wrong>".
  ExpressionError(int column, std::string what_is_wrong, std::string_view text = {});
  ~ExpressionError() override;
  int column() const { return column_; }
  const std::string& what_is_wrong() const { return what_is_wrong_; }

 private:
  int column_;
  std::string what_is_wrong_;
};

/// Names an expression may use, each bound to a place when it is parsed.
struct Symbols {
  std::vector<std::string> values;   ///< sizes (M), constants (BLOCK_M, num_warps), sms, shared_limit
  std::vector<std::string> tensors;  ///< what size(x), floating(x), align(x), stride(x, 1) may name
  std::vector<int> ranks;            ///< of the tensors: an axis beyond is refused; empty: not known before evaluation
};

/// What those names stand for in one evaluation. Borrowed; index as in Symbols.
struct Scope {
  struct TensorFacts {
    std::int64_t element_size = 0;  ///< bytes
    std::int64_t align = 0;         ///< bytes, 1 to 16
    int rank = 0;
    std::array<std::int64_t, 8> strides{};  ///< elements
    bool present = true;                    ///< false: an optional tensor left out; its numbers are 0
    bool floating = false;                  ///< its dtype is a float
  };
  std::span<const std::int64_t> values;
  std::span<const TensorFacts> tensors;
};

/// An int64 expression: decimal numbers, + - * / % (C's truncation), comparisons (which do not chain: a < b < c is an
/// error), && || !, parentheses, cdiv(a, b) (rounds up), min and max of two or more, size(x) (bytes of an element),
/// floating(x) (whether its dtype is a float), align(x), stride(x, axis). Truth is 1 and 0; && and || evaluate their
/// right side only where needed. Parsed once; evaluation allocates nothing, does not recurse, and is safe from all
/// threads.
class TILEJIT_API Expression {
 public:
  static constexpr int max_length = 4096;  ///< characters
  static constexpr int max_nesting = 64;   ///< parentheses, calls and unary operators inside each other
  static constexpr int max_pending = 128;  ///< operands that wait for their operator

  /// Throws ExpressionError for bad syntax, unknown names, numbers beyond int64, and text over the limits above.
  static Expression parse(std::string_view text, const Symbols& symbols);
  /// Throws ExpressionError naming the expression, the column and the operation for overflow, division by zero and an
  /// axis that the tensor has not. `scope` must hold what the symbols named.
  std::int64_t evaluate(const Scope& scope) const;
  const std::string& text() const { return text_; }
  bool uses_value(std::size_t index) const;
  bool uses_tensor(std::size_t index) const;
  bool uses_layout() const;  ///< align or stride of any tensor

  struct Op {  ///< postfix; `jump` makes && and || short
    enum class Kind : std::uint8_t {
      number,
      value,
      size,
      floating,
      align,
      stride,
      add,
      sub,
      mul,
      div,
      mod,
      lt,
      le,
      gt,
      ge,
      eq,
      ne,
      negate,
      logical_not,
      truth,
      cdiv,
      min,
      max,
      jump_if_false,
      jump_if_true
    } kind;
    std::uint16_t column;
    std::int32_t axis;
    std::int64_t operand;  ///< the number; the place of a value or tensor; a jump's target
  };

 private:
  friend class ExpressionParser;
  std::string text_;
  std::vector<Op> ops_;
};

}  // namespace tilejit
