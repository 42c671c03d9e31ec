#include <tilejit/runtime/jit.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include <tilejit/tests/support/fake_driver.h>
#include <tilejit/tests/support/probe_template.h>
#include <tilejit/tests/support/temp_folder.h>

namespace tilejit {
namespace {

using test::FakeDriver;
using test::FakeLaunch;
using ::testing::HasSubstr;

/// A Jit over a fake driver and the real compiler; launches of the probe copy x to y on the host.
class JitTest : public ::testing::Test {
 protected:
  JitTest() {
    templates_ = folder_.path() / "templates";
    std::filesystem::create_directory(templates_);
    test::write_template(templates_, "probe", test::probe_source());
    driver_.run = [this](const FakeLaunch& launch) { play(launch); };
    driver_.kernels["probe_kernel"].parameters = eight_bytes(3);              // x, y, N
    driver_.kernels["count_differences_kernel"].parameters = eight_bytes(6);  // x, expected, count, N, tolerances
  }

  static std::vector<test::FakeKernel::Place> eight_bytes(std::size_t count) {
    std::vector<test::FakeKernel::Place> places;
    for (std::size_t i = 0; i < count; ++i) places.push_back({8 * i, 8});
    return places;
  }

  Options options(Tuning tuning = Tuning::off) const {
    Options options;
    options.cache_root = (folder_ / "cache").string();
    options.tuning = tuning;
    options.template_paths = {templates_.string()};
    options.log = [this](LogLevel, std::string_view, std::string_view message) { log_.emplace_back(message); };
    return options;
  }

  void play(const FakeLaunch& launch) {
    if (launch.entry != "probe_kernel") return;
    const auto n = launch.parameter<std::int64_t>(2);
    const auto* x = reinterpret_cast<const float*>(launch.parameter<std::uint64_t>(0));
    auto* y = reinterpret_cast<float*>(launch.parameter<std::uint64_t>(1));
    if (writes_) std::copy_n(x, n, y);
  }

  Tensor ones(std::int64_t n) { return device_.copy_of(std::vector<float>(std::size_t(n), 1.0f), {n}); }
  std::vector<FakeLaunch> probes() const {
    std::vector<FakeLaunch> found = driver_.launches();
    std::erase_if(found, [](const FakeLaunch& launch) { return launch.entry != "probe_kernel"; });
    return found;
  }
  template <class F>
  std::string refused(F f) {
    const std::size_t before = driver_.launches().size();
    try {
      f();
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(driver_.launches().size(), before);
      return error.what();
    }
    ADD_FAILURE() << "not refused";
    return "";
  }

  test::TempFolder folder_;
  std::filesystem::path templates_;
  FakeDriver driver_;
  Device device_ = driver_.device();
  bool writes_ = true;
  mutable std::vector<std::string> log_;
};

TEST_F(JitTest, TheFirstCallCompilesAndAWarmOneOnlyLaunches) {
  const Jit jit(device_, options());
  const JitFunction probe = jit.function("probe");
  const Stream stream = device_.stream();
  const Tensor x = ones(1000), y = device_.empty(f32, {1000});
  probe(stream, x, y);
  EXPECT_EQ(jit.counters().compiles, 1u);
  EXPECT_EQ(y.to_host<float>(stream), std::vector<float>(1000, 1.0f));
  driver_.forget_calls();
  probe(stream, x, y);
  std::vector<std::string> calls = driver_.calls();
  std::erase(calls, "cuCtxGetCurrent");
  std::erase(calls, "cuCtxPushCurrent");
  std::erase(calls, "cuCtxPopCurrent");
  EXPECT_EQ(calls, std::vector<std::string>{"cuLaunchKernelEx"});
  const FakeLaunch launch = probes().back();
  EXPECT_EQ(launch.grid, (std::array<unsigned, 3>{8, 1, 1}));
  EXPECT_EQ(launch.block, (std::array<unsigned, 3>{128, 1, 1}));
}

TEST_F(JitTest, ASecondJitOnTheSameCacheCompilesNothingAndTunesNothing) {
  const Tensor x = ones(1000), y = device_.empty(f32, {1000});
  const Stream stream = device_.stream();
  {
    const Jit jit(device_, options(Tuning::first_run));
    jit.function("probe")(stream, x, y);
    EXPECT_EQ(jit.counters().tunings, 1u);
    EXPECT_EQ(jit.counters().compiles, 4u);  // three candidates and the comparison
  }
  const Jit jit(device_, options(Tuning::first_run));
  jit.function("probe")(stream, x, y);
  EXPECT_EQ(jit.counters().tunings, 0u);
  EXPECT_EQ(jit.counters().compiles, 0u);
  EXPECT_EQ(jit.counters().cache_hits, 1u);
}

TEST_F(JitTest, ACachedKernelThatTheDriverRefusesIsBuiltAnewOnce) {
  const Tensor x = ones(1000), y = device_.empty(f32, {1000});
  const Stream stream = device_.stream();
  { Jit(device_, options()).function("probe")(stream, x, y); }
  {
    const Jit jit(device_, options());
    driver_.fail("cuLibraryLoadData", CUDA_ERROR_INVALID_IMAGE);
    jit.function("probe")(stream, x, y);
    EXPECT_EQ(jit.counters().compiles, 1u);
    EXPECT_EQ(jit.counters().loads, 1u);
    EXPECT_THAT(log_, ::testing::Contains(::testing::HasSubstr("a cached kernel is not taken and is built anew")));
  }
  const Jit jit(device_, options());
  jit.function("probe")(stream, x, y);
  EXPECT_EQ(jit.counters().compiles, 0u);
}

TEST_F(JitTest, AKernelThatTheDriverRefusesWhenJustCompiledIsAnError) {
  const Tensor x = ones(1000), y = device_.empty(f32, {1000});
  const Stream stream = device_.stream();
  const Jit jit(device_, options());
  driver_.fail("cuLibraryLoadData", CUDA_ERROR_INVALID_IMAGE);
  EXPECT_THROW(jit.function("probe")(stream, x, y), Error);
  EXPECT_EQ(jit.counters().compiles, 1u);
}

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

TEST_F(JitTest, OnACapturingStreamAnUnpreparedCallIsRefusedBeforeAnyOtherDriverCall) {
  const Jit jit(device_, options(Tuning::first_run));
  const JitFunction probe = jit.function("probe");
  const CUstream stream = driver_.create_stream(device_.context());
  const Tensor x = ones(1000), y = device_.empty(f32, {1000});
  driver_.begin_capture(stream);
  driver_.forget_calls();
  EXPECT_THROW(probe(stream, x, y), NotPrepared);
  for (const std::string& call : driver_.calls())
    EXPECT_TRUE(call == "cuStreamIsCapturing" || call.starts_with("cuCtx")) << call;
  EXPECT_TRUE(driver_.capture_intact());
  driver_.end_capture(stream);
  probe.prepare(stream, x, y);
  driver_.begin_capture(stream);
  driver_.forget_calls();
  probe(stream, x, y);
  EXPECT_EQ(driver_.count("cuLaunchKernelEx"), 1);
  EXPECT_TRUE(driver_.capture_intact());
}

TEST_F(JitTest, WhileCapturingAKernelOfWeakerFactsServes) {
  const Jit jit(device_, options());
  const JitFunction probe = jit.function("probe");
  const CUstream stream = driver_.create_stream(device_.context());
  const Tensor x = ones(1001), y = device_.empty(f32, {1001});
  probe(stream, x, y);  // 4-byte alignment class
  const Tensor x2 = ones(1024), y2 = device_.empty(f32, {1024});
  driver_.begin_capture(stream);
  probe(stream, x2, y2);  // 16-byte class, not compiled
  EXPECT_TRUE(driver_.capture_intact());
  EXPECT_EQ(jit.counters().compiles, 1u);
  EXPECT_EQ(probes().back().parameter<std::int64_t>(2), 1024);
}

TEST_F(JitTest, TheCallersContextIsLeftAsFoundAlsoOnErrors) {
  const CUcontext theirs = driver_.create_context(0);
  driver_.push(theirs);
  const Jit jit(device_, options(Tuning::first_run));
  const Tensor x = ones(1000), y = device_.empty(f32, {1000});
  const Stream stream = device_.stream();
  jit.function("probe")(stream, x, y);
  EXPECT_EQ(driver_.current(), theirs);
  EXPECT_EQ(driver_.context_depth(), 1u);
  for (const FakeLaunch& launch : driver_.launches()) EXPECT_EQ(launch.context, device_.context());
  driver_.fail("cuLaunchKernelEx", CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_THROW(jit.function("probe")(stream, x, y), CudaError);
  EXPECT_EQ(driver_.current(), theirs);
  EXPECT_EQ(driver_.context_depth(), 1u);
}

TEST_F(JitTest, AnEmptyGridIsANoOp) {
  const Jit jit(device_, options(Tuning::first_run));
  const Tensor x = device_.empty(f32, {0}), y = device_.empty(f32, {0});
  jit.function("probe")(device_.stream(), x, y);
  EXPECT_TRUE(driver_.launches().empty());
  EXPECT_EQ(jit.counters().compiles, 0u);
}

TEST_F(JitTest, AWrongCallIsRefusedByName) {
  const Jit jit(device_, options());
  const JitFunction probe = jit.function("probe");
  const Stream stream = device_.stream();
  const Tensor x = ones(10), y = device_.empty(f32, {10});
  EXPECT_THAT(refused([&] { probe(stream, x); }), HasSubstr("probe takes 2 arguments, 1 given"));
  EXPECT_THAT(refused([&] { probe(stream, x, 1.0f); }), HasSubstr("y is a tensor"));
  EXPECT_THAT(refused([&] { probe(stream, x, nullptr); }), HasSubstr("y is not optional"));
  const std::string shapes = refused([&] { probe(stream, x, device_.empty(f32, {11})); });
  EXPECT_THAT(shapes, HasSubstr("x"));
  EXPECT_THAT(shapes, HasSubstr("y"));
  EXPECT_THAT(shapes, HasSubstr("10"));
  EXPECT_THAT(shapes, HasSubstr("11"));
  EXPECT_THAT(refused([&] { probe(stream, x, device_.empty(i32, {10})); }), HasSubstr("y"));
  EXPECT_THAT(refused([&] { probe(stream, x.view({2, 5}), y); }), HasSubstr("x"));
  EXPECT_THAT(refused([&] { probe(stream, x, x.view()); }), HasSubstr("y is written and overlaps x"));
  EXPECT_THAT(refused([&] { probe(stream, x, y.slice(0, 0, 1).broadcast_to({10})); }), HasSubstr("overlaps itself"));
  std::vector<float> host(10);
  EXPECT_THAT(refused([&] { probe(stream, TensorView(host.data(), f32, {10}), y); }), HasSubstr("probe: x"));
  EXPECT_THROW(jit.function("prob"), InvalidArgument);
}

TEST_F(JitTest, ARequirementOfATensorThatIsLeftOutIsNotAskedFor) {
  test::write_template(templates_, "with_bias", R"cuh(/*---
summary = "a probe of an optional tensor"
default  = { BLOCK = 128, num_warps = 4 }
grid     = ["cdiv(N, BLOCK)"]
requires = ["stride(bias, 0) == 1"]
use      = ["block/index.cuh", "block/tensor.cuh"]
[[arguments]]
name = "y"
shape = ["N"]
access = "write"
[[arguments]]
name = "bias"
shape = ["N"]
access = "read"
optional = true
---*/
template <class Y, class Bias>
__device__ void with_bias(Y y, Bias bias) {}
)cuh");
  const Jit jit(device_, options());
  const JitFunction probe = jit.function("with_bias");
  const Stream stream = device_.stream();
  const Tensor y = device_.empty(f32, {1000});
  probe(stream, y, TensorView());
  const TensorView bias = ones(2000).view().slice(0, 0, 2000, 2);
  EXPECT_THAT(refused([&] { probe(stream, y, bias); }),
              ::testing::HasSubstr("with_bias requires stride(bias, 0) == 1; given y: "));
}

TEST_F(JitTest, AScalarMayBeATensorOfRankZero) {
  test::write_template(templates_, "scaled", R"cuh(/*---
summary = "a probe of scalars"
default  = { BLOCK = 128, num_warps = 4 }
grid     = ["cdiv(N, BLOCK)"]
use      = ["block/index.cuh", "block/tensor.cuh"]
[[arguments]]
name = "alpha"
dtype = "f32"
[[arguments]]
name = "y"
shape = ["N"]
access = "write"
[[arguments]]
name = "beta"
dtype = "i32"
---*/
template <class Y>
__device__ void scaled(float alpha, Y y, int beta) {}
)cuh");
  Options loud = options();
  loud.log_level = LogLevel::info;
  const Jit jit(device_, loud);
  const JitFunction scaled = jit.function("scaled");
  const Stream stream = device_.stream();
  const Tensor y = ones(1000), alphas = ones(4);
  const auto last = [&] { return driver_.launches().back(); };
  driver_.kernels["scaled_kernel"].parameters = {{0, 8}, {8, 8}, {16, 4}, {20, 4}};
  scaled(stream, 2.0f, y, 7);
  EXPECT_EQ(last().parameter<float>(2), 2.0f);
  driver_.kernels["scaled_kernel"].parameters = {{0, 8}, {8, 8}, {16, 8}, {24, 4}};
  scaled(stream, alphas.select(0, 3), y, 7);
  EXPECT_EQ(last().parameter<std::uint64_t>(2), reinterpret_cast<std::uintptr_t>(alphas.select(0, 3).data()));
  EXPECT_EQ(last().parameter<std::int32_t>(3), 7);
  EXPECT_EQ(jit.counters().compiles, 2u);
  EXPECT_THAT(log_, ::testing::Contains(::testing::HasSubstr("because: alpha is in memory")));
  scaled(stream, alphas.select(0, 1), y, 8);  // another place, the same kernel
  driver_.kernels["scaled_kernel"].parameters = {{0, 8}, {8, 8}, {16, 4}, {20, 4}};
  scaled(stream, 3.0f, y, 7);  // a value again: each has its own
  EXPECT_EQ(last().parameter<float>(2), 3.0f);
  EXPECT_EQ(jit.counters().compiles, 2u);

  EXPECT_EQ(refused([&] { scaled(stream, alphas, y, 7); }).substr(0, 79),
            "scaled: alpha is a scalar (f32): a value or a tensor of rank 0 and that dtype; ");
  EXPECT_THAT(refused([&] { scaled(stream, 1.0f, y, alphas.select(0, 0)); }),
              ::testing::HasSubstr("scaled: beta is a scalar (i32)"));
  EXPECT_THAT(refused([&] { scaled(stream, y.select(0, 5), y, 7); }),
              ::testing::HasSubstr("scaled: y is written and overlaps alpha"));
  float host = 1;
  EXPECT_THAT(refused([&] { scaled(stream, TensorView(&host, f32, {}, {}), y, 7); }),
              ::testing::HasSubstr("scaled: alpha"));
  scaled(stream, alphas.select(0, 3), y, 7);  // and refused also when warm
  EXPECT_THAT(refused([&] { scaled(stream, y.select(0, 5), y, 7); }), ::testing::HasSubstr("overlaps alpha"));
}

TEST_F(JitTest, OverlapIsFoundOnWarmCallsToo) {
  const Jit jit(device_, options());
  const JitFunction probe = jit.function("probe");
  const Stream stream = device_.stream();
  const Tensor memory = ones(64);
  probe(stream, memory.slice(0, 0, 16), memory.slice(0, 32, 48));
  EXPECT_THAT(refused([&] { probe(stream, memory.slice(0, 0, 16), memory.slice(0, 8, 24)); }), HasSubstr("overlaps"));
}

TEST_F(JitTest, AHostPointerIsFoundOnWarmCallsToo) {
  const Jit jit(device_, options());
  const JitFunction probe = jit.function("probe");
  const Stream stream = device_.stream();
  const Tensor x = ones(16), y = device_.empty(f32, {16});
  probe(stream, x, y);
  alignas(16) float host[16] = {};
  EXPECT_THAT(refused([&] { probe(stream, TensorView(host, f32, {16}), y); }), HasSubstr("probe: x"));
}

TEST_F(JitTest, AtMostSoManyKernelsStayLoaded) {
  Options few = options();
  few.max_variants = 2;
  const Jit jit(device_, few);
  const JitFunction probe = jit.function("probe");
  const Stream stream = device_.stream();
  for (const DType dtype : {f32, f64, f16, i8, i32}) {
    const Tensor x = device_.empty(dtype, {0 + 16}), y = device_.empty(dtype, {16});
    writes_ = false;
    probe(stream, x, y);
    EXPECT_LE(driver_.live_libraries(), 2u);
  }
  EXPECT_EQ(jit.counters().loads, 5u);
}

TEST_F(JitTest, ThreadsThatMeetOnOneColdFunctionCompileItOnce) {
  const Jit jit(device_, options());
  const JitFunction probe = jit.function("probe");
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const Stream stream = device_.stream();
      const Tensor x = ones(1000), y = device_.empty(f32, {1000});
      for (int round = 0; round < 50; ++round) probe(stream, x, y);
      EXPECT_EQ(y.to_host<float>(stream), std::vector<float>(1000, 1.0f));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(jit.counters().compiles, 1u);
  EXPECT_EQ(probes().size(), 200u);
}

TEST_F(JitTest, AFailedCompileGivesItsFullErrorAgainOnEachCall) {
  test::write_template(templates_, "probe", test::probe_source("  this_is_not_defined(x);\n"));
  const Jit jit(device_, options());
  const JitFunction probe = jit.function("probe");
  const Tensor x = ones(16), y = device_.empty(f32, {16});
  std::string first;
  for (int i = 0; i < 2; ++i) {
    try {
      probe(device_.stream(), x, y);
      FAIL() << "compiled";
    } catch (const CompileError& error) {
      EXPECT_THAT(error.what(), HasSubstr("probe.cuh"));
      EXPECT_THAT(error.what(), HasSubstr("this_is_not_defined"));
      if (i == 0) first = error.what();
      EXPECT_EQ(error.what(), first);
    }
  }
  EXPECT_TRUE(probes().empty());
}

TEST_F(JitTest, FixedStridesAreCompiledInAndAPromiseIsKept) {
  const Jit jit(device_, options());
  const Stream stream = device_.stream();
  const Tensor wide = ones(64), y = device_.empty(f32, {16});
  const TensorView x = wide.slice(0, 0, 64, 4);
  const Argument args[] = {x, y};
  const JitFunction probe = jit.function("probe");
  EXPECT_EQ(std::ranges::count(probe.object_code(args).parameters, Parameter::Kind::stride, &Parameter::kind), 1);
  const JitFunction fixed = probe.fix_strides("x", {4});
  EXPECT_EQ(std::ranges::count(fixed.object_code(args).parameters, Parameter::Kind::stride, &Parameter::kind), 0);
  EXPECT_THAT(refused([&] { fixed(stream, wide.slice(0, 0, 32, 2), y); }), HasSubstr("x"));
  EXPECT_THAT(refused([&] { probe.fix_strides("z"); }), HasSubstr("z"));
}

TEST_F(JitTest, AConfigSetByTheCallerRunsAndIsChecked) {
  const Jit jit(device_, options(Tuning::first_run));
  const Stream stream = device_.stream();
  const Tensor x = ones(1000), y = device_.empty(f32, {1000});
  jit.function("probe").with_config({{"BLOCK", 64}})(stream, x, y);
  EXPECT_EQ(probes().size(), 1u);
  EXPECT_EQ(probes().back().grid[0], 16u);
  EXPECT_THAT(refused([&] { jit.function("probe").with_config({{"BLOK", 64}}); }), HasSubstr("BLOK"));
  const std::string warps = refused([&] { jit.function("probe").with_config({{"num_warps", 64}})(stream, x, y); });
  EXPECT_THAT(warps, HasSubstr("num_warps=64"));
  EXPECT_THAT(warps, HasSubstr("1024"));
}

TEST_F(JitTest, AGridSetByTheCallerIsLaunched) {
  const Jit jit(device_, options());
  const Tensor x = ones(1000), y = device_.empty(f32, {1000});
  jit.function("probe").with_grid({7, 1, 1})(device_.stream(), x, y);
  EXPECT_EQ(probes().back().grid[0], 7u);
}

TEST_F(JitTest, AGridSetByTheCallerIsNeverTunedSoThatNoOtherCallGetsItsResult) {
  const Jit jit(device_, options(Tuning::first_run));
  const Tensor x = ones(1000), y = device_.empty(f32, {1000});
  const JitFunction probe = jit.function("probe").with_grid({7, 1, 1});
  probe(device_.stream(), x, y);
  EXPECT_EQ(jit.counters().tunings, 0u);
  const Argument args[] = {x, y};
  EXPECT_THAT(refused([&] { probe.tune_call(device_.stream(), args); }), HasSubstr("grid"));
  jit.function("probe")(device_.stream(), x, y);
  EXPECT_EQ(jit.counters().tunings, 1u);
}

TEST_F(JitTest, ABoundLaunchLaunchesAgainAndNeedsNoWorkspace) {
  const Jit jit(device_, options());
  const Stream stream = device_.stream();
  const Tensor x = ones(1000), y = device_.empty(f32, {1000});
  BoundLaunch bound = jit.function("probe").bind(stream, x, y.view());
  EXPECT_TRUE(probes().empty());
  EXPECT_EQ(bound.workspace_bytes(), 0u);
  bound(stream);
  bound(stream);
  EXPECT_EQ(probes().size(), 2u);
  EXPECT_EQ(y.to_host<float>(stream), std::vector<float>(1000, 1.0f));
  const BoundLaunch taken = std::move(bound);
  EXPECT_THAT(refused([&] { bound(stream); }), HasSubstr("moved from"));
}

TEST_F(JitTest, AGpuNewerThanTheCompilerRunsPtxOfTheNewestArchSaidOnce) {
  driver_.attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR] = 99;
  const Device newer = driver_.device();
  const Jit jit(newer, options());
  const Stream stream = newer.stream();
  for (const std::int64_t n : {1000, 1001}) {  // two kernels
    const Tensor x = newer.copy_of(std::vector<float>(std::size_t(n), 1.0f), {n}), y = newer.empty(f32, {n});
    jit.function("probe")(stream, x, y);
    EXPECT_EQ(y.to_host<float>(stream), std::vector<float>(std::size_t(n), 1.0f));
  }
  EXPECT_EQ(jit.counters().compiles, 2u);
  EXPECT_EQ(
      std::ranges::count_if(log_, [](const std::string& line) { return line.find("newer than NVRTC") != line.npos; }),
      1);
}

TEST_F(JitTest, TheCompileLogNamesTheArgumentThatCausedIt) {
  Options loud = options();
  loud.log_level = LogLevel::info;
  const Jit jit(device_, loud);
  const Stream stream = device_.stream();
  const Tensor x = ones(1024), y = device_.empty(f32, {1024});
  const JitFunction probe = jit.function("probe");
  probe(stream, x.slice(0, 0, 1000), y.slice(0, 0, 1000));
  log_.clear();
  probe(stream, x.slice(0, 1, 1001), y.slice(0, 0, 1000));
  const bool told = std::ranges::any_of(
      log_, [](const std::string& line) { return line.find("x's alignment class is 4") != line.npos; });
  EXPECT_TRUE(told) << ::testing::PrintToString(log_);
}

}  // namespace
}  // namespace tilejit
