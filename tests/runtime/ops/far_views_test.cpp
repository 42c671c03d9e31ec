// Ops on tensors whose elements lie more than 2^31 apart, or number more than 2^31: what near, small ones give.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <optional>

#include <tilejit/tests/support/effort.h>
#include <tilejit/tests/templates/device_fixture.h>

namespace tilejit::test {
namespace {

constexpr std::int64_t past = (INT64_C(1) << 31) + 64;

class FarViews : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    if (device().total_memory() < 12 * (INT64_C(1) << 30)) GTEST_SKIP() << "needs 9 GB of device memory";
    stream_ = owned_.emplace(device().stream());
  }

  /// (2, 48) with rows `past` bytes or more apart.
  struct Far {
    Tensor memory;
    TensorView view;
  };
  Far far(DType dtype) const {
    const std::int64_t size = std::int64_t(size_of(dtype)), stride = dtype == u8 ? past : past / size;
    Far far{device().empty(u8, {(stride + 48) * size}), {}};
    far.view = TensorView(far.memory.data(), dtype, {2, 48}, {stride, 1});
    return far;
  }
  std::vector<std::byte> bytes_of(const TensorView& view) const {
    const Tensor near = device().empty(view.dtype(), view.shape());
    jit().function("copy")(stream_, view, near);
    return near.to_host_bytes(stream_);
  }

  std::optional<Stream> owned_;
  StreamRef stream_ = nullptr;
};

TEST_F(FarViews, GiveWhatNearOnesGive) {
  for (const DType dtype : {u8, f32}) {
    std::vector<float> host(96);
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = float((i * 37 + 5) % 11);
    const Tensor numbers = device().copy_of(host, {2, 48});
    const Tensor near = device().empty(dtype, {2, 48});
    jit().function("copy")(stream_, numbers, near);
    const Far x = far(dtype), y = far(dtype);
    jit().function("copy")(stream_, near, x.view);
    EXPECT_EQ(bytes_of(x.view), near.to_host_bytes(stream_));
    for (const std::string op : {"abs", "cumsum", "softmax"}) {
      if (op == "softmax" && dtype == u8) continue;
      const Tensor expected = device().empty(dtype, {2, 48});
      jit().function(op)(stream_, near, expected);
      jit().function(op)(stream_, x.view, y.view);
      EXPECT_EQ(bytes_of(y.view), expected.to_host_bytes(stream_)) << op << " " << name_of(dtype);
    }
    for (const std::string op : {"sum", "max", "norm"})
      for (const bool columns : {false, true}) {
        const DType to = op == "norm" ? f32 : dtype;
        const auto output = [&] { return columns ? device().empty(to, {1, 48}) : device().empty(to, {2}); };
        const Tensor expected = output(), found = output();
        jit().function(op)(stream_, near, expected);
        jit().function(op)(stream_, x.view, found);
        EXPECT_EQ(found.to_host_bytes(stream_), expected.to_host_bytes(stream_)) << op << " " << name_of(dtype);
      }
  }
}

TEST_F(FarViews, ATensorOfMoreThanTwoToThe31ElementsIsReachedToItsEnd) {
  const std::int64_t rows = past / 16;
  const Tensor x = device().empty(u8, {rows, 16});
  std::vector<std::uint8_t> last(32);
  std::iota(last.begin(), last.end(), std::uint8_t{1});
  jit().function("copy")(stream_, device().copy_of(last, {2, 16}), x.slice(0, rows - 2, rows));
  jit().function("fill")(stream_, 77, x.slice(0, 0, 1));  // what padding reads
  const Tensor index = device().copy_of(std::vector<std::int64_t>{rows - 1, rows - 2, rows}, {3});
  const Tensor y = device().empty(u8, {3, 16});
  jit().function("gather")(stream_, x, index, y);
  std::vector<std::uint8_t> expected(last.begin() + 16, last.end());
  expected.insert(expected.end(), last.begin(), last.begin() + 16);
  expected.resize(48, 0);  // what is no row gives zeros
  EXPECT_EQ(y.to_host<std::uint8_t>(stream_), expected);
}

/// One row of memory, read 32769 times.
TEST_F(FarViews, MoreThanTwoToThe31ElementsAreSummed) {
  if (emulated() && (rounds(1) == 1 || !is_default_build))
    GTEST_SKIP() << "a minute on the emulated device: scripts/test --full, in the default build";
  const std::int64_t rows = 32769, columns = 65536;
  const Tensor ones = device().copy_of(std::vector<std::uint8_t>(std::size_t(columns), 1), {columns});
  const Tensor y = device().empty(i64, std::span<const std::int64_t>{});
  jit().function("sum")(stream_, TensorView(ones.data(), u8, {rows, columns}, {0, 1}), y);
  EXPECT_EQ(y.to_host<std::int64_t>(stream_), std::vector<std::int64_t>{rows * columns});
}

}  // namespace
}  // namespace tilejit::test
