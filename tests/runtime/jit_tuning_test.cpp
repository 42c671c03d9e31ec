#include "tests/runtime/jit_fixture.h"

namespace tilejit {
namespace {

using test::FakeDriver;
using test::FakeLaunch;
using test::JitTest;
using ::testing::HasSubstr;

TEST_F(JitTest, TuningTakesTheFastestAndWritesOnlyScratch) {
  driver_.cost = [](const FakeLaunch& launch) { return launch.grid[0] == 4 ? 1.0f : 2.0f; };  // BLOCK = 256
  const Jit jit(device_, options(Tuning::first_run));
  const Stream stream = device_.stream();
  const Tensor x = ones(1000), y = device_.empty(f32, {1000});
  jit.function("probe").prepare(stream, x, y);
  const auto address = reinterpret_cast<std::uint64_t>(y.data());
  EXPECT_GE(probes().size(), 6u);
  for (const FakeLaunch& launch : probes()) EXPECT_NE(launch.parameter<std::uint64_t>(1), address);
  const Argument args[] = {x, y};
  const JitFunction::Choice choice = jit.function("probe").choice(args);
  EXPECT_EQ(choice.config.constants, (std::vector<std::pair<std::string, std::int64_t>>{{"BLOCK", 256}}));
  jit.function("probe")(stream, x, y);
  EXPECT_EQ(probes().back().grid[0], 4u);
  EXPECT_EQ(probes().back().parameter<std::uint64_t>(1), address);
}

TEST_F(JitTest, ACandidateThatGivesOtherValuesIsRejectedWithItsReason) {
  driver_.run = [this](const FakeLaunch& launch) {
    if (launch.entry == "probe_kernel") play(launch);
    if (launch.entry == "count_differences_kernel") {
      const auto n = launch.parameter<std::int64_t>(3);
      const auto* x = reinterpret_cast<const std::int32_t*>(launch.parameter<std::uint64_t>(0));
      const auto* e = reinterpret_cast<const std::int32_t*>(launch.parameter<std::uint64_t>(1));
      auto* count = reinterpret_cast<std::int64_t*>(launch.parameter<std::uint64_t>(2));
      for (std::int64_t i = 0; i < n; ++i) *count += x[i] != e[i];
    }
    if (launch.entry == "probe_kernel" && launch.grid[0] == 16) {  // BLOCK = 64
      *reinterpret_cast<float*>(launch.parameter<std::uint64_t>(1)) = 7;
    }
  };
  const Jit jit(device_, options());
  const Tensor x = ones(1000), y = device_.empty(f32, {1000});
  const Argument args[] = {x, y};
  const TuningResult result = jit.function("probe").tune_call(device_.stream(), args);
  ASSERT_EQ(result.rejected.size(), 1u);
  EXPECT_EQ(result.rejected[0].config.constants[0].second, 64);
  EXPECT_THAT(result.rejected[0].why, HasSubstr("output y"));
  EXPECT_EQ(result.measurements.size(), 2u);
}

TEST_F(JitTest, ACandidateWhoseLaunchFailsIsDataAndTheOthersGoOn) {
  driver_.fail("cuLaunchKernelEx", CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 2);
  const Jit jit(device_, options());
  const Tensor x = ones(1000), y = device_.empty(f32, {1000});
  const Argument args[] = {x, y};
  const TuningResult result = jit.function("probe").tune_call(device_.stream(), args);
  ASSERT_EQ(result.rejected.size(), 1u);
  EXPECT_THAT(result.rejected[0].why, HasSubstr("cuLaunchKernelEx"));
}

TEST_F(JitTest, WithoutMemoryForScratchTheDefaultRunsAndOneWarningSaysSo) {
  const Jit jit(device_, options(Tuning::first_run));
  const Tensor x = ones(1000), y = device_.empty(f32, {1000});
  driver_.fail("cuMemAllocAsync", CUDA_ERROR_OUT_OF_MEMORY);
  const Stream stream = device_.stream();
  jit.function("probe")(stream, x, y);
  EXPECT_EQ(jit.counters().tunings, 0u);
  EXPECT_EQ(y.to_host<float>(stream), std::vector<float>(1000, 1.0f));
  EXPECT_EQ(std::ranges::count_if(log_, [](const std::string& line) { return line.find("untuned") != line.npos; }), 1);
}

TEST_F(JitTest, TuningGivesItsScratchBack) {
  const Jit jit(device_, options());
  const Tensor x = ones(1000), y = device_.empty(f32, {1000});
  const std::size_t before = driver_.live_allocations();
  const Argument args[] = {x, y};
  jit.function("probe").tune_call(device_.stream(), args);
  EXPECT_EQ(driver_.live_allocations(), before);
}

TEST_F(JitTest, AGridSetByTheCallerIsNeverTunedSoThatNoOtherCallGetsItsResult) {
  const Jit jit(device_, options(Tuning::first_run));
  const Tensor x = ones(1000), y = device_.empty(f32, {1000});
  const JitFunction probe = jit.function("probe").with_grid({7, 1, 1});
  probe(device_.stream(), x, y);
  EXPECT_EQ(jit.counters().tunings, 0u);
  const Argument args[] = {x, y};
  EXPECT_EQ(probe.choice(args).why, "default: the caller's grid is not tuned");
  EXPECT_EQ(jit.function("probe").choice(args).why, "default: not tuned yet");
  EXPECT_THAT(refused([&] { probe.tune_call(device_.stream(), args); }), HasSubstr("grid"));
  jit.function("probe")(device_.stream(), x, y);
  EXPECT_EQ(jit.counters().tunings, 1u);
}

}  // namespace
}  // namespace tilejit
