#include <tilejit/runtime/ops/axes.h>

#include <fmt/format.h>

#include <algorithm>

#include <tilejit/generator/error.h>

namespace tilejit {
namespace {

std::uint64_t size_of_stride(std::int64_t stride) {
  return stride < 0 ? std::uint64_t{0} - std::uint64_t(stride) : std::uint64_t(stride);
}

}  // namespace

Axes Axes::over(std::span<const std::int64_t> shape, std::span<const TensorView* const> views) {
  Axes axes;
  axes.rank = static_cast<int>(shape.size());
  std::copy(shape.begin(), shape.end(), axes.extents.begin());
  for (const TensorView* view : views) {
    Operand operand;
    const int missing = axes.rank - view->rank();
    for (int axis = 0; axis < view->rank(); ++axis)
      operand.strides[std::size_t(missing + axis)] = view->shape()[axis] == 1 ? 0 : view->strides()[axis];
    axes.operands.push_back(operand);
  }
  return axes;
}

void Axes::swap(int a, int b) {
  std::swap(extents[std::size_t(a)], extents[std::size_t(b)]);
  for (Operand& operand : operands) std::swap(operand.strides[std::size_t(a)], operand.strides[std::size_t(b)]);
}

void Axes::move_to(int from, int to) {
  for (; from < to; ++from) swap(from, from + 1);
  for (; from > to; --from) swap(from, from - 1);
}

void Axes::require(int at_least) {
  for (; rank < at_least; ++rank) {
    extents[std::size_t(rank)] = 1;
    for (Operand& operand : operands) operand.strides[std::size_t(rank)] = 0;
    move_to(rank, 0);
  }
}

void Axes::simplify(std::size_t leader) {
  for (int axis = 0; axis < rank;) {
    if (extents[std::size_t(axis)] != 1) {
      ++axis;
      continue;
    }
    move_to(axis, rank - 1);
    --rank;
  }
  for (int axis = 0; axis < rank; ++axis) {
    const auto at = std::size_t(axis);
    if (operands[leader].strides[at] >= 0) continue;
    for (Operand& operand : operands) {
      operand.offset += operand.strides[at] * (extents[at] - 1);
      operand.strides[at] = -operand.strides[at];
    }
  }
  // Larger strides first; among equal ones those of the other operands decide.
  const auto outside = [&](int a, int b) {
    const auto key = [&](const Operand& operand, int axis) {
      return size_of_stride(operand.strides[std::size_t(axis)]);
    };
    if (key(operands[leader], a) != key(operands[leader], b))
      return key(operands[leader], a) > key(operands[leader], b);
    for (const Operand& operand : operands)
      if (key(operand, a) != key(operand, b)) return key(operand, a) > key(operand, b);
    return false;
  };
  for (int i = 1; i < rank; ++i)
    for (int k = i; k > 0 && outside(k, k - 1); --k) swap(k, k - 1);
  fold();
}

void Axes::fold() {
  for (int axis = rank - 1; axis > 0; --axis) {
    const auto inner = std::size_t(axis), outer = std::size_t(axis - 1);
    const bool together = std::all_of(operands.begin(), operands.end(), [&](const Operand& operand) {
      std::int64_t next = 0;
      return !__builtin_mul_overflow(operand.strides[inner], extents[inner], &next) && operand.strides[outer] == next;
    });
    if (!together) continue;
    extents[outer] *= extents[inner];
    for (Operand& operand : operands) operand.strides[outer] = operand.strides[inner];
    move_to(axis, rank - 1);
    --rank;
  }
}

TensorView Axes::layout(std::size_t i, DType dtype) const {
  return TensorView(nullptr, dtype, std::span(extents.data(), std::size_t(rank)),
                    std::span(operands[i].strides.data(), std::size_t(rank)));
}

void check_broadcast(const std::string& op, std::span<const NamedView> inputs, const NamedView& output) {
  const auto refuse = [&](const NamedView& a, int a_axis, const NamedView& b, int b_axis) {
    throw InvalidArgument(
        fmt::format("{}: {} and {} do not broadcast: axis {} of {} is {} long, axis {} of {} is {}; {} is {}, "
                    "{} is {}",
                    op, *a.name, *b.name, a_axis, *a.name, a.view->shape()[a_axis], b_axis, *b.name,
                    b.view->shape()[b_axis], *a.name, a.view->to_string(), *b.name, b.view->to_string()));
  };
  // Axis by axis from the last one: the first input that is longer than 1 there, and whether all others agree.
  for (int from_end = 1; from_end <= max_rank; ++from_end) {
    const NamedView* longest = nullptr;
    for (const NamedView& input : inputs) {
      const int axis = input.view->rank() - from_end;
      if (axis < 0 || input.view->shape()[axis] == 1) continue;
      if (longest == nullptr) longest = &input;
      const int other = longest->view->rank() - from_end;
      if (longest->view->shape()[other] != input.view->shape()[axis]) refuse(*longest, other, input, axis);
    }
    if (longest == nullptr) continue;
    const int axis = longest->view->rank() - from_end, of_output = output.view->rank() - from_end;
    if (of_output < 0) {
      throw InvalidArgument(fmt::format("{}: axis {} of {} is {} long, {} has no such axis: {} is {}, {} is {}", op,
                                        axis, *longest->name, longest->view->shape()[axis], *output.name,
                                        *longest->name, longest->view->to_string(), *output.name,
                                        output.view->to_string()));
    }
    if (output.view->shape()[of_output] != longest->view->shape()[axis]) refuse(*longest, axis, output, of_output);
  }
}

}  // namespace tilejit
