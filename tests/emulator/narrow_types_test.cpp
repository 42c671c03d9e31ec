#include <gtest/gtest.h>

#include <cmath>

#include "archs.h"
#include "device.h"

// Halves and 8-bit floats as CUDA's own headers compute with them.
namespace tilejit::testing {
namespace {

TEST(NarrowTypes, HalvesAddMultiplyAndCompareInPairs) {
  for (const std::string& arch : archs()) {
    const Module module(compile(R"(
      #include <cuda_fp16.h>
      extern "C" __global__ void halves(float* y, const float* a, const float* b, int n) {
        int i = threadIdx.x;
        if (i >= n) return;
        __half2 p = __floats2half2_rn(a[i], b[i]), q = __floats2half2_rn(b[i], 2.0f);
        float2 sum = __half22float2(__hadd2(p, q)), product = __half22float2(__hmul2(p, q)),
               fused = __half22float2(__hfma2(p, q, p));
        y[i] = sum.x, y[n + i] = product.y, y[2 * n + i] = fused.x;
        y[3 * n + i] = __hlt(__low2half(p), __high2half(p)) ? 1 : 0;
        y[4 * n + i] = __half2float(hexp2(__float2half(a[i])));
      })",
                                arch));
    const int n = 32;
    std::vector<float> a(n), b(n);
    for (int i = 0; i < n; ++i) a[i] = static_cast<float>(i - 16) / 4, b[i] = static_cast<float>(i % 5) - 2;
    const Buffer<float> da(a), db(b), dy(5 * n);
    ASSERT_EQ(module.run("halves", {1}, {32}, dy.pointer(), da.pointer(), db.pointer(), n), CUDA_SUCCESS);
    const std::vector<float> y = dy.read();
    for (int i = 0; i < n; ++i) {
      EXPECT_EQ(y[i], a[i] + b[i]);
      EXPECT_EQ(y[n + i], b[i] * 2);
      EXPECT_EQ(y[2 * n + i], a[i] * b[i] + a[i]);
      EXPECT_EQ(y[3 * n + i], a[i] < b[i] ? 1 : 0);
      EXPECT_NEAR(y[4 * n + i], std::exp2(a[i]), std::exp2(a[i]) * 0x1p-9);
    }
  }
}

TEST(NarrowTypes, Bfloat16RoundsToNearestEven) {
  for (const std::string& arch : archs()) {
    const Module module(compile(R"(
      #include <cuda_bf16.h>
      extern "C" __global__ void rounded(float* y, const float* x) {
        __nv_bfloat16 v = __float2bfloat16(x[threadIdx.x]);
        y[threadIdx.x] = __bfloat162float(__hmul(v, __float2bfloat16(2.0f)));
      })",
                                arch));
    const std::vector<float> x{1.0f, 1.00390625f, 1.01171875f, -3.0078125f};
    const Buffer<float> dx(x), dy(4);
    ASSERT_EQ(module.run("rounded", {1}, {4}, dy.pointer(), dx.pointer()), CUDA_SUCCESS);
    EXPECT_EQ(dy.read(), (std::vector<float>{2.0f, 2.0f, 2.03125f, -6.0f}));
  }
}

TEST(NarrowTypes, EightBitFloatsSaturateAndRound) {
  for (const std::string& arch : archs()) {
    const Module module(compile(R"(
      #include <cuda_fp8.h>
      extern "C" __global__ void eights(float* y, const float* x, int n) {
        int i = threadIdx.x;
        y[i] = float(__nv_fp8_e4m3(x[i]));
        y[n + i] = float(__nv_fp8_e5m2(x[i]));
      })",
                                arch));
    const std::vector<float> x{1.0f, 1.0625f, 17.0f, 500.0f, -1e6f, 0x1p-9f, 0x1p-11f, 0.3f};
    const Buffer<float> dx(x), dy(16);
    ASSERT_EQ(module.run("eights", {1}, {8}, dy.pointer(), dx.pointer(), 8), CUDA_SUCCESS);
    EXPECT_EQ(dy.read(), (std::vector<float>{1.0f, 1.0f, 16.0f, 448.0f, -448.0f, 0x1p-9f, 0.0f, 0.3125f,  //
                                             1.0f, 1.0f, 16.0f, 512.0f, -57344.0f, 0x1p-9f, 0x1p-11f, 0.3125f}));
  }
}

}  // namespace
}  // namespace tilejit::testing
