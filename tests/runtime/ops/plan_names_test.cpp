// What a plan's steps are called: decided without a device.
#include <gtest/gtest.h>

#include <tilejit/generator/target.h>
#include <tilejit/generator/template_library.h>
#include <tilejit/runtime/ops/elementwise.h>
#include <tilejit/runtime/ops/ops.h>

namespace tilejit::test {
namespace {

/// `rank` axes that do not fold: inputs are stepped through in the opposite order.
Plan plan_of(const Op& op, int rank, DType input, DType output) {
  std::vector<std::int64_t> shape, strides;
  std::int64_t count = 1;
  for (int axis = 0; axis < rank; ++axis) {
    shape.push_back(40 - axis);
    strides.push_back(count);
    count *= shape.back();
  }
  std::vector<TensorView> views;
  const std::size_t arguments = op.declared().info.arguments.size();
  for (std::size_t i = 0; i < arguments; ++i) {
    void* const at = reinterpret_cast<void*>((i + 1) << 48);
    views.push_back(i + 1 < arguments ? TensorView(at, input, shape, strides) : TensorView(at, output, shape));
  }
  Call call;
  const std::vector<Argument> given(views.begin(), views.end());
  op.read(given, call);
  const TemplateLibrary own;
  return op.plan(call, {own, target_of("sm_90a")});
}

TEST(PlanNames, WhatIsMadeForACallHasNoNameOfTheLibrarys) {
  const TemplateLibrary library;
  std::vector<std::shared_ptr<const Op>> ops{elementwise_op("out = gelu(x) * y")};
  for (const std::string& name : op_names()) ops.push_back(op_named(name));
  int made = 0, own = 0;
  for (const std::shared_ptr<const Op>& op : ops) {
    if (dynamic_cast<const ElementwiseOp*>(op.get()) == nullptr) continue;
    for (int rank = 1; rank <= 8; ++rank)
      for (const DType output : {f32, f16}) {
        const Plan plan = plan_of(*op, rank, f32, output);
        for (const Step& step : plan.steps) {
          const Template& kernel = *step.kernel;
          if (library.has(kernel.name)) {
            EXPECT_EQ(kernel.file.text, library.get(kernel.name)->file.text) << op->name() << ", rank " << rank;
          }
          ++(library.has(kernel.name) ? own : made);
        }
      }
  }
  EXPECT_GT(made, 300);
  EXPECT_GT(own, 0);
}

}  // namespace
}  // namespace tilejit::test
