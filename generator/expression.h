#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tilejit/cache/export.h>

namespace tilejit {

/// Names an expression may use, each bound to a place when it is parsed.
struct Symbols {
  std::vector<std::string> values;   ///< sizes (M), constants (BLOCK_M, num_warps), sms, shared_limit, scalars
  std::vector<std::string> tensors;  ///< what size(x), align(x), stride(x, 1) may name
};

/// What those names stand for in one evaluation. Borrowed; index as in Symbols.
struct Scope {
  struct TensorFacts {
    std::int64_t element_size = 0;  ///< bytes
    std::int64_t align = 0;         ///< bytes, 1 to 16
    int rank = 0;
    std::array<std::int64_t, 8> strides{};  ///< elements
  };
  std::span<const std::int64_t> values;
  std::span<const TensorFacts> tensors;
};

/// An int64 expression: + - * / % (C's truncation), comparisons, && || !, parentheses, cdiv(a, b), min, max,
/// size(x) (bytes of an element), align(x), stride(x, axis). Truth is 1 and 0; && and || evaluate their right side only
/// where needed. Parsed once; evaluation allocates nothing and is safe from all threads.
class TILEJIT_API Expression {
 public:
  /// Throws InvalidArgument "column N: ..." (from 1) for bad syntax and unknown names.
  static Expression parse(std::string_view text, const Symbols& symbols);
  /// Throws InvalidArgument naming the expression, the column and the operation for overflow and division by zero.
  std::int64_t evaluate(const Scope& scope) const;
  const std::string& text() const { return text_; }
  bool uses_value(std::size_t index) const;

  struct Op {  ///< postfix; `jump` makes && and || short
    enum class Kind : std::uint8_t {
      number,
      value,
      size,
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
    std::int64_t operand;
  };

 private:
  std::string text_;
  std::vector<Op> ops_;
};

}  // namespace tilejit
