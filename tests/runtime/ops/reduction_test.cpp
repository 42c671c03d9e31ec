// Reductions and row ops by value: two passes, workspaces, and axes that need a copy.
#include <gmock/gmock.h>

#include <numeric>

#include <tilejit/tests/templates/device_fixture.h>

#include "../message.h"

namespace tilejit::test {
namespace {

class Reductions : public DeviceTest {
 protected:
  Tensor range(std::initializer_list<std::int64_t> shape, std::int64_t count) {
    std::vector<float> host(static_cast<std::size_t>(count));
    std::iota(host.begin(), host.end(), 0.0f);
    return device().copy_of(host, shape);
  }
};

TEST_F(Reductions, YsShapeSaysWhichAxesAreReduced) {
  const Tensor x = range({2, 3, 4}, 24);
  const Stream stream = device().stream();
  const JitFunction sum = jit().function("sum");
  const Tensor whole = device().empty(f32, std::span<const std::int64_t>{});
  sum(stream, x, whole);
  EXPECT_EQ(whole.to_host<float>(stream), std::vector<float>{276});
  const Tensor rows = device().empty(f32, {2, 3});
  sum(stream, x, rows);
  EXPECT_EQ(rows.to_host<float>(stream), (std::vector<float>{6, 22, 38, 54, 70, 86}));
  const Tensor middle = device().empty(f32, {2, 1, 4});
  sum(stream, x, middle);
  EXPECT_EQ(middle.to_host<float>(stream), (std::vector<float>{12, 15, 18, 21, 48, 51, 54, 57}));
  const Tensor outer = device().empty(f32, {1, 3, 1});  // what is kept lies between what is reduced
  sum(stream, x, outer);
  EXPECT_EQ(outer.to_host<float>(stream), (std::vector<float>{60, 92, 124}));
  const Tensor top = device().empty(f32, {1, 1, 4});
  jit().function("max")(stream, x, top);
  EXPECT_EQ(top.to_host<float>(stream), (std::vector<float>{20, 21, 22, 23}));
  jit().function("min")(stream, x, top);
  EXPECT_EQ(top.to_host<float>(stream), (std::vector<float>{0, 1, 2, 3}));
}

TEST_F(Reductions, OnlyWhatNeedsAWorkspaceTakesOne) {
  const Tensor x = range({2, 3, 4}, 24);
  const JitFunction sum = jit().function("sum");
  const Stream stream = device().stream();
  EXPECT_EQ(sum.bind(stream, x, device().empty(f32, {2, 3})).workspace_bytes(), 0U);
  EXPECT_EQ(sum.bind(stream, x, device().empty(f32, {1, 3, 1})).workspace_bytes(), 256U);
}

TEST_F(Reductions, AFewLongRowsTakeTwoPassesAndTheCallersWorkspace) {
  const Tensor x = device().copy_of(std::vector<float>(300001, 1.0f), {300001});
  const Tensor y = device().empty(f32, std::span<const std::int64_t>{});
  const Stream stream = device().stream();
  for (const auto& [op, expected] :
       {std::pair("sum", 300001.0f), std::pair("mean", 1.0f), std::pair("max", 1.0f), std::pair("min", 1.0f)}) {
    const BoundLaunch bound = jit().function(op).bind(stream, x, y);
    const auto bytes = std::int64_t(bound.workspace_bytes());
    ASSERT_GT(bytes, 0) << op;
    const Tensor workspace = device().empty(u8, {bytes});
    bound(stream, workspace);
    EXPECT_EQ(y.to_host<float>(stream), std::vector<float>{expected}) << op;
    bound(stream);  // from the allocator
    EXPECT_EQ(y.to_host<float>(stream), std::vector<float>{expected}) << op;
    const Tensor small = device().empty(u8, {bytes - 1});
    EXPECT_THROW(bound(stream, small), InvalidArgument);
    EXPECT_THROW(bound(stream, workspace.slice(0, 1, bytes)), InvalidArgument);
  }
}

/// One that holds an argument destroyed it, and host memory took the context with it.
TEST_F(Reductions, AWorkspaceIsMemoryOfTheDevicesThatNoArgumentHolds) {
  const Tensor memory = device().copy_of(std::vector<float>(1 << 16, 1.0f), {1 << 16});
  const TensorView x = memory.slice(0, 64, 1 << 16), head = memory.slice(0, 0, 64);
  const Tensor y = device().empty(f32, std::span<const std::int64_t>{});
  const Stream stream = device().stream();
  const BoundLaunch bound = jit().function("sum").bind(stream, x, y);
  ASSERT_EQ(bound.workspace_bytes(), 256U);
  const auto refusal = [&](const TensorView& workspace) {
    return message_of<InvalidArgument>([&] { bound(stream, workspace); });
  };
  EXPECT_THAT(refusal(x), testing::HasSubstr("overlaps x"));
  EXPECT_THAT(refusal(memory.slice(0, 32, 1 << 16)), testing::HasSubstr("overlaps x"));  // its last 128 bytes do
  const Tensor own = device().empty(f32, {64});
  EXPECT_THAT(
      message_of<InvalidArgument>([&] { jit().function("sum").bind(stream, x, own.slice(0, 8, 9))(stream, own); }),
      testing::HasSubstr("overlaps y"));
  alignas(256) static std::byte host[4096];
  EXPECT_THAT(refusal(TensorView(host, u8, {4096})), testing::HasSubstr("sum: the workspace: "));
  EXPECT_EQ(refusal(head), "");
  EXPECT_EQ(y.to_host<float>(stream), std::vector<float>{65536 - 64});
}

TEST_F(Reductions, ArgmaxCountsInRowMajorOrderAndTakesTheFirst) {
  std::vector<float> host(200000, 0.0f);
  host[150001] = host[180000] = 2;
  const Tensor x = device().copy_of(host, {400, 500});
  const Tensor y = device().empty(i64, std::span<const std::int64_t>{});
  const Stream stream = device().stream();
  jit().function("argmax")(stream, x, y);
  EXPECT_EQ(y.to_host<std::int64_t>(stream), std::vector<std::int64_t>{150001});
  jit().function("argmax")(stream, x.t(), y);  // (0, 360) comes before (1, 300)
  EXPECT_EQ(y.to_host<std::int64_t>(stream), std::vector<std::int64_t>{360});
}

TEST_F(Reductions, RowsOfAnyLengthAreSoftmaxed) {
  const Stream stream = device().stream();
  for (const std::int64_t n : {3, 1000, 40000}) {
    const Tensor x = device().copy_of(std::vector<float>(std::size_t(2 * n), 5.0f), {2, n});
    const Tensor y = device().empty(f32, {2, n});
    jit().function("softmax")(stream, x, y);
    for (const float value : y.to_host<float>(stream)) ASSERT_NEAR(value, 1.0f / float(n), 1e-6f / float(n)) << n;
  }
}

}  // namespace
}  // namespace tilejit::test
