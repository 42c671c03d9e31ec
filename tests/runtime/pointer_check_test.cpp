#include <tilejit/runtime/pointer_check.h>

#include <gmock/gmock.h>

#include <array>
#include <thread>

#include <tilejit/runtime/device.h>

#include "../support/fake_driver.h"
#include "message.h"

namespace tilejit {
namespace {

using test::FakeDriver;
using test::message_of;
using testing::AllOf;
using testing::HasSubstr;

class PointerCheckTest : public testing::Test {
 protected:
  FakeDriver fake{2};
  Device device = fake.device();
  LastAllocation last;

  void check(const TensorView& view) {
    const CurrentContext current(*fake.driver(), device.context());
    check_pointer(*device.state(), "copy_2d", "x", view, last);
  }
  std::string refused(const TensorView& view) {
    return message_of<InvalidArgument>([&] { check(view); });
  }
  int asked() { return fake.count("cuPointerGetAttributes"); }
};

TEST_F(PointerCheckTest, AsksOnceForAnAllocationAndAgainOutsideIt) {
  const Tensor x = device.empty(f32, {100}), y = device.empty(f32, {100});
  check(x);
  check(x.slice(0, 10, 50));
  check(x.slice(0, 99, -101, -1));
  EXPECT_EQ(asked(), 1);
  check(y);
  EXPECT_EQ(asked(), 2);
  check(x);
  EXPECT_EQ(asked(), 3);
}

TEST_F(PointerCheckTest, HostPointersAreRefusedByArgument) {
  std::array<float, 4> host{};
  EXPECT_THAT(refused(TensorView(host.data(), f32, {4})),
              AllOf(HasSubstr("copy_2d: x: 0x"), HasSubstr("a host pointer")));
  EXPECT_THAT(refused(TensorView(nullptr, f32, {4})), HasSubstr("copy_2d: x: a null pointer for f32 (4)"));
}

TEST_F(PointerCheckTest, RegisteredHostMemoryPassesUnderItsDeviceAddress) {
  std::array<float, 4> same{}, elsewhere{}, unmapped{};
  fake.register_host(same.data(), sizeof same, reinterpret_cast<CUdeviceptr>(same.data()));
  fake.register_host(elsewhere.data(), sizeof elsewhere, 0x7000);
  fake.register_host(unmapped.data(), sizeof unmapped, 0);
  EXPECT_EQ(refused(TensorView(same.data(), f32, {4})), "");
  EXPECT_THAT(refused(TensorView(elsewhere.data(), f32, {4})), HasSubstr("the device sees it at 0x7000"));
  EXPECT_THAT(refused(TensorView(unmapped.data(), f32, {4})), HasSubstr("not mapped"));
}

TEST_F(PointerCheckTest, MemoryOfAnotherDeviceOrContextIsRefused) {
  const Device second = fake.device(1);
  const Tensor theirs = second.empty(f32, {4});
  EXPECT_THAT(refused(theirs), AllOf(HasSubstr("memory of device 1"), HasSubstr("Fake GPU 0")));
  const Device host = Device::State::adopt(fake.driver(), fake.create_context(0), Logger());
  const Tensor hosts = host.empty(f32, {4});
  EXPECT_THAT(refused(hosts), HasSubstr("memory of another context"));
}

TEST_F(PointerCheckTest, ManagedAndPooledMemoryPasses) {
  const Tensor managed = fake.device(1).empty(f32, {4});
  fake.set_managed(reinterpret_cast<CUdeviceptr>(managed.data()));
  EXPECT_EQ(refused(managed), "");
  const CurrentContext current(*fake.driver(), device.context());
  CUdeviceptr pooled = 0;
  ASSERT_EQ(fake.driver()->call.cuMemAllocAsync(&pooled, 64, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(refused(TensorView(reinterpret_cast<void*>(pooled), f32, {16})), "");
}

TEST_F(PointerCheckTest, AViewThatLeavesItsAllocationIsRefusedWithItsBytes) {
  const Tensor x = device.empty(f32, {100});
  EXPECT_THAT(refused(TensorView(x.data(), f32, {101})),
              HasSubstr("reaches 0 bytes before and 4 bytes past its allocation of 400 bytes"));
  EXPECT_THAT(refused(TensorView(x.data(), f32, {3}, {-2})), HasSubstr("reaches 16 bytes before and 0 bytes past"));
  check(x);
  EXPECT_THAT(refused(TensorView(x.data(), f32, {101})), HasSubstr("4 bytes past"))
      << "also where x was asked about already";
}

TEST_F(PointerCheckTest, WhatTheDriverDoesNotTellIsNotHeldAgainstAView) {
  const Tensor x = device.empty(f32, {100});
  fake.hide_range(reinterpret_cast<CUdeviceptr>(x.data()));
  EXPECT_EQ(refused(TensorView(x.data(), f32, {101})), "");
  EXPECT_EQ(refused(x), "");
  EXPECT_EQ(asked(), 2) << "and nothing can be remembered";
}

TEST_F(PointerCheckTest, EmptyViewsAreNotAskedAbout) {
  check(TensorView(nullptr, f32, {0, 4}));
  check(TensorView());
  EXPECT_EQ(asked(), 0);
}

TEST(LastAllocation, IsNeverReadHalfWritten) {
  LastAllocation last;
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) i % 2 == 0 ? last.set(1000, 2000) : last.set(5000, 6000);
  });
  for (int i = 0; i < 200000; ++i) ASSERT_FALSE(last.holds(1500, 5500)) << "from the first range to the second";
  stop = true;
  writer.join();
  EXPECT_TRUE(last.holds(1000, 2000) || last.holds(5000, 6000));
  const LastAllocation copy = last;
  EXPECT_TRUE(copy.holds(1000, 2000) || copy.holds(5000, 6000));
  EXPECT_FALSE(LastAllocation().holds(1, 2));
}

}  // namespace
}  // namespace tilejit
