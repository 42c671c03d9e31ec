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
using testing::HasSubstr;
using testing::IsEmpty;

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
  const Plan odd = plan_of(bf16, 512, 512, 511, target);
  EXPECT_EQ(odd.steps.at(0).kernel->name, "matmul_mma");
  EXPECT_THAT(odd.notes, Contains(HasSubstr("matmul_wgmma: ")));
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
