#include <tilejit/runtime/ops/workspace_layout.h>

#include <tilejit/runtime/ops/elementwise.h>

namespace tilejit {

StepTensor WorkspaceLayout::take(DType dtype, std::span<const std::int64_t> shape) {
  const TensorView layout(nullptr, dtype, shape);
  const std::int64_t offset = end_;
  end_ += (layout.byte_extent().end + 255) / 256 * 256;
  return {StepTensor::in_workspace, offset, layout};
}

StepTensor whole(const Call& call, int argument) {
  return {argument, 0, call.tensors()[std::size_t(argument)]->at(nullptr)};
}

Step copy_step(const StepTensor& from, const StepTensor& to, const PlanContext& context) {
  Call call;
  call.tensor_storage[0] = &from.layout;
  call.tensor_storage[1] = &to.layout;
  call.tensor_count = 2;
  Step step = std::move(ElementwiseOp("copy", "y = x", Formula::parse("y = x")).plan(call, context).steps.at(0));
  for (std::size_t i = 0; i < 2; ++i) {
    const StepTensor& tensor = i == 0 ? from : to;
    step.tensors[i].argument = tensor.argument;
    step.tensors[i].offset += tensor.offset;
  }
  return step;
}

}  // namespace tilejit
