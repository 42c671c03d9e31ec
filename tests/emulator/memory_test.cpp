#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

#include "archs.h"
#include "device.h"

// Device memory: how much there is, where it lies, and that only what is touched is there.
namespace tilejit::testing {
namespace {

TEST(Memory, AllocationsAreAlignedAndApart) {
  std::vector<CUdeviceptr> all;
  for (const std::size_t bytes : {1, 255, 256, 257, 4096}) all.push_back(allocate(bytes));
  for (std::size_t k = 0; k < all.size(); ++k) {
    EXPECT_EQ(all[k] % 256, 0u);
    for (std::size_t j = 0; j < k; ++j) EXPECT_GE(std::max(all[k], all[j]) - std::min(all[k], all[j]), 512u);
  }
  for (const CUdeviceptr one : all) release(one);
}

TEST(Memory, ItEndsWhereTheSettingSays) {
  const auto allocated = [](std::size_t bytes) {
    CUdeviceptr pointer = 0;
    const CUresult code = TILEJIT_ENTRY(cuMemAlloc)(&pointer, bytes);
    if (code == CUDA_SUCCESS) release(pointer);
    return code;
  };
  use_device();
  std::size_t free = 0, total = 0;
  ASSERT_EQ(TILEJIT_ENTRY(cuMemGetInfo)(&free, &total), CUDA_SUCCESS);
  EXPECT_EQ(free, total);
  EXPECT_EQ(allocated(total), CUDA_SUCCESS);
  EXPECT_EQ(allocated(total + 1), CUDA_ERROR_OUT_OF_MEMORY);
  const CUdeviceptr half = allocate(total / 2 + 1);
  ASSERT_EQ(TILEJIT_ENTRY(cuMemGetInfo)(&free, &total), CUDA_SUCCESS);
  EXPECT_LT(free, total / 2);
  EXPECT_EQ(allocated(total / 2), CUDA_ERROR_OUT_OF_MEMORY);
  release(half);
  EXPECT_EQ(allocated(total / 2), CUDA_SUCCESS);
}

TEST(Memory, SettingsAreReadOnceAndOddOnesRefused) {
  // Each in a process of its own, as a process opens the device once.
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        setenv("TILEJIT_EMULATED_MEMORY", "3M", 1);
        use_device();
        std::size_t total = 0;
        TILEJIT_ENTRY(cuMemGetInfo)(nullptr, &total);
        std::exit(total == std::size_t{3} << 20 ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(
      {
        setenv("TILEJIT_EMULATED_MEMORY", "3 apples", 1);
        std::exit(TILEJIT_ENTRY(cuInit)(0) == CUDA_SUCCESS ? 0 : 1);
      },
      ::testing::ExitedWithCode(1), "TILEJIT_EMULATED_MEMORY='3 apples': a whole number is wanted");
  EXPECT_EXIT(
      {
        setenv("TILEJIT_EMULATED_CHECK", "unwriten", 1);
        std::exit(TILEJIT_ENTRY(cuInit)(0) == CUDA_SUCCESS ? 0 : 1);
      },
      ::testing::ExitedWithCode(1), "TILEJIT_EMULATED_CHECK='unwriten': unwritten, races, all or none is wanted");
}

TEST(Memory, StridesPastTwoToThe31ReachFarMemoryThatIsMappedAsItIsTouched) {
  for (const std::string& arch : archs()) {
    const Module module(compile(R"(
      extern "C" __global__ void far(unsigned char* x, long long stride) {
        x[threadIdx.x * stride] = threadIdx.x + 1;
        __syncthreads();
        x[threadIdx.x * stride + 1] = 2 * x[(31 - threadIdx.x) * stride];
      })",
                                arch));
    const std::int64_t stride = (std::int64_t{1} << 31) + 4096;
    const CUdeviceptr x = allocate(static_cast<std::size_t>(31 * stride) + 2);
    ASSERT_EQ(module.run("far", {1}, {32}, x, stride), CUDA_SUCCESS);
    for (std::int64_t k = 0; k < 32; ++k) {
      std::uint8_t pair[2];
      ASSERT_EQ(read(pair, x + static_cast<std::uint64_t>(k * stride), 2), CUDA_SUCCESS);
      EXPECT_EQ(pair[0], k + 1);
      EXPECT_EQ(pair[1], 2 * (32 - k));
    }
    release(x);
  }
}

}  // namespace
}  // namespace tilejit::testing
