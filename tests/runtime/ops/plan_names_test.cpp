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

/// Of a contiguous output from an input at 1 MB and `offset` elements.
std::string copy_of(DType dtype, std::int64_t rows, std::int64_t columns, std::initializer_list<std::int64_t> strides,
                    std::int64_t offset) {
  const auto at = static_cast<std::uintptr_t>(offset * std::int64_t(size_of(dtype))) + (1U << 20U);
  const TensorView x(reinterpret_cast<void*>(at), dtype, {rows, columns}, strides);
  const TensorView y(reinterpret_cast<void*>(std::uintptr_t{1} << 48U), dtype, {rows, columns});
  const std::shared_ptr<const Op> op = op_named("copy");
  Call call;
  op->read(std::vector<Argument>{x, y}, call);
  const TemplateLibrary own;
  return op->plan(call, {own, target_of("sm_90a")}).steps.at(0).kernel->name;
}

TEST(PlanNames, LongRowsOfNarrowElementsAtOddAddressesHaveATemplateOfTheirOwn) {
  EXPECT_EQ(copy_of(u8, 5000, 4096, {4097, 1}, 0), "copy_2d_unaligned");
  EXPECT_EQ(copy_of(u8, 5000, 4096, {4098, 1}, 0), "copy_2d_unaligned");
  EXPECT_EQ(copy_of(u8, 5000, 4096, {4100, 1}, 0), "copy_2d");
  EXPECT_EQ(copy_of(u8, 5000, 4096, {4100, 1}, 3), "copy_2d_unaligned");
  EXPECT_EQ(copy_of(bf16, 5000, 4097, {4099, 1}, 0), "copy_2d_unaligned");
  EXPECT_EQ(copy_of(bf16, 5000, 4096, {4098, 1}, 0), "copy_2d");
  EXPECT_EQ(copy_of(u8, 5000, 4095, {4097, 1}, 0), "copy_2d");      // short rows
  EXPECT_EQ(copy_of(u8, 8191, 8191, {1, 8191}, 0), "copy_2d");      // turned
  EXPECT_EQ(copy_of(u8, 5000, 4097, {2 * 4099, 2}, 0), "copy_2d");  // stepped
  EXPECT_EQ(copy_of(f32, 5000, 4097, {4099, 1}, 1), "copy_2d");
}

/// Plans are kept by shapes, strides and alignments: an address must not decide more.
TEST(PlanNames, ACopyOntoItselfIsPlannedAsAnyOther) {
  const auto of = [](std::uintptr_t from, std::uintptr_t to) {
    const TensorView x(reinterpret_cast<void*>(from), u8, {70001}), y(reinterpret_cast<void*>(to), u8, {70001});
    const std::shared_ptr<const Op> op = op_named("copy");
    Call call;
    op->read(std::vector<Argument>{x, y}, call);
    const TemplateLibrary own;
    return op->plan(call, {own, target_of("sm_90a")}).steps.at(0).kernel->name;
  };
  EXPECT_EQ(of(0x100000, 0x200000), "copy_2d_unaligned");
  EXPECT_EQ(of(0x100000, 0x100000), "copy_2d_unaligned");
}

}  // namespace
}  // namespace tilejit::test
