#include "tests/runtime/jit_fixture.h"

#include <numeric>
#include <thread>

namespace tilejit {
namespace {

using test::FakeDriver;
using test::FakeLaunch;
using test::JitTest;
using ::testing::HasSubstr;

TEST_F(JitTest, OnlyTheLaterLaunchesOfAnOpFollowTheOneBefore) {
  const Jit jit(device_, options());
  const Stream stream = device_.stream();
  const Tensor x = ones(1 << 22), y = device_.empty(f32, {1});
  jit.function("sum")(stream, x.view().view({1, 1 << 22}), y.view().view({1, 1}));
  const std::vector<FakeLaunch> launches = driver_.launches();
  ASSERT_GE(launches.size(), 2U);
  for (std::size_t i = 0; i < launches.size(); ++i) EXPECT_EQ(launches[i].follows, i > 0) << launches[i].entry;
}

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

TEST_F(JitTest, AGridSetByTheCallerIsLaunched) {
  const Jit jit(device_, options());
  const Tensor x = ones(1000), y = device_.empty(f32, {1000});
  jit.function("probe").with_grid({7, 1, 1})(device_.stream(), x, y);
  EXPECT_EQ(probes().back().grid[0], 7u);
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
