#include "tests/runtime/jit_fixture.h"

namespace tilejit {
namespace {

using test::FakeDriver;
using test::FakeLaunch;
using test::JitTest;
using ::testing::HasSubstr;

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

}  // namespace
}  // namespace tilejit
