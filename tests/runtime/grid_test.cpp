#include <tilejit/runtime/grid.h>

#include <gmock/gmock.h>

#include <algorithm>

#include <tilejit/generator/target.h>
#include <tilejit/generator/template_library.h>

#include "message.h"

namespace tilejit {
namespace {

using test::message_of;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr Device::GridLimits limits{2147483647, 65535, 65535};

std::string refused(std::array<std::int64_t, 3> programs) {
  return message_of<InvalidArgument>([&] { grid_of(programs, limits, "copy_2d"); });
}

TEST(Grid, WithinTheLimitsIsLaunchedAsItIs) {
  const Grid grid = grid_of({4, 65535, 2}, limits, "copy_2d");
  EXPECT_THAT(grid.blocks, ElementsAre(4, 65535, 2));
  EXPECT_THAT(grid.programs, ElementsAre(4, 65535, 2));
  EXPECT_FALSE(grid.folded);
}

TEST(Grid, FoldsIntoXWhereYOrZPassTheirLimit) {
  const Grid tall = grid_of({3, 65536, 2}, limits, "copy_2d");
  EXPECT_TRUE(tall.folded);
  EXPECT_THAT(tall.blocks, ElementsAre(3 * 65536 * 2, 1, 1));
  EXPECT_THAT(tall.programs, ElementsAre(3, 65536, 2));
  EXPECT_THAT(grid_of({1, 1, 70000}, limits, "copy_2d").blocks, ElementsAre(70000, 1, 1));
  EXPECT_THAT(grid_of({1, 2147483647, 1}, limits, "copy_2d").blocks, ElementsAre(2147483647, 1, 1));
}

TEST(Grid, BeyondXIsRefusedByAxisCountAndLimit) {
  EXPECT_THAT(refused({2147483648, 1, 1}),
              AllOf(HasSubstr("copy_2d: grid axis x has 2147483648"), HasSubstr("limit is 2147483647")));
}

TEST(Grid, FoldedBeyondXIsRefusedByTheAxisThatNeededIt) {
  EXPECT_THAT(refused({65536, 65536, 1}), AllOf(HasSubstr("grid axis y has 65536"), HasSubstr("65536 x 65536 x 1")));
  EXPECT_THAT(refused({1, 2, 2147483647}), HasSubstr("grid axis z"));
  EXPECT_THAT(refused({2147483647, INT64_MAX, 2}), HasSubstr("grid axis y")) << "a product that wraps";
}

TEST(Grid, NegativeCountsAreRefused) {
  EXPECT_THAT(refused({4, -1, 1}), HasSubstr("grid axis y has -1"));
  EXPECT_THAT(refused({0, 1, -3}), HasSubstr("grid axis z has -3"));
}

TEST(Grid, ZeroProgramsIsEmptyWhateverTheOtherAxesAre) {
  EXPECT_TRUE(grid_of({0, 1, 1}, limits, "copy_2d").empty());
  EXPECT_TRUE(grid_of({INT64_MAX, 0, INT64_MAX}, limits, "copy_2d").empty());
  EXPECT_FALSE(grid_of({1, 1, 1}, limits, "copy_2d").empty());
}

TEST(Grid, ProgramsAreTheTemplatesExpressions) {
  Template kernel;
  Symbols symbols;
  symbols.values = {"M", "N", "BLOCK_M"};
  kernel.info.grid = {Expression::parse("cdiv(M, BLOCK_M)", symbols), Expression::parse("N + 1", symbols)};
  const std::array<std::int64_t, 3> values{1000, 6, 256};
  EXPECT_THAT(programs_of(kernel, {values, {}}), ElementsAre(4, 7, 1)) << "cdiv(1000, 256) is 4";
}

/// A call of the template in which each size is 64.
Problem problem_of(const Template& kernel) {
  Problem problem;
  for (const ArgumentInfo& info : kernel.info.arguments) {
    if (info.kind == ArgumentInfo::Kind::scalar) {
      problem.scalars.emplace_back(info.dtype);
      continue;
    }
    std::vector<std::int64_t> shape;
    for (const Dimension& axis : info.shape) shape.push_back(axis.name.empty() ? axis.extent : 64);
    const auto other = std::ranges::find(kernel.info.arguments, info.same_dtype_as, &ArgumentInfo::name);
    const ArgumentInfo& from = other == kernel.info.arguments.end() ? info : *other;
    const DType dtype = from.dtypes.empty() ? DType::f32 : from.dtypes.front();
    problem.tensors.push_back(TensorView(reinterpret_cast<void*>(0x100000), dtype, shape).problem());
  }
  return problem;
}

TEST(Grid, BlocksThatMakeNoneNameTemplateAndConfigInEveryTemplate) {
  const TemplateLibrary library;
  const Target target = target_of("sm_90a");
  int refusals = 0;
  for (const std::string& name : library.names()) {
    const std::shared_ptr<const Template> kernel = library.get(name);
    const Problem problem = problem_of(*kernel);
    for (const std::string& constant : kernel->info.constants)
      for (const std::int64_t value : {0, -1}) {
        const Config config = config_with(kernel->info, {{constant, value}});
        const ProblemScope scope(*kernel, problem, config, target);
        const std::string error = message_of<InvalidArgument>([&] { grid_of(*kernel, config, scope.scope(), limits); });
        if (error.empty()) continue;
        ++refusals;
        EXPECT_TRUE(error.starts_with(name + " with ")) << error;
        EXPECT_THAT(error, AllOf(HasSubstr(constant + "=" + std::to_string(value)), HasSubstr("grid"))) << error;
      }
  }
  EXPECT_GT(refusals, 50);
}

}  // namespace
}  // namespace tilejit
