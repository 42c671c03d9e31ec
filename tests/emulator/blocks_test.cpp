#include <gtest/gtest.h>

#include "archs.h"
#include "device.h"

// How blocks and warps take turns: blocks that wait for others, and orders that can be chosen.
namespace tilejit::testing {
namespace {

class Blocks : public ::testing::Test {
 protected:
  void TearDown() override {
    table().set("workers", 0);
    table().set("deterministic", 0);
    table().set("shuffle", 0);
  }
};

TEST_F(Blocks, ABlockMayWaitForALaterOneOnOneWorker) {
  for (const std::string& arch : archs()) {
    const Module module(compile(R"(
      extern "C" __global__ void chain(volatile int* flags, int* order) {
        __shared__ int ticket;
        if (threadIdx.x == 0) {
          // Each waits for the block behind it; the last one begins.
          if (blockIdx.x + 1 < gridDim.x) while (flags[blockIdx.x + 1] == 0) {}
          __threadfence();
          ticket = atomicAdd(order, 1);
          order[1 + blockIdx.x] = ticket;
          __threadfence();
          flags[blockIdx.x] = 1;
        }
        __syncthreads();
      })",
                                arch));
    for (const std::uint64_t workers : {1, 2}) {
      table().set("workers", workers);
      const int blocks = 40;
      const Buffer<int> flags(std::vector<int>(blocks, 0)), order(std::vector<int>(1 + blocks, 0));
      ASSERT_EQ(module.run("chain", {blocks}, {64}, flags.pointer(), order.pointer()), CUDA_SUCCESS);
      const std::vector<int> found = order.read();
      for (int k = 0; k < blocks; ++k) ASSERT_EQ(found[1 + k], blocks - 1 - k);
    }
  }
}

const char* const arrivals = R"(
  extern "C" __global__ void arrivals(int* order) {
    if (threadIdx.x % 32 == 0) order[1 + atomicAdd(order, 1)] = blockIdx.x * 4 + threadIdx.x / 32;
  })";

std::vector<int> order_of_arrival(const Module& module) {
  const Buffer<int> order(std::vector<int>(1 + 64, 0));
  EXPECT_EQ(module.run("arrivals", {16}, {128}, order.pointer()), CUDA_SUCCESS);
  const std::vector<int> all = order.read();
  return {all.begin() + 1, all.end()};
}

TEST_F(Blocks, DeterministicIsBlockAfterBlockAndWarpAfterWarp) {
  const Module module(compile(arrivals, archs().front()));
  table().set("deterministic", 1);
  const std::vector<int> found = order_of_arrival(module);
  for (int k = 0; k < 64; ++k) ASSERT_EQ(found[k], k);
}

TEST_F(Blocks, AShuffleIsTheSameForOneSeedAndAnotherForAnother) {
  const Module module(compile(arrivals, archs().front()));
  table().set("deterministic", 1);
  table().set("shuffle", 1);
  const std::vector<int> first = order_of_arrival(module), again = order_of_arrival(module);
  EXPECT_EQ(first, again);
  std::vector<int> sorted = first;
  std::sort(sorted.begin(), sorted.end());
  for (int k = 0; k < 64; ++k) ASSERT_EQ(sorted[k], k);
  EXPECT_NE(first, sorted);
  table().set("shuffle", 2);
  EXPECT_NE(order_of_arrival(module), first);
}

TEST_F(Blocks, OptionsThatDoNotExistAreRefused) {
  use_device();
  EXPECT_FALSE(table().set("frobnicate", 1));
  EXPECT_FALSE(table().set("races", 2));
  EXPECT_FALSE(table().set("workers", 100000));
  EXPECT_FALSE(table().set(nullptr, 0));
}

}  // namespace
}  // namespace tilejit::testing
