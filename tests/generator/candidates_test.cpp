#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include <tilejit/generator/error.h>
#include <tilejit/generator/specialization.h>

#include "tests/generator/template_text.h"

namespace tilejit {
namespace {

using test::fixture;
using test::fixture_template;
using test::template_of;
using test::with;

TensorProblem contiguous(DType dtype, std::int64_t rows, std::int64_t columns) {
  TensorProblem problem;
  problem.dtype = dtype;
  problem.rank = 2;
  problem.shape = {rows, columns};
  problem.strides = {columns, 1};
  return problem;
}

Problem copy_problem(std::int64_t rows = 4096, std::int64_t columns = 4096) {
  return {{contiguous(f32, rows, columns), contiguous(f32, rows, columns)}, {}};
}

Problem every_key_problem(std::int64_t k = 64, bool bias = true) {
  TensorProblem c;
  c.present = bias;
  c.rank = 1;
  c.shape = {128};
  c.strides = {1};
  return {{contiguous(bf16, 128, k), contiguous(bf16, k, 128), c, contiguous(f32, 128, 128)}, {f32, i32}};
}

Target hopper() {
  Target target;
  target.arch = "sm_90a";
  target.features = {"tma", "cluster", "wgmma", "mma"};
  return target;
}

std::string reason(const Template& kernel, const Problem& problem, const Config& config, const Target& target) {
  return why_not(kernel, ProblemScope(kernel, problem, default_config(kernel.info), target), config, target);
}

TEST(Config, TheDefaultIsTheFrontMatters) {
  EXPECT_EQ(to_string(default_config(fixture_template("copy_2d.cuh").info)),
            "BLOCK_M=64 BLOCK_N=64 num_warps=8 num_stages=1");
  EXPECT_EQ(to_string(default_config(fixture_template("every_key.cuh").info)),
            "BLOCK_N=128 BLOCK_M=128 CLUSTER=1 BLOCK_K=64 SPLIT=1 num_warps=4 num_stages=4");
}

TEST(Config, SettingsAreLaidOverTheDefault) {
  const FrontMatter info = fixture_template("copy_2d.cuh").info;
  EXPECT_EQ(to_string(config_with(info, {{"BLOCK_N", 48}, {"num_warps", 2}})),
            "BLOCK_M=64 BLOCK_N=48 num_warps=2 num_stages=1");
  const auto error = [&](std::vector<std::pair<std::string, std::int64_t>> settings) -> std::string {
    try {
      return to_string(config_with(info, settings));
    } catch (const InvalidArgument& error) {
      return error.what();
    }
  };
  EXPECT_EQ(error({{"BLOK_M", 1}}), "\"BLOK_M\" is not a constant of this template (did you mean BLOCK_M or BLOCK_N?)");
  EXPECT_EQ(error({{"BLOCK_M", 1}, {"BLOCK_M", 1}}), "BLOCK_M is set twice");
  EXPECT_EQ(error({{"num_warps", 3}}), "num_warps is 1, 2, 4, 8, 12, 16 or 32, not 3");
  EXPECT_EQ(error({{"BLOCK_M", std::int64_t{1} << 40}}), "BLOCK_M = 1099511627776 does not fit into a 32-bit int");
}

TEST(Candidates, AreThoseThatPassWhereInTheListedOrderTheDefaultFirst) {
  const Template kernel = fixture_template("copy_2d.cuh");
  std::vector<Config> expected{config_with(kernel.info, {})};
  for (std::int64_t m : {1, 4, 8, 16, 32, 64, 128})
    for (std::int64_t n : {8, 16, 32, 64, 128, 256, 512, 1024})
      for (std::int64_t warps : {1, 2, 4, 8}) {
        const bool passes = m * n >= 32 * warps && m * n <= 1024 * warps;
        if (passes && !(m == 64 && n == 64 && warps == 8))
          expected.push_back(config_with(kernel.info, {{"BLOCK_M", m}, {"BLOCK_N", n}, {"num_warps", warps}}));
      }
  EXPECT_EQ(candidates(kernel, copy_problem(), hopper()), expected);
  EXPECT_GT(expected.size(), 50u);
}

TEST(Candidates, WithoutAChoiceThereIsTheDefault) {
  std::string source = fixture("copy_2d.cuh");
  source.erase(source.find("[config]"), source.find("[cost]") - source.find("[config]"));
  const Template kernel = template_of(source, "copy_2d.cuh");
  EXPECT_THAT(candidates(kernel, copy_problem(), hopper()), testing::ElementsAre(default_config(kernel.info)));
}

TEST(Candidates, TheDefaultIsLeftOutWhereItDoesNotFitTheProblem) {
  const Template kernel =
      template_of(with(fixture("copy_2d.cuh"), "where   = [", "where   = [\"BLOCK_M <= M\", "), "copy_2d.cuh");
  const std::vector<Config> found = candidates(kernel, copy_problem(8, 4096), hopper());
  ASSERT_FALSE(found.empty());
  for (const Config& config : found) EXPECT_LE(config.constants[0].second, 8);
  EXPECT_EQ(reason(kernel, copy_problem(8, 4096), default_config(kernel.info), hopper()),
            "where: BLOCK_M <= M is false");
}

TEST(WhyNot, IsEmptyForWhatCanRun) {
  EXPECT_EQ(reason(fixture_template("every_key.cuh"), every_key_problem(),
                   default_config(fixture_template("every_key.cuh").info), hopper()),
            "");
}

TEST(WhyNot, NamesTheConditionTheFeatureOrTheLimit) {
  const Template kernel = fixture_template("every_key.cuh");
  const Config config = default_config(kernel.info);
  const auto with_settings = [&](std::vector<std::pair<std::string, std::int64_t>> settings) {
    return reason(kernel, every_key_problem(), config_with(kernel.info, settings), hopper());
  };
  Target ampere = hopper();
  ampere.arch = "sm_80";
  ampere.features = {"mma", "tma"};
  EXPECT_EQ(reason(kernel, every_key_problem(), config, ampere), "needs wgmma, which sm_80 does not have");
  EXPECT_EQ(reason(kernel, every_key_problem(68), config, hopper()), "requires: align(a) >= 16 is false");
  EXPECT_EQ(with_settings({{"BLOCK_M", 100}}), "where: BLOCK_M % 64 == 0 is false");
  EXPECT_EQ(with_settings({{"num_stages", 30}}),
            "where: num_stages * (BLOCK_M + BLOCK_N) * BLOCK_K * size(a) <= shared_limit is false");
  EXPECT_EQ(with_settings({{"CLUSTER", 16}}), "cluster: CLUSTER is 16; 1 to 8 programs fit");
  EXPECT_EQ(with_settings({{"CLUSTER", 4}}), "min_blocks: 2 / CLUSTER is 0; 1 to 32 fit");
  EXPECT_EQ(with_settings({{"CLUSTER", 0}}), "cluster: CLUSTER is 0; 1 to 8 programs fit");
  EXPECT_EQ(with_settings({{"BLOCK_K", 32}}), "");
  EXPECT_EQ(with_settings({{"BLOCK_M", 512}, {"BLOCK_K", 8}}), "box of a: axis 0 is 512; 1 to 256 fit");
  EXPECT_EQ(with_settings({{"BLOCK_K", 128}, {"num_stages", 1}}),
            "box of a: 256 bytes along axis 1; a multiple of 16 up to 128 is needed");
  EXPECT_EQ(with_settings({{"BLOCK_K", 4}}), "box of a: 8 bytes along axis 1; a multiple of 16 up to 128 is needed");
  Target small = hopper();
  small.threads_limit = 64;
  EXPECT_EQ(reason(kernel, every_key_problem(), config, small), "num_warps = 4: 128 threads, 64 fit");
  const Template shared =
      template_of(with(fixture("copy_2d.cuh"), "[[arguments]]", "shared = \"300000\"\n[[arguments]]"), "copy_2d.cuh");
  EXPECT_EQ(reason(shared, copy_problem(), default_config(shared.info), hopper()), "shared: 300000 bytes, 232448 fit");
}

TEST(WhyNot, AConditionOnAnAbsentTensorDoesNotCount) {
  const std::string source = with(fixture("every_key.cuh"), "\"K % 8 == 0\"", "\"stride(bias, 0) == 2\"");
  const Template kernel = template_of(source, "every_key.cuh");
  const Config config = default_config(kernel.info);
  EXPECT_EQ(reason(kernel, every_key_problem(64, true), config, hopper()), "requires: stride(bias, 0) == 2 is false");
  EXPECT_EQ(reason(kernel, every_key_problem(64, false), config, hopper()), "");
}

TEST(WhyNot, AnExpressionThatFailsIsAReason) {
  const Template kernel = template_of(
      with(fixture("copy_2d.cuh"), "where   = [", "where   = [\"M / (BLOCK_M - 64) > 0\", "), "copy_2d.cuh");
  EXPECT_EQ(reason(kernel, copy_problem(), default_config(kernel.info), hopper()),
            "expression \"M / (BLOCK_M - 64) > 0\", column 3: 4096 / 0 divides by zero");
}

TEST(ProblemScope, ValuesFollowTheSymbols) {
  const Template kernel = fixture_template("every_key.cuh");
  ProblemScope scope(kernel, every_key_problem(), default_config(kernel.info), hopper());
  const auto value = [&](const std::string& text) {
    return Expression::parse(text, kernel.info.symbols).evaluate(scope.scope());
  };
  EXPECT_EQ(value("M"), 128);
  EXPECT_EQ(value("K"), 64);
  EXPECT_EQ(value("N"), 128);
  EXPECT_EQ(value("BLOCK_K"), 64);
  EXPECT_EQ(value("num_warps"), 4);
  EXPECT_EQ(value("num_stages"), 4);
  EXPECT_EQ(value("sms"), 132);
  EXPECT_EQ(value("shared_limit"), 232448);
  EXPECT_EQ(value("size(a) * 100 + align(d)"), 216);
  EXPECT_EQ(value("stride(a, 0)"), 64);
  scope.set(config_with(kernel.info, {{"SPLIT", 9}, {"num_stages", 3}}));
  EXPECT_EQ(value("SPLIT * 10 + num_stages"), 93);
  EXPECT_THROW(scope.set(default_config(fixture_template("copy_2d.cuh").info)), std::logic_error);
}

}  // namespace
}  // namespace tilejit
