#include <tilejit/runtime/device.h>

#include <gmock/gmock.h>

#include <numeric>

#include <tilejit/runtime/device_state.h>
#include <tilejit/runtime/pointer_check.h>
#include <tilejit/runtime/stream_check.h>

#include "../runtime/message.h"
#include "../support/gpu_fixture.h"

namespace tilejit {
namespace {

using test::message_of;
using testing::AllOf;
using testing::HasSubstr;

class GpuDevice : public test::GpuTest {
 protected:
  static const Driver& driver() { return *device().state()->driver; }
  static CUcontext current() {
    CUcontext context = nullptr;
    driver().check(driver().call.cuCtxGetCurrent(&context), "cuCtxGetCurrent");
    return context;
  }
  /// The second GPU, or none; then that it is refused by name is looked at.
  static std::optional<Device> second() {
    try {
      return Device::open(DeviceKind::gpu, 1);
    } catch (const InvalidArgument& error) {
      EXPECT_THAT(error.what(), AllOf(HasSubstr("device 1 asked for"), HasSubstr("has 1 (0 to 0)")));
    }
    return std::nullopt;
  }
  static std::string refused(const TensorView& view) {
    LastAllocation last;
    const CurrentContext context(driver(), device().context());
    return message_of<InvalidArgument>([&] { check_pointer(*device().state(), "copy_2d", "x", view, last); });
  }
  static std::vector<float> counting(std::size_t count) {
    std::vector<float> values(count);
    std::iota(values.begin(), values.end(), 0.0F);
    return values;
  }
};

TEST_F(GpuDevice, TellsPlausibleFacts) {
  EXPECT_FALSE(device().name().empty());
  EXPECT_FALSE(device().is_emulated());
  EXPECT_GE(device().driver_version(), 12040);
  EXPECT_TRUE(device().target().arch.starts_with("sm_")) << device().target().arch;
  EXPECT_GT(device().target().sms, 0);
  EXPECT_GE(device().target().shared_limit, 48 * 1024);
  EXPECT_GT(device().total_memory(), std::int64_t(1) << 30);
  EXPECT_GT(device().l2_bytes(), 0);
  EXPECT_EQ(device().grid_limits().y, 65535);
  EXPECT_EQ(device().uuid().size(), 40U) << device().uuid();
  if (device().target().arch == "sm_90a") {
    for (const char* feature : {"tma", "cluster", "wgmma", "setmaxnreg"}) EXPECT_TRUE(device().target().has(feature));
  }
}

TEST_F(GpuDevice, CopiesThereAndBack) {
  const std::vector<float> host = counting(1 << 20);
  const Tensor x = device().copy_of(host, {1024, 1024});
  EXPECT_EQ(x.to_host<float>(), host);
  const Stream stream = device().stream();
  const Tensor y = device().empty(f32, {1024, 1024});
  y.copy_from_bytes(std::as_bytes(std::span(host)), stream);
  EXPECT_EQ(y.to_host<float>(stream), host);
}

TEST_F(GpuDevice, FillsAndReadsBackOnAStream) {
  const Stream stream = device().stream();
  const Tensor x = device().empty(i32, {1000});
  x.fill_bytes(0x01, stream);
  const std::vector<int> host = x.to_host<int>(stream);
  EXPECT_EQ(host, std::vector<int>(1000, 0x01010101));
  EXPECT_EQ(x.to_host<int>(), host) << "the default stream sees what the other stream did";
}

TEST_F(GpuDevice, EventsMeasureTime) {
  const Stream stream = device().stream();
  const Tensor x = device().empty(u8, {256 << 20});
  const Event start(device()), end(device());
  start.record(stream);
  x.fill_bytes(1, stream);
  end.record(stream);
  end.synchronize();
  EXPECT_GT(end.milliseconds_since(start), 0.0F);
}

TEST_F(GpuDevice, LeavesTheThreadsContextAsItWas) {
  ASSERT_EQ(current(), nullptr);
  const Tensor x = device().copy_of(counting(16), {16});
  const Stream stream = device().stream();
  x.fill_bytes(1, stream);
  stream.synchronize();
  device().synchronize();
  EXPECT_EQ(current(), nullptr);
}

TEST_F(GpuDevice, AdoptsAContextAndSharesItsMemory) {
  const Device adopted = Device::of_context(device().context());
  EXPECT_EQ(adopted.context(), device().context());
  EXPECT_EQ(adopted.ordinal(), device().ordinal());
  EXPECT_EQ(adopted.uuid(), device().uuid());
  const Tensor x = adopted.copy_of(counting(16), {16});
  EXPECT_EQ(refused(x), "");
}

TEST_F(GpuDevice, KnowsItsOwnMemoryFromTheHosts) {
  const Tensor x = device().empty(f32, {100});
  EXPECT_EQ(refused(x), "");
  EXPECT_EQ(refused(x.slice(0, 99, -101, -1)), "");
  std::vector<float> host(100);
  EXPECT_THAT(refused(TensorView(host.data(), f32, {100})), HasSubstr("copy_2d: x"));
  EXPECT_THAT(refused(TensorView(nullptr, f32, {100})), HasSubstr("a null pointer"));
}

TEST_F(GpuDevice, KnowsWhereAnAllocationEnds) {
  const Tensor x = device().empty(f32, {100});
  EXPECT_THAT(refused(TensorView(x.data(), f32, {101})), HasSubstr("4 bytes past its allocation of 400 bytes"));
  EXPECT_THAT(refused(TensorView(x.data(), f32, {2}, {-1})), HasSubstr("4 bytes before"));
}

TEST_F(GpuDevice, TakesMemoryOfThePool) {
  const Stream stream = device().stream();
  const CurrentContext context(driver(), device().context());
  CUdeviceptr pointer = 0;
  driver().check(driver().call.cuMemAllocAsync(&pointer, 4096, stream.handle()), "cuMemAllocAsync");
  const TensorView view(reinterpret_cast<void*>(pointer), f32, {1024});
  EXPECT_EQ(refused(view), "");
  EXPECT_EQ(refused(view.slice(0, 1000, 1024)), "");
  driver().check(driver().call.cuMemFreeAsync(pointer, stream.handle()), "cuMemFreeAsync");
}

TEST_F(GpuDevice, TellsTwoDevicesApart) {
  const std::optional<Device> other = second();
  if (!other) return;  // that the second is refused by name was looked at
  EXPECT_EQ(other->ordinal(), 1);
  EXPECT_NE(other->uuid(), device().uuid());
  EXPECT_NE(other->context(), device().context());
  const Tensor theirs = other->copy_of(counting(16), {16});
  EXPECT_EQ(theirs.to_host<float>(), counting(16));
  EXPECT_THAT(refused(theirs), HasSubstr("memory of device 1"));
  const Stream stream = other->stream();
  EXPECT_THAT(message_of<InvalidArgument>([&] { check_stream(*device().state(), stream, "copy_2d"); }),
              HasSubstr("another context (device 1)"));
  EXPECT_EQ(current(), nullptr);
}

TEST_F(GpuDevice, OutOfMemorySaysHowMuchIsFree) {
  EXPECT_THAT(message_of<CudaError>([] { device().empty(u8, {std::int64_t(1) << 46}); }),
              AllOf(HasSubstr("CUDA_ERROR_OUT_OF_MEMORY"), HasSubstr("70368744177664 bytes asked for")));
  EXPECT_EQ(device().copy_of(counting(4), {4}).to_host<float>(), counting(4)) << "and nothing is lost";
}

}  // namespace
}  // namespace tilejit
