#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include <tilejit/runtime/ops/workspace_layout.h>

namespace tilejit {

/// Which axes of a tensor lie along a row. A bit an axis.
using AxisSet = std::uint32_t;

/// `view` as a matrix whose rows are walked by the axes outside of `along` and whose columns by those in it, each in
/// the view's own order; nullopt: no two strides say that. The address is the view's.
std::optional<TensorView> as_matrix(const TensorView& view, AxisSet along);

/// A contiguous matrix with the elements of a tensor like `view`, as a layout over the view's own axes.
TensorView packed_over(const TensorView& view, AxisSet along);

struct Matrix {
  StepTensor tensor;
  bool copied = false;  ///< it stands in the workspace
};
/// `tensor` as a matrix. Where it is none, a contiguous one in the workspace stands for it; `steps` get the copy to it
/// if it is `read`, and whoever writes it copies it back.
Matrix matrix_of(const StepTensor& tensor, AxisSet along, bool read, WorkspaceLayout& workspace,
                 std::vector<Step>& steps, const PlanContext& context);

}  // namespace tilejit
