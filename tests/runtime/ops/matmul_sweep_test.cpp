// The templates of matmul themselves: all pairs of layouts of a and b for every pair of dtypes; c's layout, sizes,
// epilogue and Config are drawn for each, the same ones every time.
#include <gtest/gtest.h>

#include <random>

#include <tilejit/generator/specialization.h>
#include <tilejit/generator/template_library.h>
#include <tilejit/tests/support/effort.h>
#include <tilejit/tests/templates/device_fixture.h>

#include "matmul_case.h"

namespace tilejit::test {
namespace {

struct Sweep {
  std::string kernel;
  DType operands;
  std::vector<DType> results;
};
void PrintTo(const Sweep& sweep, std::ostream* out) { *out << sweep.kernel << " of " << name_of(sweep.operands); }
std::string name_of_sweep(const testing::TestParamInfo<Sweep>& info) {
  return info.param.kernel + "_" + std::string(name_of(info.param.operands));
}

class MatmulSweep : public DeviceTest, public testing::WithParamInterface<Sweep> {
 protected:
  static std::vector<std::pair<std::string, std::int64_t>> settings_of(const Config& config, const Extra& extra) {
    auto settings = config.constants;
    for (auto& [name, value] : settings)
      if (name == "ACTIVATION") value = std::int64_t(extra.activation);
    settings.emplace_back("num_warps", config.num_warps);
    settings.emplace_back("num_stages", config.num_stages);
    return settings;
  }
  /// One of the Configs that fit.
  static Config drawn_config(const Template& kernel, const ProductViews& views, std::mt19937& random) {
    Problem problem;
    std::size_t tensor = 0;
    const std::array all{&views.a, &views.b, &views.c, &views.bias, &views.previous, &views.residual};
    for (const ArgumentInfo& info : kernel.info.arguments) {
      if (info.kind == ArgumentInfo::Kind::scalar)
        problem.scalars.push_back(info.dtype);
      else
        problem.tensors.push_back(all[tensor++]->problem());
    }
    const std::vector<Config> fitting = candidates(kernel, problem, device().target());
    return fitting.at(random() % fitting.size());
  }
};

const std::vector<Lie> lies{plain, turned, padded, stepped, shifted};
constexpr std::array<std::array<std::int64_t, 3>, 8> sizes{
    {{37, 70, 21}, {64, 72, 40}, {129, 66, 33}, {1, 130, 17}, {70, 1, 64}, {65, 65, 65}, {130, 140, 16}, {8, 8, 128}}};

/// One of eight epilogues, those of integers among them.
Extra drawn_extra(DType c, std::int64_t m, std::int64_t n, std::mt19937& random) {
  const bool floating = is_floating(c);
  const Matrix row{floating ? f32 : i32, 1, n}, column{floating ? f16 : i8, m, 1},
      full{floating ? bf16 : i32, m, n, lies[random() % lies.size()]};
  const Activation gelu = floating ? Activation::gelu : Activation::relu,
                   silu = floating ? Activation::silu : Activation::none;
  switch (random() % 8) {
    case 0:
      return {};
    case 1:
      return {.alpha = -3, .activation = Activation::relu};
    case 2:
      return {.bias = row};
    case 3:
      return {.bias = column, .activation = Activation::relu};
    case 4:
      return {.alpha = 2, .beta = -1};
    case 5:
      return {.residual = full, .activation = gelu};
    case 6:
      return {.bias = row, .alpha = 2, .activation = silu};
    default:
      return {.bias = full, .residual = full, .alpha = -1, .beta = 2, .activation = gelu};
  }
}

TEST_P(MatmulSweep, LayoutsTailsDtypesAndEpiloguesAgreeWithTheReference) {
  if (!is_default_build) GTEST_SKIP() << "takes minutes; the default build runs it";
  const Sweep& sweep = GetParam();
  const auto kernel = jit().templates().get(sweep.kernel);
  const bool finishes = kernel->info.arguments.size() > 3;
  std::mt19937 random(std::uint32_t(sweep.operands) + 1);
  for (const DType to : sweep.results)
    for (const Lie& left : lies)
      for (const Lie& right : lies) {
        const auto& [m, n, k] = sizes[random() % sizes.size()];
        const Lie& lie = lies[random() % lies.size()];
        Extra extra = finishes ? drawn_extra(to, m, n, random) : Extra{};
        if (sweep.kernel == "matmul_mma" && sweep.operands == f32) extra.precision = Precision::tf32;
        std::string config;
        const auto run = [&](StreamRef stream, ProductViews views) {
          if (views.bias.present()) views.bias = views.bias.broadcast_to(views.c.shape());
          std::mt19937 same(std::uint32_t(m * n * k) + std::uint32_t(&left - lies.data()));
          const Config drawn = drawn_config(*kernel, views, same);
          config = to_string(drawn);
          std::vector<Argument> arguments{views.a, views.b, views.c};
          if (finishes) {
            for (const TensorView* more : {&views.bias, &views.previous, &views.residual})
              arguments.emplace_back(*more);
            arguments.emplace_back(extra.alpha);
            arguments.emplace_back(extra.beta);
          }
          jit().template_function(sweep.kernel).with_config(settings_of(drawn, extra)).call(stream, arguments);
        };
        ASSERT_TRUE(computes_product(device(), {sweep.operands, m, k, left}, {sweep.operands, k, n, right},
                                     {to, m, n, lie}, extra, run))
            << name_of(to) << ", " << m << " x " << n << " x " << k << ", a " << left.name << ", b " << right.name
            << ", c " << lie.name << ", alpha " << extra.alpha << ", beta " << extra.beta << ", activation "
            << int(extra.activation) << ", bias " << extra.bias.has_value() << ", residual "
            << extra.residual.has_value() << ", " << config;
      }
}

INSTANTIATE_TEST_SUITE_P(Row, MatmulSweep,
                         testing::Values(Sweep{"matmul_row", f64, {f64, f32}}, Sweep{"matmul_row", f32, {f32, bf16}},
                                         Sweep{"matmul_row", f16, {f16, f32}}, Sweep{"matmul_row", bf16, {bf16, f32}}),
                         name_of_sweep);
INSTANTIATE_TEST_SUITE_P(Tiled, MatmulSweep,
                         testing::Values(Sweep{"matmul_tiled", f64, {f64, f32}},
                                         Sweep{"matmul_tiled", f32, {f32, f64, f16, bf16}},
                                         Sweep{"matmul_tiled", f16, {f16, f32, bf16}},
                                         Sweep{"matmul_tiled", bf16, {bf16, f32, f16}},
                                         Sweep{"matmul_tiled", i8, {i32, i64}}, Sweep{"matmul_tiled", i32, {i32, i64}},
                                         Sweep{"matmul_tiled", i64, {i64}}),
                         name_of_sweep);
INSTANTIATE_TEST_SUITE_P(Mma, MatmulSweep,
                         testing::Values(Sweep{"matmul_mma", f16, {f16, f32, bf16}},
                                         Sweep{"matmul_mma", bf16, {bf16, f32, f16}},
                                         Sweep{"matmul_mma", f32, {f32, f64, f16, bf16}}),
                         name_of_sweep);

}  // namespace
}  // namespace tilejit::test
