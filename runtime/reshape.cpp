#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include <tilejit/generator/error.h>
#include <tilejit/runtime/tensor_view.h>

namespace tilejit {
namespace {

/// Neighbouring axes that one stride walks through.
struct Run {
  std::int64_t elements, stride;
  int first_axis, last_axis;
};

/// The view's axes of extent > 1 joined into runs, innermost first. No axis may be empty.
std::vector<Run> runs_of(const TensorView& view) {
  std::vector<Run> runs;
  for (int axis = view.rank() - 1; axis >= 0; --axis) {
    const std::int64_t extent = view.shape()[axis], stride = view.strides()[axis];
    if (extent == 1) continue;
    std::int64_t next = 0;
    const bool joins =
        !runs.empty() && !__builtin_mul_overflow(runs.back().stride, runs.back().elements, &next) && next == stride;
    if (joins) {
      runs.back().elements *= extent;
      runs.back().first_axis = axis;
    } else {
      runs.push_back({extent, stride, axis, axis});
    }
  }
  return runs;
}

/// `shape` with its -1 replaced. InvalidArgument: a wrong count of elements.
std::array<std::int64_t, max_rank> extents_for(const TensorView& view, std::span<const std::int64_t> shape) {
  const auto refuse = [&](const std::string& why) {
    return InvalidArgument(fmt::format("view ({}): {}", fmt::join(shape, ", "), why));
  };
  if (shape.size() > max_rank) throw refuse(fmt::format("{} axes, the most is {}", shape.size(), max_rank));
  std::array<std::int64_t, max_rank> extents{};
  std::optional<std::size_t> open;
  std::int64_t known = 1;
  bool overflow = false, none = false;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    extents[axis] = shape[axis];
    if (shape[axis] == -1) {
      if (open) throw refuse(fmt::format("axes {} and {} are both -1", *open, axis));
      open = axis;
    } else if (shape[axis] < 0) {
      throw refuse(fmt::format("axis {} is negative", axis));
    } else {
      none |= shape[axis] == 0;
      overflow |= __builtin_mul_overflow(known, shape[axis], &known);
    }
  }
  if (none) known = 0;
  const std::int64_t elements = view.elements();
  const bool fits = open ? known != 0 && elements % known == 0 : known == elements;
  if (open && known == 0) throw refuse(fmt::format("axis {} could be anything, the other axes hold no element", *open));
  if (!fits || (overflow && !none)) {
    throw refuse(fmt::format("{} has {} elements", view.to_string(), elements));
  }
  if (open) extents[*open] = elements / known;
  return extents;
}

}  // namespace

TensorView TensorView::view(std::span<const std::int64_t> shape) const {
  const std::array<std::int64_t, max_rank> extents = extents_for(*this, shape);
  TensorView result = *this;
  result.rank_ = static_cast<std::int8_t>(shape.size());
  result.shape_ = extents;
  result.strides_ = {};
  if (elements() == 0) {
    if (std::ranges::equal(result.shape(), this->shape())) return *this;
    result = TensorView(data_, dtype_, result.shape());
    result.present_ = present_;
    return result;
  }
  const std::vector<Run> runs = runs_of(*this);
  std::size_t run = 0;
  // What is left of the run, and the stride of the next axis taken from it.
  std::int64_t left = runs.empty() ? 1 : runs[0].elements, stride = runs.empty() ? 1 : runs[0].stride;
  for (int axis = result.rank_ - 1; axis >= 0; --axis) {
    const std::int64_t extent = extents[axis];
    if (extent > 1 && left == 1) {
      ++run;
      left = runs[run].elements;
      stride = runs[run].stride;
    }
    if (left % extent != 0) {
      const Run& inner = runs[run];
      const std::string axes = inner.first_axis == inner.last_axis
                                   ? fmt::format("axis {}", inner.last_axis)
                                   : fmt::format("axes {} to {}", inner.first_axis, inner.last_axis);
      const std::string beyond =
          run + 1 < runs.size() ? fmt::format(" and go on into axis {}", runs[run + 1].last_axis) : "";
      throw InvalidArgument(fmt::format(
          "view ({}): axis {} of extent {} would have to split {}{} of {}, which no stride can; reshape copies",
          fmt::join(shape, ", "), axis, extent, axes, beyond, to_string()));
    }
    result.strides_[axis] = stride;
    left /= extent;
    if (__builtin_mul_overflow(stride, extent, &stride)) stride = 0;  // only axes of extent 1 come after it
  }
  return result;
}

TensorView TensorView::view(std::initializer_list<std::int64_t> shape) const {
  return view(std::span(shape.begin(), shape.size()));
}

}  // namespace tilejit
