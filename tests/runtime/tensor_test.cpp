#include <tilejit/runtime/tensor.h>

#include <gmock/gmock.h>

#include <array>
#include <numeric>

#include <tilejit/runtime/device.h>
#include <tilejit/runtime/tensor_memory.h>

#include "../support/fake_driver.h"
#include "message.h"

namespace tilejit {
namespace {

using test::FakeDriver;
using test::message_of;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class TensorTest : public testing::Test {
 protected:
  FakeDriver fake;
  Device device = fake.device();

  static std::vector<float> twelve() {
    std::vector<float> values(12);
    std::iota(values.begin(), values.end(), 0.0F);
    return values;
  }
  /// `view` as a Tensor of its own over memory that lives elsewhere: what verbs of other rooms hand out.
  Tensor owned(const TensorView& view) {
    return Tensor(std::make_shared<const Tensor::Memory>(device.state(), 0), view);
  }
};

TEST_F(TensorTest, CopiesFromAndToTheHost) {
  const Tensor x = device.copy_of(twelve(), {3, 4});
  EXPECT_EQ(x.to_host<float>(), twelve());
  EXPECT_THAT(x.shape(), ElementsAre(3, 4));
  EXPECT_TRUE(x.is_contiguous());
  const std::array<std::int64_t, 2> pair{7, -7};
  EXPECT_EQ(device.copy_of(std::span<const std::int64_t>(pair), {2}).to_host<std::int64_t>(),
            (std::vector<std::int64_t>{7, -7}));
}

TEST_F(TensorTest, ThatWasMovedFromSaysSo) {
  Tensor x = device.copy_of(twelve(), {3, 4});
  const Tensor y = std::move(x);
  EXPECT_EQ(y.to_host<float>(), twelve());
  EXPECT_FALSE(x.view().present());
  EXPECT_THAT(message_of<InvalidArgument>([&] { x.to_host_bytes(); }), HasSubstr("moved from"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { x.fill_bytes(0); }), HasSubstr("moved from"));
}

TEST_F(TensorTest, OfATransposedViewGoesToTheHostByItsStrides) {
  const Tensor x = device.copy_of(twelve(), {3, 4});
  EXPECT_THAT(owned(x.t()).to_host<float>(), ElementsAre(0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11));
  EXPECT_THAT(owned(x.t().slice(0, 0, 2).slice(1, 0, 2)).to_host<float>(), ElementsAre(0, 4, 1, 5));
}

TEST_F(TensorTest, GoesToTheHostFromNegativeStridesAndBroadcasts) {
  const Tensor x = device.copy_of(twelve(), {3, 4});
  EXPECT_THAT(owned(x.slice(1, 3, -5, -1).slice(0, 2, -4, -2)).to_host<float>(), ElementsAre(11, 10, 9, 8, 3, 2, 1, 0));
  EXPECT_THAT(owned(x.select(0, 1).slice(0, 1, 3).broadcast_to({2, 2})).to_host<float>(), ElementsAre(5, 6, 5, 6));
}

TEST_F(TensorTest, ReadsOnlyTheBytesThatItsViewReaches) {
  const Tensor x = device.copy_of(twelve(), {3, 4});
  EXPECT_EQ(owned(x.select(1, 1)).to_host_bytes().size(), 12U);
  EXPECT_EQ(fake.count("cuMemcpyDtoHAsync"), 1);
}

TEST_F(TensorTest, OfNoElementsAllocatesAndCopiesNothing) {
  const Tensor x = device.empty(f32, {3, 0});
  EXPECT_EQ(x.elements(), 0);
  EXPECT_EQ(x.to_host<float>().size(), 0U);
  x.fill_bytes(1);
  x.copy_from_bytes({});
  EXPECT_EQ(fake.count("cuMemAlloc"), 0);
  EXPECT_EQ(fake.count("cuMemcpyDtoHAsync") + fake.count("cuMemcpyHtoDAsync") + fake.count("cuMemsetD8Async"), 0);
}

TEST_F(TensorTest, FillsItsBytes) {
  const Tensor x = device.empty(i16, {2, 2});
  x.fill_bytes(0x11);
  EXPECT_THAT(x.to_host<std::int16_t>(), ElementsAre(0x1111, 0x1111, 0x1111, 0x1111));
}

TEST_F(TensorTest, MemoryIsFreedWithItsLastOwner) {
  {
    Tensor x = device.empty(f32, {4});
    const Tensor moved = std::move(x);
    EXPECT_EQ(fake.live_allocations(), 1U);
  }
  EXPECT_EQ(fake.live_allocations(), 0U);
  EXPECT_EQ(fake.count("cuMemFree"), 1);
}

TEST_F(TensorTest, OutOfMemorySaysHowMuchWasAskedForAndFree) {
  fake.memory_limit = 1000;
  EXPECT_THAT(message_of<CudaError>([&] { device.empty(f32, {300}); }),
              AllOf(HasSubstr("cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY"), HasSubstr("1200 bytes asked for"),
                    HasSubstr("1000 of 1000 free")));
}

TEST_F(TensorTest, RefusesAnotherNumberOfHostElements) {
  EXPECT_THAT(message_of<InvalidArgument>([&] {
                device.copy_of(twelve(), {3, 5});
              }),
              AllOf(HasSubstr("12 elements"), HasSubstr("has 15")));
  const Tensor x = device.empty(f32, {4});
  EXPECT_THAT(message_of<InvalidArgument>([&] { x.copy_from_bytes(std::array<std::byte, 15>{}); }),
              HasSubstr("15 bytes given"));
}

TEST_F(TensorTest, RefusesAnotherHostType) {
  EXPECT_THAT(message_of<InvalidArgument>([&] { device.empty(f32, {4}).to_host<int>(); }),
              HasSubstr("holds f32, not i32"));
}

TEST_F(TensorTest, RefusesToFillThroughGaps) {
  const Tensor x = device.copy_of(twelve(), {3, 4});
  EXPECT_THAT(message_of<InvalidArgument>([&] { owned(x.t()).fill_bytes(0); }), HasSubstr("must be contiguous"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { owned(x.t()).copy_from_bytes(std::array<std::byte, 48>{}); }),
              HasSubstr("must be contiguous"));
}

TEST_F(TensorTest, RefusesToWaitInACaptureAndLeavesItIntact) {
  const Tensor x = device.empty(f32, {4});
  const Stream stream = device.stream();
  fake.begin_capture(stream.handle());
  EXPECT_THAT(message_of<InvalidArgument>([&] { x.to_host<float>(stream); }), HasSubstr("capturing"));
  EXPECT_THAT(message_of<InvalidArgument>([&] { x.copy_from_bytes(std::array<std::byte, 16>{}, stream); }),
              HasSubstr("capturing"));
  x.fill_bytes(0, stream);
  EXPECT_TRUE(fake.capture_intact());
  fake.end_capture(stream.handle());
}

TEST_F(TensorTest, EveryFailingCallIsAnErrorThatLeavesTheContextAsItWas) {
  const CUcontext theirs = fake.create_context(0);
  fake.push(theirs);
  const auto work = [&] {
    const Tensor x = device.copy_of(twelve(), {3, 4});
    x.fill_bytes(1);
    x.to_host<float>();
  };
  fake.forget_calls();
  work();
  const int calls = int(fake.calls().size());
  int thrown = 0;
  for (int nth = 1; nth <= calls; ++nth) {
    fake.fail_any(CUDA_ERROR_INVALID_VALUE, nth);
    try {
      work();
    } catch (const CudaError&) {
      ++thrown;
    }
    ASSERT_EQ(fake.current(), theirs) << "call " << nth;
  }
  EXPECT_GT(thrown, calls / 2);
}

TEST_F(TensorTest, AfterAStickyErrorEveryCallFailsAndDestructorsOnlyLog) {
  {
    const Tensor x = device.empty(f32, {4});
    fake.fail_from_now(CUDA_ERROR_ILLEGAL_ADDRESS);
    for (int i = 0; i < 2; ++i) {
      try {
        x.to_host<float>();
        FAIL();
      } catch (const CudaError& error) {
        EXPECT_TRUE(error.is_sticky());
        EXPECT_EQ(error.code(), CUDA_ERROR_ILLEGAL_ADDRESS);
      }
    }
  }
  ASSERT_EQ(fake.log().size(), 1U);
  EXPECT_THAT(fake.log()[0], HasSubstr("cuMemFree"));
  EXPECT_EQ(fake.context_depth(), 0U);
}

}  // namespace
}  // namespace tilejit
