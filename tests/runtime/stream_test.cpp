#include <tilejit/runtime/stream.h>

#include <gmock/gmock.h>

#include <tilejit/runtime/device_state.h>
#include <tilejit/runtime/stream_check.h>

#include "../support/fake_driver.h"
#include "message.h"

namespace tilejit {
namespace {

using test::FakeDriver;
using test::message_of;
using testing::AllOf;
using testing::HasSubstr;

class StreamTest : public testing::Test {
 protected:
  FakeDriver fake{2};
  Device device = fake.device();
};

TEST_F(StreamTest, IsMadeInTheDevicesContextAndGoesWithItsOwner) {
  {
    const Stream stream = device.stream();
    CUcontext context = nullptr;
    ASSERT_EQ(fake.driver()->call.cuStreamGetCtx(stream.handle(), &context), CUDA_SUCCESS);
    EXPECT_EQ(context, device.context());
    stream.synchronize();
  }
  EXPECT_EQ(fake.live_streams(), 0U);
  EXPECT_EQ(fake.current(), nullptr);
}

TEST_F(StreamTest, MovesWithoutLosingOrDoublingTheHandle) {
  {
    Stream first = device.stream();
    Stream second = std::move(first);
    EXPECT_EQ(first.handle(), nullptr);
    Stream third = device.stream();
    third = std::move(second);
    EXPECT_NE(third.handle(), nullptr);
    EXPECT_EQ(fake.live_streams(), 2U) << "the one assigned over goes with the object it went into";
  }
  EXPECT_EQ(fake.live_streams(), 0U);
  EXPECT_TRUE(fake.log().empty());
}

TEST_F(StreamTest, WhatWasMovedFromSaysSo) {
  Stream stream = device.stream();
  const Stream other = std::move(stream);
  EXPECT_THAT(message_of<InvalidArgument>([&] { stream.synchronize(); }), HasSubstr("moved from"));
  Event event(device);
  const Event taken = std::move(event);
  EXPECT_THAT(message_of<InvalidArgument>([&] { event.record(other); }), HasSubstr("moved from"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { event.synchronize(); }), HasSubstr("moved from"));
}

TEST_F(StreamTest, AFailedDestroyIsLogged) {
  {
    const Stream stream = device.stream();
    fake.fail("cuStreamDestroy", CUDA_ERROR_ILLEGAL_ADDRESS);
  }
  ASSERT_EQ(fake.log().size(), 1U);
  EXPECT_THAT(fake.log()[0], HasSubstr("cuStreamDestroy: CUDA_ERROR_ILLEGAL_ADDRESS"));
}

TEST_F(StreamTest, EventsMeasureWhatRanBetweenThem) {
  const Event start(device), end(device);
  const Stream stream = device.stream();
  start.record(stream);
  end.record(stream);
  end.synchronize();
  EXPECT_EQ(end.milliseconds_since(start), 0);
  EXPECT_THROW(end.milliseconds_since(Event(device)), CudaError) << "that one was not recorded";
}

TEST_F(StreamTest, EventsGoWithTheirOwner) {
  {
    Event event(device);
    Event other = std::move(event);
    EXPECT_EQ(event.handle(), nullptr);
  }
  EXPECT_EQ(fake.live_events(), 0U);
}

TEST_F(StreamTest, OfAnotherContextIsRefusedByName) {
  const Stream own = device.stream();
  EXPECT_NO_THROW(check_stream(*device.state(), own, "copy_2d"));
  EXPECT_NO_THROW(check_stream(*device.state(), nullptr, "copy_2d"));
  const Stream other = fake.device(1).stream();
  EXPECT_THAT(message_of<InvalidArgument>([&] { check_stream(*device.state(), other, "copy_2d"); }),
              AllOf(HasSubstr("copy_2d: the stream is of another context (device 1)"), HasSubstr("Fake GPU 0")));
  EXPECT_EQ(fake.current(), nullptr);
}

}  // namespace
}  // namespace tilejit
