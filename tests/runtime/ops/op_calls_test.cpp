// What a call of an op asks of the driver: real compiler, fake device.
#include "tests/runtime/jit_fixture.h"

#include <thread>

namespace tilejit {
namespace {

using test::JitTest;
using ::testing::HasSubstr;
using ::testing::Not;

class OpCalls : public JitTest {
 protected:
  std::vector<std::string> calls_without_context() {
    std::vector<std::string> calls = driver_.calls();
    std::erase_if(calls, [](const std::string& call) { return call.starts_with("cuCtx"); });
    return calls;
  }
};

TEST_F(OpCalls, AWarmCallOnlyLaunches) {
  const Jit jit(device_, options());
  const JitFunction add = jit.function("add");
  const Stream stream = device_.stream();
  const Tensor x = ones(1000), z = device_.empty(f32, {1000});
  add(stream, x, 1.5, z);
  driver_.forget_calls();
  add(stream, x, 2.5, z);  // another number is no other kernel
  EXPECT_EQ(calls_without_context(), std::vector<std::string>{"cuLaunchKernelEx"});
  EXPECT_EQ(jit.counters().compiles, 1u);
}

TEST_F(OpCalls, OnACapturingStreamAnUnpreparedCallIsRefusedAndAPreparedOneLaunches) {
  const Jit jit(device_, options());
  const JitFunction copy = jit.function("copy");
  const CUstream stream = driver_.create_stream(device_.context());
  const Tensor x = ones(1000), y = device_.empty(f32, {1000});
  driver_.begin_capture(stream);
  EXPECT_THROW(copy(stream, x, y), NotPrepared);
  EXPECT_TRUE(driver_.capture_intact());
  driver_.end_capture(stream);
  copy.prepare(stream, x, y);
  driver_.begin_capture(stream);
  driver_.forget_calls();
  copy(stream, x, y);
  EXPECT_EQ(driver_.count("cuLaunchKernelEx"), 1);
  EXPECT_TRUE(driver_.capture_intact());
}

TEST_F(OpCalls, WhatIsTunedWorksOnWhatTheStepsBeforeItLeave) {
  const Jit jit(device_, options());
  const Tensor memory = ones(64), index = device_.empty(i64, {2}), y = device_.empty(f32, {2, 3, 2});
  const TensorView x(memory.data(), f32, {2, 3, 2}, {32, 5, 2});  // is packed first: its last axes do not fold
  const Argument arguments[] = {x, index, y};
  const TuningResult result = jit.function("gather").tune_call(device_.stream(), arguments);
  EXPECT_TRUE(result.launches);
  const std::vector<test::FakeLaunch> launches = driver_.launches();
  ASSERT_GE(launches.size(), 2U);
  EXPECT_THAT(launches[0].entry, Not(HasSubstr("gather")));
  EXPECT_THAT(launches[1].entry, HasSubstr("gather"));
}

TEST_F(OpCalls, ThreadsShareOneKernel) {
  const Jit jit(device_, options());
  const JitFunction copy = jit.function("copy");
  const Tensor x = ones(1000), y = device_.empty(f32, {1000});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 20; ++k) copy(nullptr, x, y);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(jit.counters().compiles, 1u);
  EXPECT_EQ(driver_.launches().size(), 80u);
}

TEST_F(OpCalls, PointersOutsideOfTheirAllocationAreNamedAsTheCallersArguments) {
  const Jit jit(device_, options());
  const Tensor x = ones(1000), y = device_.empty(f32, {1000});
  const TensorView beyond(y.data(), f32, {2000});
  EXPECT_THAT(refused([&] { jit.function("fill")(nullptr, 1, beyond); }), HasSubstr("fill: y: f32 (2000)"));
}

TEST_F(OpCalls, AUsersTemplateGoesBeforeAnOpOfItsName) {
  test::write_template(templates_, "neg",
                       "/*---\nsummary = \"mine\"\ndefault = { num_warps = 1 }\ngrid = [\"1\"]\n"
                       "[[arguments]]\nname = \"y\"\nshape = [\"N\"]\naccess = \"write\"\n---*/\n"
                       "template <class Y>\n__device__ void neg(Y y) {}\n");
  const Jit jit(device_, options());
  EXPECT_FALSE(jit.function("neg").is_op());
  EXPECT_TRUE(jit.function("abs").is_op());
  EXPECT_FALSE(jit.template_function("copy_2d").is_op());
}

}  // namespace
}  // namespace tilejit
