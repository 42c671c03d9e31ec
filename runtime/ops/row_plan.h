#pragma once
#include <optional>
#include <string>
#include <vector>

#include <tilejit/runtime/ops/rows.h>

namespace tilejit {

/// Builds a plan of matrix templates over tensors of any rank: tensors that are no matrix are copied to the workspace
/// before, results that are none are copied from it afterwards.
class RowPlan {
 public:
  RowPlan(const Call& call, const PlanContext& context) : call_(call), context_(context) {}

  StepTensor input(int argument, AxisSet along);  ///< absent where the argument is
  StepTensor output(int argument, AxisSet along);
  StepTensor line_input(int argument);  ///< all its elements in order, as a tensor of one axis
  WorkspaceLayout& workspace() { return workspace_; }
  void step(const char* kernel, std::vector<StepTensor> tensors, std::vector<StepScalar> scalars = {},
            std::optional<Config> first = {});
  Plan finish();  ///< the main step is the first one added by step()

 private:
  const Call& call_;
  const PlanContext& context_;
  WorkspaceLayout workspace_;
  Plan plan_;
  std::vector<Step> after_;
  bool have_main_ = false;
};

/// The set of the axes `from` to the last one.
AxisSet axes_from(int from, int rank);

/// InvalidArgument, both tensors and the axis named, where b has another shape than a.
void check_same_shape(const Template& declared, const Call& call, int a, int b);

}  // namespace tilejit
