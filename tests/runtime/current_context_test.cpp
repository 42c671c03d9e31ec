#include <gtest/gtest.h>

#include <tilejit/runtime/device_state.h>

#include "../support/fake_driver.h"

namespace tilejit {
namespace {

class CurrentContextTest : public testing::Test {
 protected:
  test::FakeDriver fake;
  const CUcontext ours = fake.create_context(0), theirs = fake.create_context(0);
};

TEST_F(CurrentContextTest, IsCurrentInsideAndTheCallersOutside) {
  fake.push(theirs);
  {
    const CurrentContext current(*fake.driver(), ours);
    EXPECT_EQ(fake.current(), ours);
  }
  EXPECT_EQ(fake.current(), theirs);
  EXPECT_EQ(fake.context_depth(), 1U);
}

TEST_F(CurrentContextTest, LeavesAThreadWithoutContextWithoutOne) {
  { const CurrentContext current(*fake.driver(), ours); }
  EXPECT_EQ(fake.current(), nullptr);
  EXPECT_EQ(fake.context_depth(), 0U);
}

TEST_F(CurrentContextTest, AsksOnceWhereItIsCurrentAlready) {
  fake.push(ours);
  fake.forget_calls();
  { const CurrentContext current(*fake.driver(), ours); }
  EXPECT_EQ(fake.calls(), std::vector<std::string>{"cuCtxGetCurrent"});
  EXPECT_EQ(fake.current(), ours);
}

TEST_F(CurrentContextTest, PutsTheCallersBackWhenTheInsideThrows) {
  fake.push(theirs);
  EXPECT_THROW(
      {
        const CurrentContext current(*fake.driver(), ours);
        throw std::runtime_error("inside");
      },
      std::runtime_error);
  EXPECT_EQ(fake.current(), theirs);
}

TEST_F(CurrentContextTest, PutsTheCallersBackWhenThePopFails) {
  fake.push(theirs);
  {
    const CurrentContext current(*fake.driver(), ours);
    fake.fail("cuCtxPopCurrent", CUDA_ERROR_ILLEGAL_ADDRESS);
  }
  EXPECT_EQ(fake.current(), theirs);
}

TEST_F(CurrentContextTest, ThatCannotBePushedChangesNothing) {
  fake.push(theirs);
  fake.fail("cuCtxPushCurrent", CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_THROW(CurrentContext(*fake.driver(), ours), CudaError);
  EXPECT_EQ(fake.current(), theirs);
  EXPECT_EQ(fake.context_depth(), 1U);
}

}  // namespace
}  // namespace tilejit
