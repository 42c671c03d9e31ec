#include <gtest/gtest.h>

#include <algorithm>

#include <tilejit/generator/specialization.h>
#include <tilejit/generator/template_library.h>
#include <tilejit/tests/templates/problems.h>
#include <tilejit/tools/reference/reference.h>

namespace tilejit {
namespace {

using test::dtypes_of;
using test::problem_of;

const TemplateLibrary& library() {
  static const TemplateLibrary templates;
  return templates;
}

TEST(Templates, AllAreReadAndSayWhatTheyCompute) {
  for (const std::string& name : library().names()) {
    const auto kernel = library().get(name);
    EXPECT_EQ(kernel->name, name);
    EXPECT_FALSE(kernel->info.summary.empty()) << name;
    EXPECT_FALSE(kernel->info.use.empty()) << name << ": each names the headers that it needs";
    EXPECT_TRUE(kernel->info.cost_bytes.has_value()) << name;
  }
}

TEST(Templates, EachHasASlowReference) { EXPECT_EQ(library().names(), tool::reference_names()); }

TEST(Templates, OnlyTheBlockLibraryIsReached) {
  for (const std::string& name : library().names())
    for (const SourceFile& header : library().get(name)->headers)
      EXPECT_TRUE(header.name == "block.cuh" || header.name.starts_with("block/")) << name << ": " << header.name;
}

/// Any dtype, any layout: the default Config serves, and tuning has a choice that does not get out of hand.
TEST(Templates, DefaultConfigServesEveryDtypeAndCandidatesAreFew) {
  const Target target = target_of("sm_90a");
  for (const std::string& name : library().names()) {
    const auto kernel = library().get(name);
    const std::int64_t size = name.ends_with("_cluster") ? 131072 : 8192;  // others hold shorter rows
    for (const DType dtype : dtypes_of(*kernel))
      for (const bool transposed : {false, true}) {
        const Problem problem = problem_of(*kernel, dtype, size, transposed);
        const Config config = default_config(kernel->info);
        const ProblemScope scope(*kernel, problem, config, target);
        EXPECT_EQ(why_not(*kernel, scope, config, target), "") << name << " " << name_of(dtype);
        const std::vector<Config> found = candidates(*kernel, problem, target);
        EXPECT_LE(found.size(), 24u) << name << " " << name_of(dtype);
        EXPECT_GE(found.size(), kernel->info.config.empty() ? 1u : 2u) << name << " " << name_of(dtype);
      }
  }
}

/// What the ops send here (runtime/ops/row_op.cpp): a length without a Config would be a refused call.
TEST(Templates, RowsOfEveryLengthThatAProgramOrAClusterHoldsHaveAConfig) {
  const Target target = target_of("sm_90a");
  for (const std::string name : {"softmax", "log_softmax", "layernorm", "rmsnorm"}) {
    const auto alone = library().get(name), cluster = library().get(name + "_cluster");
    for (const DType dtype : dtypes_of(*alone)) {
      const std::int64_t most = dtype == DType::f64 ? 16384 : 32768, packed = size_of(dtype) == 2 ? 24576 : most;
      std::vector<std::int64_t> lengths{most, 8 * most};
      for (std::int64_t n = 1; n < 8 * most; n += n / 16 + 1) lengths.push_back(n);
      for (std::int64_t n = 8192; n < 8 * most; n += 8192) lengths.insert(lengths.end(), {n, n + 1});
      const auto serves = [&](const Template& kernel, std::int64_t n) {
        for (const bool residual : {false, true}) {
          Problem problem = problem_of(kernel, dtype, n, false);
          std::size_t tensor = 0;
          for (const ArgumentInfo& argument : kernel.info.arguments)
            if (argument.kind == ArgumentInfo::Kind::tensor)
              problem.tensors[tensor++].present = residual || !argument.optional;
          EXPECT_FALSE(candidates(kernel, problem, target).empty()) << kernel.name << " " << name_of(dtype) << " " << n;
        }
      };
      for (const std::int64_t n : lengths) {
        if (n <= most) serves(*alone, n);  // also where there are no clusters
        if (n > packed) serves(*cluster, n);
      }
    }
  }
}

}  // namespace
}  // namespace tilejit
