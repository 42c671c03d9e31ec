#include <tilejit/generator/expression.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace tilejit {
namespace {

using Kind = Expression::Op::Kind;
constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();

[[noreturn]] void fail(const std::string& text, int column, const std::string& what) {
  throw ExpressionError(column, what, text);
}

const char* sign_of(Kind kind) {
  switch (kind) {
    case Kind::add:
      return "+";
    case Kind::sub:
    case Kind::negate:
      return "-";
    case Kind::mul:
      return "*";
    case Kind::div:
      return "/";
    case Kind::mod:
      return "%";
    default:
      return "cdiv";
  }
}

enum class Outcome { good, overflow, zero };

Outcome divide(Kind kind, std::int64_t a, std::int64_t b, std::int64_t& result) {
  if (b == 0) return Outcome::zero;
  if (a == lowest && b == -1) {
    result = 0;
    return kind == Kind::mod ? Outcome::good : Outcome::overflow;
  }
  const std::int64_t quotient = a / b, rest = a % b;
  if (kind == Kind::mod)
    result = rest;
  else
    result = quotient + (kind == Kind::cdiv && rest != 0 && (rest < 0) == (b < 0) ? 1 : 0);
  return Outcome::good;
}

Outcome apply(Kind kind, std::int64_t a, std::int64_t b, std::int64_t& result) {
  const auto checked = [](bool overflows) { return overflows ? Outcome::overflow : Outcome::good; };
  switch (kind) {
    case Kind::add:
      return checked(__builtin_add_overflow(a, b, &result));
    case Kind::sub:
      return checked(__builtin_sub_overflow(a, b, &result));
    case Kind::mul:
      return checked(__builtin_mul_overflow(a, b, &result));
    case Kind::lt:
      result = a < b;
      break;
    case Kind::le:
      result = a <= b;
      break;
    case Kind::gt:
      result = a > b;
      break;
    case Kind::ge:
      result = a >= b;
      break;
    case Kind::eq:
      result = a == b;
      break;
    case Kind::ne:
      result = a != b;
      break;
    case Kind::min:
      result = std::min(a, b);
      break;
    case Kind::max:
      result = std::max(a, b);
      break;
    default:
      return divide(kind, a, b, result);
  }
  return Outcome::good;
}

}  // namespace

ExpressionError::ExpressionError(int column, std::string what_is_wrong, std::string_view text)
    : InvalidArgument(text.empty() ? fmt::format("column {}: {}", column, what_is_wrong)
                                   : fmt::format("expression \"{}\", column {}: {}", text, column, what_is_wrong)),
      column_(column),
      what_is_wrong_(std::move(what_is_wrong)) {}
ExpressionError::~ExpressionError() = default;

std::int64_t Expression::evaluate(const Scope& scope) const {
  std::array<std::int64_t, max_pending> stack;
  std::size_t height = 0;
  const auto value_at = [](const auto& list, std::int64_t index) -> const auto& {
    if (static_cast<std::size_t>(index) >= list.size())
      throw std::logic_error("Expression::evaluate: the scope holds less than the symbols named");
    return list[static_cast<std::size_t>(index)];
  };
  for (std::size_t next = 0; next < ops_.size(); ++next) {
    const Op& op = ops_[next];
    switch (op.kind) {
      case Kind::number:
        stack[height++] = op.operand;
        break;
      case Kind::value:
        stack[height++] = value_at(scope.values, op.operand);
        break;
      case Kind::size:
        stack[height++] = value_at(scope.tensors, op.operand).element_size;
        break;
      case Kind::floating:
        stack[height++] = value_at(scope.tensors, op.operand).floating;
        break;
      case Kind::align:
        stack[height++] = value_at(scope.tensors, op.operand).align;
        break;
      case Kind::stride: {
        const Scope::TensorFacts& tensor = value_at(scope.tensors, op.operand);
        if (op.axis >= tensor.rank)
          fail(text_, op.column, fmt::format("no axis {} in a tensor of rank {}", op.axis, tensor.rank));
        stack[height++] = tensor.strides[static_cast<std::size_t>(op.axis)];
        break;
      }
      case Kind::negate:
        if (stack[height - 1] == lowest)
          fail(text_, op.column, fmt::format("-({}) overflows 64 bits", stack[height - 1]));
        stack[height - 1] = -stack[height - 1];
        break;
      case Kind::logical_not:
        stack[height - 1] = stack[height - 1] == 0;
        break;
      case Kind::truth:
        stack[height - 1] = stack[height - 1] != 0;
        break;
      case Kind::jump_if_false:
      case Kind::jump_if_true: {
        const bool truth = stack[height - 1] != 0;
        if (truth == (op.kind == Kind::jump_if_true)) {
          stack[height - 1] = truth;
          next = static_cast<std::size_t>(op.operand) - 1;
        } else {
          --height;
        }
        break;
      }
      default: {
        const std::int64_t b = stack[--height], a = stack[height - 1];
        const Outcome outcome = apply(op.kind, a, b, stack[height - 1]);
        if (outcome == Outcome::good) break;
        const char* sign = sign_of(op.kind);
        const std::string operation =
            op.kind == Kind::cdiv ? fmt::format("cdiv({}, {})", a, b) : fmt::format("{} {} {}", a, sign, b);
        fail(text_, op.column,
             outcome == Outcome::zero ? fmt::format("{} divides by zero", operation)
                                      : fmt::format("{} overflows 64 bits", operation));
      }
    }
  }
  return stack[0];
}

bool Expression::uses_value(std::size_t index) const {
  return std::any_of(ops_.begin(), ops_.end(), [&](const Op& op) {
    return op.kind == Kind::value && op.operand == static_cast<std::int64_t>(index);
  });
}

bool Expression::uses_tensor(std::size_t index) const {
  return std::any_of(ops_.begin(), ops_.end(), [&](const Op& op) {
    const bool tensor =
        op.kind == Kind::size || op.kind == Kind::floating || op.kind == Kind::align || op.kind == Kind::stride;
    return tensor && op.operand == static_cast<std::int64_t>(index);
  });
}

bool Expression::uses_layout() const {
  return std::any_of(ops_.begin(), ops_.end(),
                     [](const Op& op) { return op.kind == Kind::align || op.kind == Kind::stride; });
}

}  // namespace tilejit
