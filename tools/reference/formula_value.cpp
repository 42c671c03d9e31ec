#include <tilejit/tools/reference/formula_value.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace tilejit::tool {
namespace {

using Operation = Formula::Operation;

/// What both kinds of numbers share: min and max that give NaN where either is, comparisons, where.
template <class T>
T shared_value(Operation operation, T a, T b, T c) {
  switch (operation) {
    case Operation::less:
      return a < b;
    case Operation::less_equal:
      return a <= b;
    case Operation::greater:
      return a > b;
    case Operation::greater_equal:
      return a >= b;
    case Operation::equal:
      return a == b;
    case Operation::not_equal:
      return a != b;
    case Operation::where:
      return a != T(0) ? b : c;
    case Operation::minimum:
      return a != a || a < b ? a : b;
    case Operation::maximum:
      return a != a || a > b ? a : b;
    case Operation::relu:
      return a < T(0) ? T(0) : a;
    default:
      return T(0);
  }
}

double value_of(Operation operation, double a, double b, double c) {
  switch (operation) {
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::negate:
      return -a;
    case Operation::absolute:
      return std::fabs(a);
    case Operation::fma:
      return std::fma(a, b, c);
    case Operation::floor:
      return std::floor(a);
    case Operation::ceil:
      return std::ceil(a);
    case Operation::round:
      return std::nearbyint(a);
    case Operation::trunc:
      return std::trunc(a);
    case Operation::exp:
      return std::exp(a);
    case Operation::exp2:
      return std::exp2(a);
    case Operation::log:
      return std::log(a);
    case Operation::log2:
      return std::log2(a);
    case Operation::sqrt:
      return std::sqrt(a);
    case Operation::rsqrt:
      return 1 / std::sqrt(a);
    case Operation::tanh:
      return std::tanh(a);
    case Operation::erf:
      return std::erf(a);
    case Operation::sigmoid:
      return 1 / (1 + std::exp(-a));
    case Operation::gelu:
      return a / 2 * (1 + std::erf(a / std::numbers::sqrt2));
    case Operation::silu:
      return a / (1 + std::exp(-a));
    case Operation::sin:
      return std::sin(a);
    case Operation::cos:
      return std::cos(a);
    case Operation::pow:
      return std::pow(a, b);
    default:
      return shared_value(operation, a, b, c);
  }
}

std::int64_t value_of(Operation operation, std::int64_t a, std::int64_t b, std::int64_t c) {
  const auto wrap = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b), z = static_cast<std::uint64_t>(c);
  switch (operation) {
    case Operation::add:
      return wrap(x + y);
    case Operation::subtract:
      return wrap(x - y);
    case Operation::multiply:
      return wrap(x * y);
    case Operation::fma:
      return wrap(x * y + z);
    case Operation::negate:
      return wrap(0 - x);
    case Operation::absolute:
      return a < 0 ? wrap(0 - x) : a;
    case Operation::floor:
    case Operation::ceil:
    case Operation::round:
    case Operation::trunc:
      return a;
    default:
      return shared_value(operation, a, b, c);
  }
}

template <class T>
T evaluated(const Formula& formula, std::span<const T> inputs) {
  std::vector<T> values;
  for (const Formula::Node& node : formula.nodes()) {
    const auto at = [&](int i) { return node.arguments[i] < 0 ? T(0) : values[std::size_t(node.arguments[i])]; };
    if (node.operation == Operation::number) {
      values.push_back(std::is_same_v<T, double> ? T(node.number) : T(node.whole));
    } else if (node.operation == Operation::input) {
      values.push_back(inputs[std::size_t(node.arguments[0])]);
    } else {
      values.push_back(value_of(node.operation, at(0), at(1), at(2)));
    }
  }
  return values.back();
}

/// The element of `tensor` that stands under `index` of a tensor it broadcasts to.
const std::byte* broadcast_at(const HostTensor& tensor, std::span<const std::int64_t> index) {
  std::int64_t offset = 0;
  const std::size_t missing = index.size() - tensor.shape.size();
  for (std::size_t axis = 0; axis < tensor.shape.size(); ++axis)
    if (tensor.shape[axis] != 1) offset += index[missing + axis] * tensor.strides[axis];
  return tensor.data + offset * std::int64_t(size_of(tensor.dtype));
}

template <class T>
T read(const FormulaInput& input, std::span<const std::int64_t> index) {
  if constexpr (std::is_same_v<T, double>) {
    if (input.number) return input.number->floating ? input.number->value : double(input.number->whole);
    return double_at(input.tensor.dtype, broadcast_at(input.tensor, index));
  } else {
    if (input.number) return input.number->whole;
    return integer_at(input.tensor.dtype, broadcast_at(input.tensor, index));
  }
}

}  // namespace

double formula_value(const Formula& formula, std::span<const double> inputs) { return evaluated(formula, inputs); }
std::int64_t formula_value(const Formula& formula, std::span<const std::int64_t> inputs) {
  return evaluated(formula, inputs);
}

void elementwise(const Formula& formula, std::span<const FormulaInput> inputs, const HostTensor& output) {
  bool fraction = !formula.keeps_integers() || is_floating(output.dtype);
  for (const FormulaInput& input : inputs)
    fraction |= input.number ? input.number->floating : is_floating(input.tensor.dtype);
  for (const std::int64_t extent : output.shape)
    if (extent == 0) return;
  std::vector<std::int64_t> index(output.shape.size(), 0);
  for (;;) {
    std::int64_t offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) offset += index[axis] * output.strides[axis];
    std::byte* const to = output.data + offset * std::int64_t(size_of(output.dtype));
    if (formula.is_plain_copy() && !inputs[0].number) {
      convert_element(inputs[0].tensor.dtype, broadcast_at(inputs[0].tensor, index), output.dtype, to);
    } else if (fraction) {
      std::vector<double> values;
      for (const FormulaInput& input : inputs) values.push_back(read<double>(input, index));
      put_double(output.dtype, to, evaluated<double>(formula, values));
    } else {
      std::vector<std::int64_t> values;
      for (const FormulaInput& input : inputs) values.push_back(read<std::int64_t>(input, index));
      put_integer(output.dtype, to, evaluated<std::int64_t>(formula, values));
    }
    std::size_t axis = index.size();
    while (axis > 0 && ++index[axis - 1] == output.shape[axis - 1]) index[--axis] = 0;
    if (axis == 0) return;
  }
}

}  // namespace tilejit::tool
