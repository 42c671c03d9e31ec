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

}  // namespace
}  // namespace tilejit
