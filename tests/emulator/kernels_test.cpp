#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "archs.h"
#include "device.h"

namespace tilejit::testing {
namespace {

TEST(Kernels, AddVectors) {
  for (const std::string& arch : archs()) {
    const Module module(compile(R"(
    extern "C" __global__ void add(float* z, const float* x, const float* y, int n) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) z[i] = x[i] + y[i];
    })",
                                arch));
    const int n = 1000;
    std::vector<float> x(n), y(n);
    std::iota(x.begin(), x.end(), 0.0f);
    std::iota(y.begin(), y.end(), 0.5f);
    const Buffer<float> dx(x), dy(y), dz(n);
    ASSERT_EQ(module.run("add", {4}, {256}, dz.pointer(), dx.pointer(), dy.pointer(), n), CUDA_SUCCESS);
    const std::vector<float> z = dz.read();
    for (int i = 0; i < n; ++i) ASSERT_EQ(z[i], x[i] + y[i]) << i;
  }
}

TEST(Kernels, SharedMemoryAndShufflesReduce) {
  for (const std::string& arch : archs()) {
    const Module module(compile(R"(
    extern "C" __global__ void total(float* out, const float* x, int n) {
      __shared__ float parts[32];
      float sum = 0;
      for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[i];
      for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
      if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
      __syncthreads();
      if (threadIdx.x < 32) {
        sum = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0;
        for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
        if (threadIdx.x == 0) *out = sum;
      }
    })",
                                arch));
    const int n = 5000;
    std::vector<float> x(n);
    std::iota(x.begin(), x.end(), 1.0f);
    const Buffer<float> dx(x), out(1);
    ASSERT_EQ(module.run("total", {1}, {256}, out.pointer(), dx.pointer(), n), CUDA_SUCCESS);
    EXPECT_EQ(out.read()[0], 5000.0f * 5001.0f / 2);
  }
}

TEST(Kernels, PrintfCallsAndLocalMemory) {
  for (const std::string& arch : archs()) {
    const Module module(compile(R"(
    __device__ __noinline__ float twice(float a) { return a + a; }
    extern "C" __global__ void k(float* out, float x, int at) {
      float local[8];
      for (int i = 0; i < 8; ++i) local[i] = twice(x + i);
      out[0] = local[at];
      out[1] = sinf(x * 100000);
      printf("block %d x %f %s\n", blockIdx.x, x, "done");
    })",
                                arch));
    const Buffer<float> out(2);
    ::testing::internal::CaptureStdout();
    ASSERT_EQ(module.run("k", {1}, {1}, out.pointer(), 1.5f, 3), CUDA_SUCCESS);
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "block 0 x 1.500000 done\n");
    EXPECT_EQ(out.read()[0], 9.0f);
    EXPECT_NEAR(out.read()[1], std::sin(150000.0f), 1e-6);
  }
}

TEST(Set, IsAllOnesOrOneWhereTheComparisonHolds) {
  const Module module(compile(R"(
    extern "C" __global__ void set(unsigned* y, unsigned a, unsigned b, unsigned pair, unsigned other) {
      float fa = __int_as_float(a), fb = __int_as_float(b);
      asm("set.lo.u32.u32 %0, %1, %2;" : "=r"(y[0]) : "r"(a), "r"(b));
      asm("set.hi.s32.u32 %0, %1, %2;" : "=r"(y[1]) : "r"(a), "r"(b));
      asm("set.lt.f32.f32 %0, %1, %2;" : "=f"(((float*)y)[2]) : "f"(fa), "f"(fb));
      asm("{.reg .pred p; setp.eq.u32 p, %1, 0; set.lt.and.u32.f32 %0, %2, %3, p;}" : "=r"(y[3]) : "r"(a), "f"(fa), "f"(fb));
      asm("{.reg .pred p; setp.eq.u32 p, %1, 0; set.lt.xor.u32.f32 %0, %2, %3, p;}" : "=r"(y[4]) : "r"(a), "f"(fa), "f"(fb));
      asm("set.lt.f16x2.f16x2 %0, %1, %2;" : "=r"(y[5]) : "r"(pair), "r"(other));
      asm("set.geu.u32.f16x2 %0, %1, %2;" : "=r"(y[6]) : "r"(pair), "r"(other));
      asm("set.lt.bf16x2.bf16x2 %0, %1, %2;" : "=r"(y[7]) : "r"(pair), "r"(other));
      unsigned short h;
      asm("set.gt.f16.f16 %0, %1, %2;" : "=h"(h) : "h"((unsigned short)other), "h"((unsigned short)pair));
      y[8] = h;
    })"));
  const Buffer<unsigned> y(9);
  // 1.0f below 2.0f; (2, 1) in halves against (1, 2).
  ASSERT_EQ(module.run("set", {1}, {1}, y.pointer(), 0x3F800000u, 0x40000000u, 0x40003C00u, 0x3C004000u), CUDA_SUCCESS);
  const std::vector<unsigned> expected = {~0u, 0, 0x3F800000, 0, ~0u, 0x00003C00, 0xFFFF0000, 0x00003F80, 0x3C00};
  EXPECT_EQ(y.read(), expected);
}

TEST(Faults, AMisalignedVectorIsFoundBehindAlignedOnesOfTheSamePattern) {
  const Module module(compile(R"(
    extern "C" __global__ void shift(float4* y, int step) {
      extern __shared__ char bytes[];
      for (int i = 0; i < 4; ++i) *(float4*)(bytes + 512 * i + 16 * threadIdx.x) = make_float4(i, i, i, i);
      __syncwarp();
      float4 v = {};
    #pragma unroll 1
      for (int i = 0; i < 4; ++i) {
        const float4 u = *(float4*)(bytes + step * i + 16 * threadIdx.x);
        v = make_float4(v.x + u.x, v.y + u.y, v.z + u.z, v.w + u.w);
      }
      y[threadIdx.x] = v;
    })"));
  const Buffer<float> y(128);
  ASSERT_EQ(module.run_with("shift", {1}, {32}, 2048, y.pointer(), 256), CUDA_SUCCESS);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(module.run_with("shift", {1}, {32}, 2048, y.pointer(), 8), CUDA_ERROR_MISALIGNED_ADDRESS);
  const std::string report = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(report.find("misaligned"), std::string::npos) << report;
}

TEST(Counters, CoalescedAndStridedLoads) {
  const Module module(compile(R"(
    extern "C" __global__ void strided(float* y, const float* x, int stride) {
      y[threadIdx.x] = x[threadIdx.x * stride];
    })",
                              archs().front()));
  const Buffer<float> x(std::vector<float>(32 * 16, 0)), y(32);
  const std::uint64_t sectors[] = {4, 8, 16, 32, 32};
  for (int k = 0; k < 5; ++k) {
    table().reset();
    ASSERT_EQ(module.run("strided", {1}, {32}, y.pointer(), x.pointer(), 1 << k), CUDA_SUCCESS);
    const Traffic loads = traffic("strided", "global", "load");
    EXPECT_EQ(loads.requests, 1u);
    EXPECT_EQ(loads.sectors, sectors[k]);
    EXPECT_EQ(loads.ideal_sectors, 4u);
    EXPECT_EQ(traffic("strided", "global", "store").sectors, 4u);
  }
}

}  // namespace
}  // namespace tilejit::testing
