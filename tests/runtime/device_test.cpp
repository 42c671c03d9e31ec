#include <tilejit/runtime/device.h>

#include <gmock/gmock.h>

#include <tilejit/runtime/device_state.h>

#include "../support/fake_driver.h"
#include "message.h"

namespace tilejit {
namespace {

using test::FakeDriver;
using test::message_of;
using testing::AllOf;
using testing::HasSubstr;

TEST(Device, TellsTheDriversFacts) {
  FakeDriver fake;
  fake.attributes[CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT] = 78;
  fake.attributes[CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN] = 101376;
  fake.attributes[CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE] = 1234567;
  fake.memory_limit = std::size_t(80) << 30;
  const Device device = fake.device();
  EXPECT_EQ(device.name(), "Fake GPU 0");
  EXPECT_EQ(device.uuid(), "GPU-a0a1a2a3-a4a5-a6a7-a8a9-aaabacadae00");
  EXPECT_FALSE(device.is_emulated());
  EXPECT_EQ(device.driver_version(), 13000);
  EXPECT_EQ(device.target().sms, 78);
  EXPECT_EQ(device.target().shared_limit, 101376);
  EXPECT_EQ(device.target().threads_limit, 1024);
  EXPECT_EQ(device.target().registers_per_block, 65536);
  EXPECT_EQ(device.l2_bytes(), 1234567);
  EXPECT_EQ(device.total_memory(), std::int64_t(80) << 30);
  EXPECT_EQ(device.grid_limits().x, 2147483647);
  EXPECT_EQ(device.grid_limits().z, 65535);
}

Target target_with(int major, int minor, bool emulated = false) {
  FakeDriver fake(1, emulated);
  fake.attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR] = major;
  fake.attributes[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR] = minor;
  if (major < 9) {
    fake.attributes[CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED] = 0;
    fake.attributes[CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH] = 0;
  }
  return fake.device().target();
}

TEST(Device, NamesItsArchWithTheSuffixThatItsFeaturesStandBehind) {
  EXPECT_EQ(target_with(8, 0).arch, "sm_80");
  EXPECT_EQ(target_with(8, 9).arch, "sm_89");
  EXPECT_EQ(target_with(9, 0).arch, "sm_90a");
  EXPECT_EQ(target_with(10, 0).arch, "sm_100a");
  EXPECT_EQ(target_with(12, 0).arch, "sm_120a");
  EXPECT_FALSE(target_with(9, 0).ptx_only);
}

TEST(Device, HasTheFeaturesOfItsArch) {
  const Target hopper = target_with(9, 0), ampere = target_with(8, 0);
  for (const char* feature : {"tma", "cluster", "wgmma", "setmaxnreg", "mma", "fp8_convert", "bf16_arithmetic"}) {
    EXPECT_TRUE(hopper.has(feature)) << feature;
  }
  EXPECT_TRUE(ampere.has("mma"));
  EXPECT_FALSE(ampere.has("tma") || ampere.has("cluster") || ampere.has("wgmma") || ampere.has("fp8_convert"));
}

TEST(Device, EmulatedTakesPtxAndHasNoHopperMachinery) {
  const Target target = target_with(9, 0, true);
  EXPECT_EQ(target.arch, "sm_90");
  EXPECT_TRUE(target.ptx_only);
  EXPECT_TRUE(target.has("mma") && target.has("fp8_convert"));
  EXPECT_FALSE(target.has("tma") || target.has("cluster") || target.has("wgmma") || target.has("setmaxnreg"));
}

TEST(Device, NewerThanEveryTableStillOpens) {
  const Target target = target_with(13, 0);
  EXPECT_EQ(target.arch, "sm_130a");
  EXPECT_TRUE(target.has("mma"));
}

TEST(Device, OpensTheOrdinalThatWasAsked) {
  FakeDriver fake(2);
  const Device first = fake.device(0), second = fake.device(1);
  EXPECT_EQ(second.ordinal(), 1);
  EXPECT_EQ(second.name(), "Fake GPU 1");
  EXPECT_NE(first.context(), second.context());
  EXPECT_NE(first.uuid(), second.uuid());
}

TEST(Device, RefusesAnOrdinalThatIsNotThere) {
  FakeDriver fake(2);
  EXPECT_THAT(message_of<InvalidArgument>([&] { fake.device(2); }), AllOf(HasSubstr("device 2"), HasSubstr("0 to 1")));
  EXPECT_NE(message_of<InvalidArgument>([&] { fake.device(-1); }), "");
}

TEST(Device, WithoutAnyIsNoDevice) {
  FakeDriver fake(0);
  EXPECT_THAT(message_of<NoDevice>([&] { fake.device(0); }), HasSubstr("fake"));
}

TEST(Device, KeepsThePrimaryContextUntilTheLastOfItsOwnGoes) {
  FakeDriver fake;
  {
    std::optional<Tensor> tensor;
    {
      const Device device = fake.device();
      const Device copy = device;
      tensor = device.empty(f32, {4});
      EXPECT_EQ(fake.primary_references(0), 1);
    }
    EXPECT_EQ(fake.primary_references(0), 1) << "the tensor still stands in it";
  }
  EXPECT_EQ(fake.primary_references(0), 0);
  EXPECT_EQ(fake.live_allocations(), 0U);
}

TEST(Device, AdoptsAHostsContextAndNeverReleasesIt) {
  FakeDriver fake(2);
  const CUcontext context = fake.create_context(1);
  {
    const Device device = Device::State::adopt(fake.driver(), context, Logger());
    EXPECT_EQ(device.context(), context);
    EXPECT_EQ(device.ordinal(), 1);
    EXPECT_EQ(device.name(), "Fake GPU 1");
    const Tensor tensor = device.empty(f32, {4});
  }
  EXPECT_EQ(fake.count("cuDevicePrimaryCtxRetain"), 0);
  EXPECT_EQ(fake.count("cuDevicePrimaryCtxRelease"), 0);
  EXPECT_EQ(fake.current(), nullptr);
}

TEST(Device, RefusesAContextThatTheDriverDoesNotTake) {
  FakeDriver fake;
  EXPECT_THAT(message_of<InvalidArgument>(
                  [&] { Device::State::adopt(fake.driver(), reinterpret_cast<CUcontext>(0x10), Logger()); }),
              HasSubstr("of_context"));
  EXPECT_THAT(message_of<InvalidArgument>([] { Device::of_context(nullptr); }), HasSubstr("null"));
}

TEST(Device, EveryFailingCallWhileOpeningIsAnErrorThatLeavesNothingBehind) {
  int calls = 0;
  {
    FakeDriver fake;
    fake.device();
    calls = int(fake.calls().size());
  }
  ASSERT_GT(calls, 10);
  for (int nth = 1; nth < calls; ++nth) {  // the last one is the release
    FakeDriver fake;
    fake.fail_any(CUDA_ERROR_INVALID_VALUE, nth);
    EXPECT_THROW(fake.device(), CudaError) << "call " << nth;
    EXPECT_EQ(fake.primary_references(0), 0);
    EXPECT_EQ(fake.context_depth(), 0U);
  }
}

TEST(Device, AFailedReleaseIsLoggedAndNotThrown) {
  FakeDriver fake;
  {
    const Device device = fake.device();
    fake.fail("cuDevicePrimaryCtxRelease", CUDA_ERROR_ILLEGAL_ADDRESS);
  }
  ASSERT_EQ(fake.log().size(), 1U);
  EXPECT_THAT(fake.log()[0], HasSubstr("cuDevicePrimaryCtxRelease"));
}

TEST(Device, AndAllItMadeMayOutliveTheDriverInSilence) {
  std::optional<Device> device;
  std::optional<Tensor> tensor;
  std::optional<Stream> stream;
  std::optional<Event> event;
  std::vector<std::string> log;
  {
    FakeDriver fake;
    const LogOptions options{LogLevel::debug,
                             [&](LogLevel, std::string_view, std::string_view text) { log.emplace_back(text); }};
    device = Device::State::open(fake.driver(), 0, Logger("tilejit.device", options));
    tensor = device->empty(f32, {4});
    stream = device->stream();
    event.emplace(*device);
  }
  event.reset();
  stream.reset();
  tensor.reset();
  device.reset();
  EXPECT_TRUE(log.empty()) << log.front();
}

TEST(Device, SynchronizeWaitsInItsOwnContextAndReportsWhatKernelsDid) {
  FakeDriver fake;
  const Device device = fake.device();
  const CUcontext theirs = fake.create_context(0);
  fake.push(theirs);
  device.synchronize();
  EXPECT_EQ(fake.count("cuCtxSynchronize"), 1);
  fake.fail("cuCtxSynchronize", CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THROW(device.synchronize(), CudaError);
  EXPECT_EQ(fake.current(), theirs);
}

}  // namespace
}  // namespace tilejit
