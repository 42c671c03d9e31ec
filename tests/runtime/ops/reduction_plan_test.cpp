// Into how many segments reductions go, what joins them, and what that takes of a workspace: decided without a device.
#include <gtest/gtest.h>

#include <tilejit/generator/target.h>
#include <tilejit/generator/template_library.h>
#include <tilejit/runtime/ops/ops.h>

namespace tilejit::test {
namespace {

constexpr std::int64_t sms = 132;  // of sm_90a

/// `op` of a contiguous x to y of this shape.
Plan plan_of(const char* op, DType dtype, std::initializer_list<std::int64_t> x_shape,
             std::initializer_list<std::int64_t> y_shape, DType result = f32) {
  const TensorView x(reinterpret_cast<void*>(std::uintptr_t{1} << 44U), dtype, x_shape);
  const TensorView y(reinterpret_cast<void*>(std::uintptr_t{1} << 40U), result, y_shape);
  const std::shared_ptr<const Op> named = op_named(op);
  Call call;
  named->read(std::vector<Argument>{x, y}, call);
  const TemplateLibrary own;
  return named->plan(call, {own, target_of("sm_90a")});
}

std::int64_t segments_of(const Plan& plan) {
  return plan.steps.size() == 1 ? 1 : plan.steps.at(0).tensors.at(1).layout.shape()[1];
}
/// Of the sum of all elements.
std::int64_t segments_of_whole(DType dtype, std::int64_t n) { return segments_of(plan_of("sum", dtype, {n}, {1})); }
/// Of the sum of each column.
std::int64_t segments_of_columns(DType dtype, std::int64_t m, std::int64_t n) {
  return segments_of(plan_of("sum", dtype, {m, n}, {1, n}));
}

TEST(ReductionPlan, MuchGoesIntoManyMorePartsThanTheDeviceRunsAtATime) {
  EXPECT_EQ(segments_of_whole(f32, 1 << 30), 64 * sms);
  EXPECT_EQ(segments_of_whole(bf16, 1 << 30), 64 * sms);
  EXPECT_EQ(segments_of_whole(u8, 1 << 30), 64 * sms);
  EXPECT_EQ(segments_of_whole(f32, 1 << 26), 31 * sms);
  EXPECT_EQ(segments_of_whole(bf16, 16384 * 16384), 62 * sms);
  EXPECT_EQ(segments_of_whole(f64, std::int64_t{1} << 40), 64 * sms);
  EXPECT_EQ(segments_of_columns(f32, 1000000, 32), 6 * sms);
  EXPECT_EQ(segments_of_columns(f32, 2000000, 64), 8 * sms);
  EXPECT_EQ(segments_of(plan_of("sum", f32, {4, 1 << 28}, {4})), 16 * sms);
}

TEST(ReductionPlan, ASecondWaveOfProgramsAlongRowsIsOneOfMany) {
  EXPECT_EQ(segments_of_whole(f32, 1 << 25), 4 * sms);
  EXPECT_EQ(segments_of_whole(f32, 1 << 23), 4 * sms);
  for (std::int64_t n = 1 << 20; n < 1 << 30; n += 1234567) {
    const std::int64_t parts = segments_of_whole(f32, n);
    EXPECT_TRUE(parts <= 4 * sms || parts >= 24 * sms) << n << " " << parts;
  }
}

TEST(ReductionPlan, LittleGoesIntoPartsOf32KB) {
  EXPECT_EQ(segments_of_whole(f32, 1 << 20), 128);
  EXPECT_EQ(segments_of_whole(f32, 16383), 1);
  EXPECT_EQ(segments_of_columns(f32, 131072, 128), 512);
}

TEST(ReductionPlan, WhatHasProgramsEnoughIsReadInOnePass) {
  EXPECT_EQ(segments_of(plan_of("sum", f32, {16384, 16384}, {16384})), 1);
  EXPECT_EQ(segments_of(plan_of("sum", f32, {1024, 262144}, {1024})), 1);
  EXPECT_EQ(segments_of_columns(f32, 4096, 65536), 1);
}

TEST(ReductionPlan, ManyColumnsKeepTheWorkspaceSmall) {
  EXPECT_EQ(segments_of_columns(f32, 16384, 16384), 4);
  EXPECT_EQ(segments_of_columns(f32, 65536, 4096), 16);
  for (const DType dtype : {u8, bf16, f32, f64})
    for (std::int64_t columns = 2; columns <= 1 << 17; columns *= 2)
      for (const std::int64_t less : {0, 1})
        for (const std::int64_t rows : {1 << 12, 1 << 18, 1 << 24}) {
          const Plan plan = plan_of("argmax", dtype, {rows, columns - less}, {1, columns - less}, i64);
          EXPECT_LE(segments_of(plan) == 1 ? 0 : (columns - less) * segments_of(plan), 1024 * sms) << rows << columns;
          EXPECT_LE(plan.workspace_bytes, std::size_t(1024 * sms * 16)) << rows << " x " << columns;
        }
}

TEST(ReductionPlan, TheWorkspaceHoldsARowsPartialResultsInTheAccumulatorsType) {
  EXPECT_EQ(plan_of("sum", bf16, {1 << 30}, {1}).workspace_bytes, std::size_t(64 * sms * 4));
  EXPECT_EQ(plan_of("mean", f32, {1 << 30}, {1}, f64).workspace_bytes, std::size_t(64 * sms * 8));
  EXPECT_EQ(plan_of("max", bf16, {1 << 30}, {1}).workspace_bytes, std::size_t(64 * sms * 2));
  EXPECT_EQ(plan_of("argmax", bf16, {1 << 30}, {1}, i64).workspace_bytes, std::size_t(64 * sms * (2 + 8)));
}

/// What a step's template is called with, all in memory that is aligned to 16 bytes.
Problem problem_of(const Step& step) {
  Problem problem;
  auto tensor = step.tensors.begin();
  for (const ArgumentInfo& info : step.kernel->info.arguments) {
    if (info.kind == ArgumentInfo::Kind::scalar) {
      problem.scalars.push_back(info.dtype);
    } else {
      const bool absent = tensor->argument == StepTensor::absent;
      const TensorView& view = tensor->layout;
      problem.tensors.push_back(absent ? Argument(nullptr).tensor()->problem() : view.problem());
      ++tensor;
    }
  }
  return problem;
}

/// What runs where nothing was tuned can run, is one of the template's Configs, and joins a row in few tiles.
TEST(ReductionPlan, PartsAreJoinedInFewTiles) {
  for (const char* op : {"sum", "mean", "max", "min", "norm", "argmax"})
    for (const DType dtype : {u8, i32, bf16, f32, f64})
      for (const std::int64_t n : {1 << 18, (1 << 20) + 1, 1 << 22, 1 << 24, 1 << 28, 1 << 30}) {
        const bool is_argmax = std::string_view(op) == "argmax";
        const Plan plan = plan_of(op, dtype, {n}, {1}, is_argmax ? i64 : f32);
        if (plan.steps.size() == 1) continue;
        for (const Step& step : plan.steps) {
          if (!step.first) continue;
          const std::vector<Config> all = candidates(*step.kernel, problem_of(step), target_of("sm_90a"));
          EXPECT_TRUE(std::ranges::count(all, *step.first)) << op << " of " << n << " " << name_of(dtype) << ": "
                                                            << step.kernel->name << " " << to_string(*step.first);
        }
        const Step& join = plan.steps.at(1);
        const std::int64_t block =
            join.first ? join.first->constants.at(1).second : join.kernel->info.default_config.at(1).second;
        EXPECT_LE(segments_of(plan), 3 * block) << op << " of " << n;
      }
}

}  // namespace
}  // namespace tilejit::test
