// Which template a row op goes to, by its rows' length and the device: decided without a device.
#include <gtest/gtest.h>

#include <array>

#include <tilejit/generator/target.h>
#include <tilejit/generator/template_library.h>
#include <tilejit/runtime/ops/row_op.h>

namespace tilejit::test {
namespace {

using Kind = RowOp::Kind;

/// Of two contiguous rows.
std::string template_of(Kind kind, DType dtype, std::int64_t n, const std::string& arch) {
  const auto at = [](std::uintptr_t address) { return reinterpret_cast<void*>(address); };
  const TensorView x(at(0x10000000), dtype, {2, n}), y(at(0x20000000), dtype, {2, n});
  std::vector<Argument> arguments{x, y};
  if (kind == Kind::layernorm || kind == Kind::rmsnorm) arguments.insert(arguments.end(), 3, nullptr);
  if (kind == Kind::layernorm) arguments.emplace_back(nullptr);
  if (arguments.size() > 2) arguments.emplace_back(1e-5f);
  const RowOp op(kind, "op", "of rows");
  Call call;
  op.read(arguments, call);
  const TemplateLibrary own;
  const Plan plan = op.plan(call, {own, target_of(arch)});
  return plan.steps.size() == 1 ? plan.steps[0].kernel->name : "";
}

struct Names {
  Kind kind;
  std::string name, longer;
};

TEST(RowPlan, ARowThatRegistersOrAClusterHoldIsReadOnce) {
  for (const Names& op :
       {Names{Kind::softmax, "softmax", "_online"}, Names{Kind::log_softmax, "log_softmax", "_online"},
        Names{Kind::layernorm, "layernorm", "_long"}, Names{Kind::rmsnorm, "rmsnorm", "_long"}}) {
    for (const DType dtype : {f64, f32, f16, bf16}) {
      const std::int64_t most = dtype == f64 ? 16384 : 32768;
      const std::int64_t alone = size_of(dtype) == 2 ? 24576 : most;
      EXPECT_EQ(template_of(op.kind, dtype, alone, "sm_90a"), op.name);
      EXPECT_EQ(template_of(op.kind, dtype, alone + 1, "sm_90a"), op.name + "_cluster");
      EXPECT_EQ(template_of(op.kind, dtype, 8 * most, "sm_90a"), op.name + "_cluster");
      EXPECT_EQ(template_of(op.kind, dtype, 8 * most + 1, "sm_90a"), op.name + op.longer);
      EXPECT_EQ(template_of(op.kind, dtype, most, "sm_80"), op.name);
      EXPECT_EQ(template_of(op.kind, dtype, most + 1, "sm_80"), op.name + op.longer);
    }
  }
}

TEST(RowPlan, CumsumGoesAlongRowsOfAnyLength) {
  for (const std::int64_t n : {1, 40000, 1000000}) EXPECT_EQ(template_of(Kind::cumsum, f32, n, "sm_90a"), "row_cumsum");
}

}  // namespace
}  // namespace tilejit::test
