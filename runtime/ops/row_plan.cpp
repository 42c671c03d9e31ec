#include <tilejit/runtime/ops/row_plan.h>

#include <fmt/format.h>

#include <algorithm>

namespace tilejit {

AxisSet axes_from(int from, int rank) {
  AxisSet set = 0;
  for (int axis = std::max(from, 0); axis < rank; ++axis) set |= AxisSet{1} << axis;
  return set;
}

StepTensor RowPlan::input(int argument, AxisSet along) {
  if (!call_.tensors()[std::size_t(argument)]->present()) return {};
  return matrix_of(whole(call_, argument), along, true, workspace_, plan_.steps, context_).tensor;
}

StepTensor RowPlan::output(int argument, AxisSet along) {
  if (!call_.tensors()[std::size_t(argument)]->present()) return {};
  const StepTensor own = whole(call_, argument);
  const Matrix matrix = matrix_of(own, along, false, workspace_, plan_.steps, context_);
  if (matrix.copied) {
    StepTensor packed = matrix.tensor;
    packed.layout = packed_over(own.layout, along);
    after_.push_back(copy_step(packed, own, context_));
  }
  return matrix.tensor;
}

StepTensor RowPlan::line_input(int argument) {
  StepTensor matrix = input(argument, axes_from(0, call_.tensors()[std::size_t(argument)]->rank()));
  const TensorView& row = matrix.layout;
  matrix.layout = TensorView(nullptr, row.dtype(), {row.shape()[1]}, {row.strides()[1]});
  return matrix;
}

void RowPlan::step(const char* kernel, std::vector<StepTensor> tensors, std::vector<StepScalar> scalars,
                   std::optional<Config> first) {
  if (!have_main_) plan_.main = plan_.steps.size();
  have_main_ = true;
  plan_.steps.push_back({context_.own.get(kernel), std::move(tensors), std::move(scalars), std::move(first)});
}

Plan RowPlan::finish() {
  for (Step& step : after_) plan_.steps.push_back(std::move(step));
  plan_.workspace_bytes = workspace_.bytes();
  return std::move(plan_);
}

void check_same_shape(const Template& declared, const Call& call, int a, int b) {
  const TensorView &left = *call.tensors()[std::size_t(a)], &right = *call.tensors()[std::size_t(b)];
  if (!right.present()) return;
  std::vector<const std::string*> names;
  for (const ArgumentInfo& info : declared.info.arguments)
    if (info.kind == ArgumentInfo::Kind::tensor) names.push_back(&info.name);
  const std::string &left_name = *names[std::size_t(a)], &right_name = *names[std::size_t(b)];
  if (left.rank() != right.rank()) {
    throw InvalidArgument(fmt::format("{}: {} has {} axes, {} has {}: {} is {}, {} is {}", declared.name, left_name,
                                      left.rank(), right_name, right.rank(), left_name, left.to_string(), right_name,
                                      right.to_string()));
  }
  for (int axis = 0; axis < left.rank(); ++axis) {
    if (left.shape()[axis] == right.shape()[axis]) continue;
    throw InvalidArgument(fmt::format("{}: axis {} is {} long in {} and {} in {}: {} is {}, {} is {}", declared.name,
                                      axis, left.shape()[axis], left_name, right.shape()[axis], right_name, left_name,
                                      left.to_string(), right_name, right.to_string()));
  }
}

}  // namespace tilejit
