#include <tilejit/runtime/tensor_view.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <tilejit/generator/error.h>

namespace tilejit {
namespace {

std::string text_of(std::span<const std::int64_t> values) { return fmt::format("({})", fmt::join(values, ", ")); }

/// More axes are refused by the constructor, which must not read past its arrays before.
std::size_t clipped_rank(std::span<const std::int64_t> shape) { return std::min<std::size_t>(shape.size(), max_rank); }

std::array<std::int64_t, max_rank> contiguous_strides(std::span<const std::int64_t> shape) {
  std::array<std::int64_t, max_rank> strides{};
  std::int64_t stride = 1;
  for (std::size_t axis = clipped_rank(shape); axis-- > 0;) {
    strides[axis] = stride;
    // What overflows here is refused by the constructor.
    if (__builtin_mul_overflow(stride, std::max<std::int64_t>(shape[axis], 1), &stride)) stride = 0;
  }
  return strides;
}

/// The address `index` steps of `stride` on. Unsigned, because the strides of an empty view may be anything.
void* moved(void* data, std::int64_t index, std::int64_t stride, DType dtype) {
  return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(data) +
                                 std::uintptr_t(index) * std::uintptr_t(stride) * size_of(dtype));
}

std::int64_t wrapping_product(std::int64_t a, std::int64_t b) {
  return std::int64_t(std::uint64_t(a) * std::uint64_t(b));
}

}  // namespace

TensorView::TensorView(void* data, DType dtype, std::span<const std::int64_t> shape)
    : TensorView(data, dtype, shape,
                 std::span<const std::int64_t>(contiguous_strides(shape)).first(clipped_rank(shape))) {}

TensorView::TensorView(void* data, DType dtype, std::span<const std::int64_t> shape,
                       std::span<const std::int64_t> strides)
    : data_(data), dtype_(dtype), present_(true), rank_(static_cast<std::int8_t>(shape.size())) {
  if (shape.size() > max_rank) {
    throw InvalidArgument(fmt::format("shape {} has {} axes, the most is {}", text_of(shape), shape.size(), max_rank));
  }
  if (strides.size() != shape.size()) {
    throw InvalidArgument(fmt::format("shape {} has {} axes, strides {} are {}", text_of(shape), shape.size(),
                                      text_of(strides), strides.size()));
  }
  // What an int64 holds from here on: the element count and every byte offset inside the view.
  std::int64_t elements = 1, reach = 0;
  bool overflow = false, none = false;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] < 0) throw InvalidArgument(fmt::format("axis {} of shape {} is negative", axis, text_of(shape)));
    none |= shape[axis] == 0;
    shape_[axis] = shape[axis];
    strides_[axis] = strides[axis];
    std::int64_t along = 0;
    overflow |= __builtin_mul_overflow(elements, shape[axis], &elements);
    overflow |= __builtin_mul_overflow(shape[axis] - 1, strides[axis], &along);
    overflow |= along == INT64_MIN || __builtin_add_overflow(reach, along < 0 ? -along : along, &reach);
  }
  std::int64_t bytes = 0;
  overflow |= __builtin_mul_overflow(elements, std::int64_t(size_of(dtype)), &bytes);
  overflow |= __builtin_add_overflow(reach, 1, &reach);
  overflow |= __builtin_mul_overflow(reach, std::int64_t(size_of(dtype)), &bytes);
  if (overflow && !none) {
    throw InvalidArgument(fmt::format("{} holds or reaches over 2^63 bytes or more", to_string()));
  }
}

TensorView::TensorView(void* data, DType dtype, std::initializer_list<std::int64_t> shape)
    : TensorView(data, dtype, std::span(shape.begin(), shape.size())) {}

TensorView::TensorView(void* data, DType dtype, std::initializer_list<std::int64_t> shape,
                       std::initializer_list<std::int64_t> strides)
    : TensorView(data, dtype, std::span(shape.begin(), shape.size()), std::span(strides.begin(), strides.size())) {}

int TensorView::axis_of(int axis, int end, const char* verb) const {
  if (axis >= -end && axis < end) return axis < 0 ? axis + end : axis;
  const std::string range = end == 0 ? "it has none" : fmt::format("-{} to {} would do", end, end - 1);
  throw InvalidArgument(fmt::format("{}: no axis {} in {}; {}", verb, axis, to_string(), range));
}

std::int64_t TensorView::size(int axis) const { return shape_[axis_of(axis, rank_, "size")]; }
std::int64_t TensorView::stride(int axis) const { return strides_[axis_of(axis, rank_, "stride")]; }

std::int64_t TensorView::elements() const {
  std::int64_t product = present_ ? 1 : 0;
  for (int axis = 0; axis < rank_; ++axis) {
    if (shape_[axis] == 0) return 0;
    product = wrapping_product(product, shape_[axis]);  // wraps only where a later axis is empty
  }
  return product;
}

bool TensorView::is_contiguous() const {
  std::int64_t expected = 1;
  bool gaps = false;
  for (int axis = rank_ - 1; axis >= 0; --axis) {
    if (shape_[axis] == 0) return true;
    if (shape_[axis] == 1 || gaps) continue;
    gaps = strides_[axis] != expected;
    expected = wrapping_product(expected, shape_[axis]);
  }
  return !gaps;
}

TensorView::Extent TensorView::byte_extent() const {
  if (elements() == 0) return {0, 0};
  Extent extent{0, 1};
  for (int axis = 0; axis < rank_; ++axis) {
    const std::int64_t along = (shape_[axis] - 1) * strides_[axis];
    (along < 0 ? extent.lowest : extent.end) += along;
  }
  const auto size = static_cast<std::int64_t>(size_of(dtype_));
  return {extent.lowest * size, extent.end * size};
}

TensorView TensorView::t() const {
  if (rank_ > 2)
    throw InvalidArgument(fmt::format("t: {} has {} axes, the most is 2; permute takes any", to_string(), rank()));
  return rank_ == 2 ? transpose(0, 1) : *this;
}

TensorView TensorView::permute(std::span<const int> axes) const {
  if (axes.size() != static_cast<std::size_t>(rank_)) {
    throw InvalidArgument(fmt::format("permute: {} axes given for {}", axes.size(), to_string()));
  }
  TensorView result = *this;
  std::array<bool, max_rank> seen{};
  for (int to = 0; to < rank_; ++to) {
    const int from = axis_of(axes[to], rank_, "permute");
    if (seen[from]) throw InvalidArgument(fmt::format("permute: axis {} of {} is named twice", from, to_string()));
    seen[from] = true;
    result.shape_[to] = shape_[from];
    result.strides_[to] = strides_[from];
  }
  return result;
}

TensorView TensorView::permute(std::initializer_list<int> axes) const {
  return permute(std::span(axes.begin(), axes.size()));
}

TensorView TensorView::transpose(int axis, int other) const {
  TensorView result = *this;
  axis = axis_of(axis, rank_, "transpose");
  other = axis_of(other, rank_, "transpose");
  std::swap(result.shape_[axis], result.shape_[other]);
  std::swap(result.strides_[axis], result.strides_[other]);
  return result;
}

TensorView TensorView::slice(int axis, std::int64_t start, std::int64_t stop, std::int64_t step) const {
  axis = axis_of(axis, rank_, "slice");
  if (step == 0) throw InvalidArgument(fmt::format("slice: step 0 along axis {} of {}", axis, to_string()));
  const std::int64_t size = shape_[axis];
  const std::int64_t lowest = step > 0 ? 0 : -1, highest = step > 0 ? size : size - 1;
  const auto clamp = [&](std::int64_t at) { return std::clamp(at < 0 ? at + size : at, lowest, highest); };
  const std::int64_t first = clamp(start), last = clamp(stop);
  const std::int64_t distance = step > 0 ? last - first : first - last;
  TensorView result = *this;
  if (distance <= 0) {
    result.shape_[axis] = 0;
    return result;
  }
  // |step| as unsigned: the most negative one has no positive.
  const std::uint64_t pace = step > 0 ? std::uint64_t(step) : 0 - std::uint64_t(step);
  result.shape_[axis] = 1 + static_cast<std::int64_t>((std::uint64_t(distance) - 1) / pace);
  result.data_ = moved(data_, first, strides_[axis], dtype_);
  // With one element left the stride is not used, and its product may not exist.
  if (result.shape_[axis] > 1) result.strides_[axis] = wrapping_product(strides_[axis], step);
  return result;
}

TensorView TensorView::select(int axis, std::int64_t index) const {
  axis = axis_of(axis, rank_, "select");
  const std::int64_t size = shape_[axis];
  if (index < -size || index >= size) {
    throw InvalidArgument(
        fmt::format("select: index {} along axis {} of {}: its extent is {}", index, axis, to_string(), size));
  }
  TensorView result = without_axis(axis);
  result.data_ = moved(data_, index < 0 ? index + size : index, strides_[axis], dtype_);
  return result;
}

TensorView TensorView::broadcast_to(std::span<const std::int64_t> shape) const {
  const auto refuse = [&](const std::string& why) {
    return InvalidArgument(fmt::format("broadcast_to {}: {} {}", text_of(shape), to_string(), why));
  };
  if (shape.size() < static_cast<std::size_t>(rank_)) throw refuse("has more axes");
  if (shape.size() > max_rank) throw refuse(fmt::format("may have {} axes at most", max_rank));
  const std::size_t added = shape.size() - rank_;
  std::array<std::int64_t, max_rank> extents{}, strides{};
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const bool is_new = axis < added;
    const std::int64_t own = is_new ? 1 : shape_[axis - added];
    if (shape[axis] < 0 && (is_new || shape[axis] != -1)) {
      throw refuse(fmt::format("cannot take extent {} on axis {}", shape[axis], axis));
    }
    extents[axis] = shape[axis] == -1 ? own : shape[axis];
    if (own != 1 && own != extents[axis]) {
      throw refuse(fmt::format("has extent {} on axis {}, only 1 repeats", own, axis - added));
    }
    strides[axis] = is_new || own != extents[axis] ? 0 : strides_[axis - added];
  }
  TensorView result(data_, dtype_, std::span(extents).first(shape.size()), std::span(strides).first(shape.size()));
  result.present_ = present_;
  return result;
}

TensorView TensorView::broadcast_to(std::initializer_list<std::int64_t> shape) const {
  return broadcast_to(std::span(shape.begin(), shape.size()));
}

TensorView TensorView::squeeze(int axis) const {
  if (rank_ == 0 && (axis == 0 || axis == -1)) return *this;
  axis = axis_of(axis, rank_, "squeeze");
  return shape_[axis] == 1 ? without_axis(axis) : *this;
}

TensorView TensorView::unsqueeze(int axis) const {
  if (rank_ == max_rank)
    throw InvalidArgument(fmt::format("unsqueeze: {} has {} axes already, the most", to_string(), rank()));
  axis = axis_of(axis, rank_ + 1, "unsqueeze");
  TensorView result = *this;
  ++result.rank_;
  std::shift_right(result.shape_.begin() + axis, result.shape_.begin() + result.rank_, 1);
  std::shift_right(result.strides_.begin() + axis, result.strides_.begin() + result.rank_, 1);
  result.shape_[axis] = 1;
  std::int64_t stride = 1;
  if (axis < rank_ && __builtin_mul_overflow(shape_[axis], strides_[axis], &stride)) stride = strides_[axis];
  result.strides_[axis] = stride;
  return result;
}

TensorView TensorView::without_axis(int axis) const {
  TensorView result = *this;
  std::shift_left(result.shape_.begin() + axis, result.shape_.begin() + rank_, 1);
  std::shift_left(result.strides_.begin() + axis, result.strides_.begin() + rank_, 1);
  --result.rank_;
  result.shape_[result.rank_] = result.strides_[result.rank_] = 0;
  return result;
}

TensorView TensorView::at(void* data) const {
  TensorView view = *this;
  view.data_ = data;
  return view;
}

std::string TensorView::to_string() const {
  if (!present_) return "absent";
  return fmt::format("{} {} strides {}", name_of(dtype_), text_of(shape()), text_of(strides()));
}

TensorProblem TensorView::problem() const {
  TensorProblem problem;
  problem.present = present_;
  problem.dtype = dtype_;
  problem.rank = rank_;
  problem.shape = shape_;
  problem.strides = strides_;
  const auto address = reinterpret_cast<std::uintptr_t>(data_);
  problem.address_align = 16;
  while (address % problem.address_align != 0) problem.address_align /= 2;
  return problem;
}

}  // namespace tilejit
