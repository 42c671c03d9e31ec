// Which template a product goes to, and with what: decided without a device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include <tilejit/generator/target.h>
#include <tilejit/generator/template_library.h>
#include <tilejit/runtime/ops/matmul.h>

namespace tilejit::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct Options {
  double beta = 0;
  Activation activation = Activation::none;
  Precision precision = Precision::full;
};

/// An (m, k) x (k, n) product of contiguous tensors; c with these strides.
Plan plan_of(DType dtype, std::int64_t m, std::int64_t n, std::int64_t k, const Target& target,
             const Options& options = {}, std::initializer_list<std::int64_t> c_strides = {}) {
  const auto at = [](std::uintptr_t address) { return reinterpret_cast<void*>(address); };
  const TensorView a(at(0x10000000), dtype, {m, k}), b(at(0x20000000), dtype, {k, n});
  const TensorView c = c_strides.size() == 0 ? TensorView(at(0x30000000), dtype, {m, n})
                                             : TensorView(at(0x30000000), dtype, {m, n}, c_strides);
  const std::array<Argument, 9> arguments{
      a, b, c, nullptr, nullptr, 1.0, options.beta, options.activation, options.precision};
  const MatmulOp op;
  Call call;
  op.read(arguments, call);
  const TemplateLibrary own;
  return op.plan(call, {own, target});
}

std::int64_t constant(const Step& step, const std::string& name) {
  for (const auto& [known, value] : step.first->constants)
    if (known == name) return value;
  return -1;
}

TEST(MatmulPlan, SixteenBitsGoToTensorCoresAndF32DoesNotUnlessAsked) {
  const Target target = target_of("sm_80");
  EXPECT_EQ(plan_of(bf16, 512, 512, 512, target).steps.at(0).kernel->name, "matmul_mma");
  const Plan full = plan_of(f32, 512, 512, 512, target);
  EXPECT_EQ(full.steps.at(0).kernel->name, "matmul_tiled");
  EXPECT_THAT(full.notes, Contains(HasSubstr("matmul_mma: rounds f32 to tf32, which precision = tf32 asks for")));
  EXPECT_EQ(plan_of(f32, 512, 512, 512, target, {.precision = Precision::tf32}).steps.at(0).kernel->name, "matmul_mma");
  EXPECT_THAT(plan_of(i32, 512, 512, 512, target).notes, Contains(HasSubstr("matmul_mma: takes no i32")));
}

TEST(MatmulPlan, OnHopperSixteenBitsGoToWarpGroupsWhereTmaTakesTheOperands) {
  const Target target = target_of("sm_90a");
  EXPECT_EQ(plan_of(bf16, 512, 512, 512, target).steps.at(0).kernel->name, "matmul_wgmma");
  const Plan odd = plan_of(bf16, 128, 128, 127, target);  // too small for a copy to pay
  EXPECT_EQ(odd.steps.at(0).kernel->name, "matmul_mma");
  EXPECT_THAT(odd.notes, Contains(HasSubstr("matmul_wgmma: ")));
}

TEST(MatmulPlan, OnHopperLargeOperandsThatTmaCannotTakeArePackedFirst) {
  const Target target = target_of("sm_90a");
  const Plan plan = plan_of(bf16, 4096, 4096, 4095, target);  // a's rows are 8190 bytes apart, b's 8192
  ASSERT_EQ(plan.steps.size(), 2U);
  EXPECT_EQ(plan.main, 1U);
  EXPECT_EQ(plan.steps[1].kernel->name, "matmul_wgmma");
  EXPECT_EQ(plan.steps[1].tensors[0].argument, StepTensor::in_workspace);
  EXPECT_EQ(plan.steps[1].tensors[0].layout.to_string(), "bf16 (4096, 4095) strides (4096, 1)");
  EXPECT_EQ(plan.steps[1].tensors[1].argument, 1);
  EXPECT_EQ(plan.workspace_bytes, 4096U * 4096 * 2);
  EXPECT_THAT(plan.notes, Contains(HasSubstr("a as it lies, so that it is packed: axis 0 has stride 4095")));

  const Plan both = plan_of(f16, 4095, 4095, 4095, target);
  ASSERT_EQ(both.steps.size(), 2U);
  EXPECT_EQ(both.steps[0].kernel->name, "copy_pair");
  EXPECT_EQ(both.workspace_bytes, 2 * 4095U * 4096 * 2);
  EXPECT_THAT(plan_of(bf16, 4096, 4096, 4095, target_of("sm_80")).steps, SizeIs(1));
}

/// The model, on shapes whose best tile is known from an H200.
TEST(MatmulPlan, WarpGroupsTakeTilesThatFillTheDevice) {
  Target target = target_of("sm_90a");
  target.sms = 132;
  const auto tile = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
    const Step step = plan_of(bf16, m, n, k, target).steps.at(0);
    return std::array{constant(step, "BLOCK_M"), constant(step, "BLOCK_N"), constant(step, "IN_TURN")};
  };
  EXPECT_THAT(tile(4096, 4096, 4096), ElementsAre(128, 256, 0));
  EXPECT_THAT(tile(8192, 8192, 8192), ElementsAre(128, 192, 1));
  EXPECT_THAT(tile(8192, 8192, 512), ElementsAre(128, 192, 1));
  EXPECT_THAT(tile(1024, 14336, 4096), ElementsAre(128, 128, 1));
  EXPECT_THAT(tile(384, 2048, 2048), ElementsAre(64, 128, 0));
  EXPECT_THAT(tile(64, 4096, 4096), ElementsAre(64, 64, 0));
  EXPECT_THAT(tile(3000, 1000, 2000), ElementsAre(192, 128, 0));
  EXPECT_THAT(tile(16384, 16384, 16384), ElementsAre(128, 256, 0));
  EXPECT_THAT(tile(4096, 24576, 1536), ElementsAre(128, 192, 1));
  EXPECT_THAT(tile(8192, 4096, 4096), ElementsAre(128, 256, 0));
  EXPECT_THAT(tile(4096, 512, 4096), ElementsAre(128, 128, 0));
  EXPECT_THAT(tile(2048, 2048, 512), ElementsAre(128, 128, 1));
  // Rows of c that no map takes are stored through shared memory, which is in multiplication's way.
  const Plan odd = plan_of(bf16, 4097, 4095, 4099, target);
  EXPECT_EQ(constant(odd.steps.at(odd.main), "BLOCK_N"), 256);
  // Two warp groups store a small tile sooner than one does.
  const Step small = plan_of(bf16, 1024, 1024, 1024, target).steps.at(0);
  EXPECT_EQ(constant(small, "BLOCK_M") * constant(small, "BLOCK_N"), 64 * 128);
  EXPECT_EQ(small.first->num_warps, 12);
  EXPECT_EQ(small.first->num_stages, 8);
}

TEST(MatmulPlan, WhatIsPassedOverNamesTheDevice) {
  const TensorView a(reinterpret_cast<void*>(0x1000), bf16, {64, 64}),
      c(reinterpret_cast<void*>(0x9000), bf16, {64, 64});
  Call call;
  const MatmulOp op;
  op.read(std::array<Argument, 3>{a, a, c}, call);
  Target without_tma = target_of("sm_90");
  std::erase(without_tma.features, "tma");
  const TemplateLibrary own;
  EXPECT_THAT(op.plan(call, {own, without_tma, "Some device"}).notes,
              Contains("matmul_wgmma: needs tma, which Some device (sm_90) does not have"));
}

TEST(MatmulPlan, WhatTheArgumentsDecideIsNotSetByHand) {
  const Plan plan = plan_of(bf16, 512, 512, 512, target_of("sm_80"), {.activation = Activation::gelu});
  const Step& step = plan.steps.at(0);
  const auto settings = settings_over("matmul", step, {{"num_stages", 4}, {"ACTIVATION", 2}});
  EXPECT_THAT(settings, Contains(testing::Pair("num_stages", 4)));
  EXPECT_THAT(settings, Contains(testing::Pair("BLOCK_M", constant(step, "BLOCK_M"))));
  EXPECT_THROW(settings_over("matmul", step, {{"ACTIVATION", 0}}), InvalidArgument);
}

TEST(MatmulPlan, FactorsFitWhatIsSummedIn) {
  const auto reads = [](DType dtype, double alpha) {
    const TensorView x(reinterpret_cast<void*>(0x1000), dtype, {8, 8});
    const TensorView c(reinterpret_cast<void*>(0x9000), dtype == i8 ? i32 : dtype, {8, 8});
    Call call;
    MatmulOp().read(std::array<Argument, 6>{x, x, c, nullptr, nullptr, alpha}, call);
  };
  for (const double fits : {-0x1p31, 0x1p31 - 1, 0.0}) EXPECT_NO_THROW(reads(i8, fits)) << fits;
  for (const double beyond : {0x1p31, -0x1p31 - 1, 0.5}) EXPECT_THROW(reads(i32, beyond), InvalidArgument) << beyond;
  for (const double fits : {0x1p40, -0x1p63}) EXPECT_NO_THROW(reads(i64, fits)) << fits;
  for (const double beyond : {0x1p63, 1.5}) EXPECT_THROW(reads(i64, beyond), InvalidArgument) << beyond;
  for (const DType in_f32 : {f32, f16, bf16}) {
    for (const double fits : {0.0, 0.1, 1e38, 1e-40, double(INFINITY)}) EXPECT_NO_THROW(reads(in_f32, fits)) << fits;
    for (const double beyond : {1e39, -1e39, 1e-50}) EXPECT_THROW(reads(in_f32, beyond), InvalidArgument) << beyond;
  }
  for (const double fits : {1e300, 1e-300}) EXPECT_NO_THROW(reads(f64, fits)) << fits;
}

TEST(MatmulPlan, ADeviceWithoutTheFeatureOrTheSharedMemoryFallsToTheNextTemplateAndSaysWhy) {
  const Plan old = plan_of(f16, 512, 512, 512, target_of("sm_75"));
  EXPECT_EQ(old.steps.at(0).kernel->name, "matmul_tiled");
  EXPECT_THAT(old.notes, Contains(HasSubstr("matmul_mma: needs mma, which sm_75 does not have")));
  Target small = target_of("sm_80");
  small.shared_limit = 16 * 1024;
  const Plan squeezed = plan_of(f16, 512, 512, 512, small);
  EXPECT_EQ(squeezed.steps.at(0).kernel->name, "matmul_tiled");
  EXPECT_THAT(squeezed.notes, Contains(HasSubstr("shared_limit")));
  small.shared_limit = 1024;
  EXPECT_THROW(plan_of(f16, 512, 512, 512, small), InvalidArgument);
}

TEST(MatmulPlan, AColumnMajorOutputIsComputedTurned) {
  const Target target = target_of("sm_90a");
  const Step step = plan_of(f32, 100, 200, 50, target, {}, {1, 100}).steps.at(0);
  EXPECT_EQ(step.tensors[0].argument, 1);
  EXPECT_EQ(step.tensors[0].layout.to_string(), "f32 (200, 50) strides (1, 200)");
  EXPECT_EQ(step.tensors[2].layout.to_string(), "f32 (200, 100) strides (100, 1)");
}

TEST(MatmulPlan, COnlyGoesInWhereBetaIsNotZero) {
  const Target target = target_of("sm_90a");
  EXPECT_EQ(plan_of(f32, 8, 8, 8, target).steps.at(0).tensors[4].argument, StepTensor::absent);
  EXPECT_EQ(plan_of(f32, 8, 8, 8, target, {.beta = 1}).steps.at(0).tensors[4].argument, 2);
  EXPECT_THAT(plan_of(f32, 0, 8, 8, target).steps, IsEmpty());
}

TEST(MatmulPlan, AnActivationIsAConstantOfTheTemplate) {
  const Step step = plan_of(f32, 8, 8, 8, target_of("sm_90a"), {.activation = Activation::gelu}).steps.at(0);
  EXPECT_EQ(constant(step, "ACTIVATION"), 2);
  EXPECT_THAT(default_config(step.kernel->info).constants,
              Contains(std::pair<std::string, std::int64_t>("ACTIVATION", 2)));
}

TEST(MatmulPlan, SmallProductsGetSmallTilesAndLargeOnesLargeTiles) {
  const Target target = target_of("sm_80");
  for (const DType dtype : {f32, bf16}) {
    const Step large = plan_of(dtype, 8192, 8192, 8192, target).steps.at(0);
    const Step small = plan_of(dtype, 512, 512, 512, target).steps.at(0);
    EXPECT_EQ(constant(large, "BLOCK_M"), 128);
    EXPECT_GE(constant(large, "BLOCK_N"), 128);
    EXPECT_LE(constant(small, "BLOCK_M") * constant(small, "BLOCK_N"), 64 * 64);
  }
}

}  // namespace
}  // namespace tilejit::test
