#include <tilejit/runtime/contiguous.h>

#include <fmt/format.h>

#include <algorithm>

namespace tilejit {
namespace {

/// Axes folded together where both views step through them as through one.
struct Folded {
  std::vector<std::int64_t> shape, from, to;
};

Folded folded(const TensorView& from, const TensorView& to) {
  Folded axes;
  for (int axis = 0; axis < from.rank(); ++axis) {
    const std::int64_t extent = from.size(axis), from_stride = from.stride(axis), to_stride = to.stride(axis);
    if (extent == 1) continue;
    if (!axes.shape.empty() && axes.from.back() == from_stride * extent && axes.to.back() == to_stride * extent) {
      axes.shape.back() *= extent;
      axes.from.back() = from_stride;
      axes.to.back() = to_stride;
    } else {
      axes.shape.push_back(extent);
      axes.from.push_back(from_stride);
      axes.to.push_back(to_stride);
    }
  }
  while (axes.shape.size() < 2) {
    axes.shape.insert(axes.shape.begin(), 1);
    axes.from.insert(axes.from.begin(), 0);
    axes.to.insert(axes.to.begin(), 0);
  }
  return axes;
}

/// Puts the two axes that a 2-D copy should run over last: the target's fastest, and the source's fastest or else the
/// longest.
void choose_plane(Folded& axes) {
  const std::size_t rank = axes.shape.size();
  const auto swap_axes = [&](std::size_t a, std::size_t b) {
    std::swap(axes.shape[a], axes.shape[b]);
    std::swap(axes.from[a], axes.from[b]);
    std::swap(axes.to[a], axes.to[b]);
  };
  const auto fastest = [&](const std::vector<std::int64_t>& strides, std::size_t count) {
    const auto begin = strides.begin();
    return std::size_t(std::min_element(begin, begin + std::ptrdiff_t(count),
                                        [](auto a, auto b) { return std::abs(a) < std::abs(b); }) -
                       begin);
  };
  swap_axes(fastest(axes.to, rank), rank - 1);
  const std::size_t of_source = fastest(axes.from, rank);
  const auto longest = std::size_t(std::max_element(axes.shape.begin(), axes.shape.end() - 1) - axes.shape.begin());
  swap_axes(of_source == rank - 1 ? longest : of_source, rank - 2);
}

}  // namespace

void copy(const Jit& jit, StreamRef stream, const TensorView& from, const TensorView& to) {
  if (from.dtype() != to.dtype() || !std::ranges::equal(from.shape(), to.shape())) {
    throw InvalidArgument(
        fmt::format("copy: from {} to {}: dtype and shape must agree", from.to_string(), to.to_string()));
  }
  if (from.elements() == 0) return;
  Folded axes = folded(from, to);
  choose_plane(axes);
  const JitFunction copy_2d = jit.function("copy_2d");
  const std::size_t outer = axes.shape.size() - 2;
  const std::span<const std::int64_t> plane(axes.shape.data() + outer, 2), from_strides(axes.from.data() + outer, 2),
      to_strides(axes.to.data() + outer, 2);
  const auto at = [](const TensorView& view, std::int64_t offset) {
    return static_cast<char*>(view.data()) + offset * std::int64_t(size_of(view.dtype()));
  };
  std::vector<std::int64_t> index(outer, 0);
  for (;;) {
    std::int64_t from_offset = 0, to_offset = 0;
    for (std::size_t axis = 0; axis < outer; ++axis) {
      from_offset += index[axis] * axes.from[axis];
      to_offset += index[axis] * axes.to[axis];
    }
    copy_2d(stream, TensorView(at(from, from_offset), from.dtype(), plane, from_strides),
            TensorView(at(to, to_offset), to.dtype(), plane, to_strides));
    std::size_t axis = outer;
    while (axis > 0 && ++index[axis - 1] == axes.shape[axis - 1]) index[--axis] = 0;
    if (axis == 0) return;
  }
}

MaybeCopied contiguous(const Jit& jit, StreamRef stream, const TensorView& view) {
  if (view.is_contiguous()) return {view, std::nullopt};
  Tensor owner = jit.device().empty(view.dtype(), view.shape());
  copy(jit, stream, view, owner);
  const TensorView whole = owner;
  return {whole, std::move(owner)};
}

MaybeCopied reshape(const Jit& jit, StreamRef stream, const TensorView& view, std::span<const std::int64_t> shape) {
  const TensorView packed =
      TensorView(view.data(), view.dtype(), view.shape()).view(shape);  // throws where no copy would help
  try {
    return {view.view(shape), std::nullopt};
  } catch (const InvalidArgument&) {  // the strides do not allow it
    MaybeCopied copied = contiguous(jit, stream, view);
    copied.view = TensorView(copied.view.data(), view.dtype(), packed.shape());
    return copied;
  }
}

MaybeCopied reshape(const Jit& jit, StreamRef stream, const TensorView& view,
                    std::initializer_list<std::int64_t> shape) {
  return reshape(jit, stream, view, std::span(shape.begin(), shape.size()));
}

}  // namespace tilejit
