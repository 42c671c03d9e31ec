#include <gtest/gtest.h>

#if __has_include(<cuda_occupancy.h>)
#define HAS_PEER 1
#include <cuda_occupancy.h>
#endif

#include <tilejit/tools/occupancy.h>

namespace tilejit::tool {
namespace {

TEST(Occupancy, KnowsAnArchByItsNumberWhateverItsSuffix) {
  EXPECT_EQ(multiprocessor_of("sm_90a")->number, 90);
  EXPECT_EQ(multiprocessor_of("compute_120f")->number, 120);
  EXPECT_EQ(multiprocessor_of("sm_103")->warps, 64);
  for (const char* unknown : {"", "sm_", "sm_61", "sm_9", "gfx_942", "sm90", "sm_9000"}) {
    EXPECT_FALSE(multiprocessor_of(unknown)) << unknown;
  }
}

TEST(Occupancy, OfTheLargeMatmulThatTheFactsMeasured) {
  const Occupancy o = occupancy_of(*multiprocessor_of("sm_80"), 121, 256, 16640);
  EXPECT_EQ(o.blocks, 2);
  EXPECT_EQ(o.warps, 16);
  EXPECT_EQ(o.most_warps, 64);
  EXPECT_EQ(o.limit, "registers");
  EXPECT_EQ(o.registers_for_one_more, 80);
  EXPECT_EQ(o.shared_for_one_more, 0);
}

TEST(Occupancy, NamesWhatBinds) {
  const Multiprocessor hopper = *multiprocessor_of("sm_90");
  EXPECT_EQ(occupancy_of(hopper, 32, 1024, 0).limit, "warps");
  EXPECT_EQ(occupancy_of(hopper, 16, 32, 0).limit, "blocks");
  const Occupancy shared = occupancy_of(hopper, 32, 128, 100 * 1024);
  EXPECT_EQ(shared.limit, "shared memory");
  EXPECT_EQ(shared.blocks, 2);
  EXPECT_EQ(shared.shared_for_one_more, 75 * 1024);
  EXPECT_EQ(occupancy_of(hopper, 32, 128, shared.shared_for_one_more).blocks, 3);
  EXPECT_EQ(occupancy_of(hopper, 32, 128, shared.shared_for_one_more + 1).blocks, 2);
}

TEST(Occupancy, WhatCannotBeLaunchedHasNoBlocks) {
  const Multiprocessor ampere = *multiprocessor_of("sm_80");
  EXPECT_EQ(occupancy_of(ampere, 128, 1024, 0).blocks, 0);
  EXPECT_EQ(occupancy_of(ampere, 256, 32, 0).blocks, 0);
  EXPECT_EQ(occupancy_of(ampere, 32, 1056, 0).blocks, 0);
  EXPECT_EQ(occupancy_of(ampere, 32, 32, 164 * 1024).blocks, 0);
  EXPECT_EQ(occupancy_of(ampere, 32, 32, 163 * 1024).blocks, 1);
  EXPECT_EQ(occupancy_of(ampere, 32, 32, INT64_MAX).blocks, 0);
}

#ifdef HAS_PEER
TEST(Occupancy, AgreesWithTheToolkitsOwnArithmetic) {
  long compared = 0;
  for (const int number : {75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121}) {
    const Multiprocessor m = *multiprocessor_of("sm_" + std::to_string(number));
    const int reserved = number < 80 ? 0 : 1024;
    cudaOccDeviceProp device;
    device.computeMajor = number / 10;
    device.computeMinor = number % 10;
    device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerMultiprocessor = m.warps * 32;
    device.regsPerBlock = 65536;
    device.regsPerMultiprocessor = 65536;
    device.warpSize = 32;
    device.sharedMemPerBlock = 48 * 1024;
    device.sharedMemPerMultiprocessor = static_cast<std::size_t>(m.shared);
    device.numSms = 1;
    device.sharedMemPerBlockOptin = static_cast<std::size_t>(m.shared - reserved);
    device.reservedSharedMemPerBlock = static_cast<std::size_t>(reserved);
    cudaOccDeviceState state;
    for (int registers = 16; registers <= 255; registers += 3) {
      for (int threads = 32; threads <= 1024; threads += 32) {
        for (const std::size_t shared : {0, 1, 1024, 5000, 16640, 40000, 49152, 65536, 99 * 1024, 101000, 232448}) {
          cudaOccFuncAttributes function;
          function.maxThreadsPerBlock = 1024;
          function.numRegs = registers;
          function.sharedSizeBytes = 0;
          function.partitionedGCConfig = PARTITIONED_GC_OFF;
          function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
          function.maxDynamicSharedSizeBytes = device.sharedMemPerBlockOptin;
          function.numBlockBarriers = 0;
          cudaOccResult result;
          ASSERT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state, threads, shared),
                    CUDA_OCC_SUCCESS);
          ASSERT_EQ(occupancy_of(m, registers, threads, static_cast<std::int64_t>(shared)).blocks,
                    result.activeBlocksPerMultiprocessor)
              << "sm_" << number << " registers " << registers << " threads " << threads << " shared " << shared;
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 100000);
}
#endif

}  // namespace
}  // namespace tilejit::tool
