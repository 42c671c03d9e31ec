#pragma once
#include <string>

#include <tilejit/runtime/ops/op.h>

namespace tilejit {

/// Ops along the last axis of x, each a template over rows: softmax, log_softmax, layernorm, rmsnorm, cumsum. x may
/// have any rank from 1; y has its shape. For another axis: transposed views. Tensors whose leading axes do not fold to
/// one are copied through the workspace.
class RowOp : public Op {
 public:
  enum class Kind { softmax, log_softmax, layernorm, rmsnorm, cumsum };
  RowOp(Kind kind, const std::string& name, const std::string& summary);
  Plan plan(const Call& call, const PlanContext& context) const override;

 private:
  const Kind kind_;
};

/// y = x[index]: rows of x, taken along its first axis; y has index's axes, then x's others.
class GatherOp : public Op {
 public:
  GatherOp();
  Plan plan(const Call& call, const PlanContext& context) const override;
};

}  // namespace tilejit
