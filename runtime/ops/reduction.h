#pragma once
#include <string>

#include <tilejit/runtime/ops/op.h>

namespace tilejit {

/// sum, mean, max, min, norm and argmax of x, along any of its axes, as y's shape says: y has x's axes with extent 1
/// along those that are reduced, or x's leading axes alone (then the trailing ones are reduced; rank 0: all).
/// Deterministic.
///
/// Where the axes do not fold to rows and columns of a matrix, x is first copied to the workspace. Few long rows are
/// reduced in two passes: partial results of each row's segments lie in the workspace, in the accumulator's type, 1024
/// to a multiprocessor at most.
class ReductionOp : public Op {
 public:
  enum class Kind { sum, mean, max, min, norm, argmax };
  ReductionOp(Kind kind, const std::string& name, const std::string& summary);
  Plan plan(const Call& call, const PlanContext& context) const override;

 private:
  const Kind kind_;
};

}  // namespace tilejit
