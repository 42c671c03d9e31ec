#pragma once
#include <cstdint>
#include <span>

#include <tilejit/runtime/ops/op.h>

namespace tilejit {

/// Hands out parts of a plan's workspace, each from a multiple of 256 bytes on.
class WorkspaceLayout {
 public:
  /// A contiguous tensor of its own.
  StepTensor take(DType dtype, std::span<const std::int64_t> shape);
  std::size_t bytes() const { return static_cast<std::size_t>(end_); }

 private:
  std::int64_t end_ = 0;
};

/// The steps that copy (and cast) one tensor to another of the same shape; none for an empty one. `from` and `to` lie
/// in the call's tensors or in the workspace.
Step copy_step(const StepTensor& from, const StepTensor& to, const PlanContext& context);

/// One of the call's tensors, whole.
StepTensor whole(const Call& call, int argument);

}  // namespace tilejit
