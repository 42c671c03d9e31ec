// No template of the library is left out: each runs on this device, or is refused by the feature that it needs, and
// those are counted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tilejit/tests/templates/device_fixture.h>
#include <tilejit/tests/templates/problems.h>
#include <tilejit/tests/templates/tensor_case.h>

namespace tilejit::test {
namespace {

using testing::HasSubstr;

class Coverage : public DeviceTest {
 protected:
  static std::vector<ViewSpec> views_of(const Template& kernel, DType dtype, bool transposed) {
    const Problem problem = problem_of(kernel, dtype, 70, transposed);
    std::vector<ViewSpec> views;
    for (const ArgumentInfo& argument : kernel.info.arguments) {
      if (argument.kind != ArgumentInfo::Kind::tensor) continue;
      const TensorProblem& tensor = problem.tensors[views.size()];
      const auto rank = std::size_t(tensor.rank);
      views.push_back({tensor.dtype,
                       {tensor.shape.begin(), tensor.shape.begin() + rank},
                       {tensor.strides.begin(), tensor.strides.begin() + rank},
                       0,
                       argument.access == Access::write});
    }
    return views;
  }

  /// Empty: it ran and was right; else why the device refused it.
  static std::string refusal(const Template& kernel) {
    try {
      const double tolerance = std::max(kernel.info.relative_tolerance, kernel.info.absolute_tolerance);
      const auto agrees = [&](DType dtype, bool transposed) {
        // The Config that an untuned call takes: the default, or the first that fits.
        Settings settings;
        const auto found = candidates(kernel, problem_of(kernel, dtype, 70, transposed), device().target());
        if (!found.empty()) {
          settings = found.front().constants;
          settings.emplace_back("num_warps", found.front().num_warps);
        }
        return computes(jit(), kernel.name, views_of(kernel, dtype, transposed), settings, Values::quarters, nullptr,
                        tolerance);
      };
      for (const DType dtype : dtypes_of(kernel)) EXPECT_TRUE(agrees(dtype, false));
      // The one that is kept as an example of what goes wrong is right for contiguous inputs alone.
      if (kernel.name != "copy_2d_hardcoded") {
        EXPECT_TRUE(agrees(dtypes_of(kernel).front(), true));
      }
      return "";
    } catch (const InvalidArgument& error) {
      return error.what();
    }
  }
};

TEST_F(Coverage, EveryTemplateRunsForEveryDtypeOrIsCountedWithWhatItNeeds) {
  const TemplateLibrary library;
  std::vector<std::string> waiting;
  std::size_t ran = 0;
  for (const std::string& name : library.names()) {
    const auto kernel = library.get(name);
    ASSERT_NE(tool::reference_for(name), nullptr) << name;
    const std::string why = refusal(*kernel);
    if (why.empty()) {
      ++ran;
      continue;
    }
    EXPECT_FALSE(kernel->info.needs.empty()) << why;
    EXPECT_THAT(why, HasSubstr("needs"));
    waiting.push_back(fmt::format("{} ({})", name, fmt::join(kernel->info.needs, ", ")));
  }
  fmt::print("{}: {} of {} templates ran; {} wait for what they need{}{}\n", device().name(), ran,
             library.names().size(), waiting.size(), waiting.empty() ? "" : ": ", fmt::join(waiting, ", "));
  EXPECT_EQ(ran + waiting.size(), library.names().size());
  EXPECT_GE(ran, 10u);
}

TEST_F(Coverage, AFeatureThatTheEmulatedDeviceLacksIsNamed) {
  if (!emulated()) GTEST_SKIP() << "a GPU may have it";
  const Tensor ids = device().empty(DType::i32, {100});
  const StreamRef stream = nullptr;
  try {
    jit().function("needs_wgmma")(stream, ids);
    FAIL() << "it ran";
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), HasSubstr("wgmma"));
  }
}

}  // namespace
}  // namespace tilejit::test
