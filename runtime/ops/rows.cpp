#include <tilejit/runtime/ops/rows.h>

#include <array>
#include <span>

namespace tilejit {
namespace {

struct Walk {
  std::int64_t extent = 1, stride = 0;
};

/// The axes of `view` in `set` as one.
std::optional<Walk> walk(const TensorView& view, AxisSet set) {
  Walk one;
  bool first = true;
  for (int axis = view.rank() - 1; axis >= 0; --axis) {
    if ((set >> axis & 1) == 0) continue;
    const std::int64_t extent = view.shape()[axis], stride = view.strides()[axis];
    if (extent == 0) return Walk{0, 1};
    if (extent == 1) continue;
    std::int64_t next = 0;
    if (!first && (__builtin_mul_overflow(one.stride, one.extent, &next) || next != stride)) return std::nullopt;
    if (first) one.stride = stride;
    first = false;
    one.extent *= extent;
  }
  return one;
}

std::int64_t extent_of(const TensorView& view, AxisSet set) {
  std::int64_t extent = 1;
  for (int axis = 0; axis < view.rank(); ++axis)
    if ((set >> axis & 1) != 0) extent *= view.shape()[axis];
  return extent;
}

}  // namespace

std::optional<TensorView> as_matrix(const TensorView& view, AxisSet along) {
  const AxisSet all = (AxisSet{1} << view.rank()) - 1;
  const std::optional<Walk> rows = walk(view, all & ~along), columns = walk(view, along);
  if (!rows || !columns) return std::nullopt;
  return TensorView(view.data(), view.dtype(), {rows->extent, columns->extent}, {rows->stride, columns->stride});
}

TensorView packed_over(const TensorView& view, AxisSet along) {
  const AxisSet all = (AxisSet{1} << view.rank()) - 1;
  std::array<std::int64_t, max_rank> strides{};
  std::int64_t stride = 1;
  for (const AxisSet set : {along, all & ~along})
    for (int axis = view.rank() - 1; axis >= 0; --axis) {
      if ((set >> axis & 1) == 0) continue;
      strides[std::size_t(axis)] = stride;
      stride *= view.shape()[axis];
    }
  return TensorView(nullptr, view.dtype(), view.shape(), std::span(strides.data(), std::size_t(view.rank())));
}

Matrix matrix_of(const StepTensor& tensor, AxisSet along, bool read, WorkspaceLayout& workspace,
                 std::vector<Step>& steps, const PlanContext& context) {
  if (const std::optional<TensorView> matrix = as_matrix(tensor.layout, along))
    return {{tensor.argument, tensor.offset, *matrix}, false};
  const TensorView& view = tensor.layout;
  const AxisSet all = (AxisSet{1} << view.rank()) - 1;
  const std::int64_t shape[] = {extent_of(view, all & ~along), extent_of(view, along)};
  const StepTensor copy = workspace.take(view.dtype(), shape);
  if (read && view.elements() > 0) {
    StepTensor target = copy;
    target.layout = packed_over(view, along);
    steps.push_back(copy_step(tensor, target, context));
  }
  return {copy, true};
}

}  // namespace tilejit
