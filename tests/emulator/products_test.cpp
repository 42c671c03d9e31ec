#include <gtest/gtest.h>

#include "archs.h"
#include "device.h"

// Matrix products through shared memory. Small whole numbers, so that every order of sums is exact.
namespace tilejit::testing {
namespace {

std::vector<float> whole_numbers(int count, int seed) {
  std::vector<float> x(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) x[static_cast<std::size_t>(i)] = static_cast<float>((i * seed) % 17 - 8);
  return x;
}

void expect_product(const std::vector<float>& c, const std::vector<float>& a, const std::vector<float>& b, int m, int n,
                    int k) {
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int p = 0; p < k; ++p) sum += static_cast<double>(a[i * k + p]) * b[p * n + j];
      ASSERT_EQ(c[i * n + j], sum) << i << " " << j;
    }
  }
}

TEST(Products, OfTilesOneElementAThread) {
  for (const std::string& arch : archs()) {
    const Module module(compile(R"(
      extern "C" __global__ void product(float* c, const float* a, const float* b, int m, int n, int k) {
        __shared__ float as[16][17], bs[16][17];
        int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
        float sum = 0;
        for (int p = 0; p < k; p += 16) {
          as[threadIdx.y][threadIdx.x] = row < m && p + threadIdx.x < k ? a[row * k + p + threadIdx.x] : 0;
          bs[threadIdx.y][threadIdx.x] = p + threadIdx.y < k && col < n ? b[(p + threadIdx.y) * n + col] : 0;
          __syncthreads();
          for (int q = 0; q < 16; ++q) sum = fmaf(as[threadIdx.y][q], bs[q][threadIdx.x], sum);
          __syncthreads();
        }
        if (row < m && col < n) c[row * n + col] = sum;
      })",
                                arch));
    const int m = 33, n = 50, k = 41;
    const std::vector<float> a = whole_numbers(m * k, 5), b = whole_numbers(k * n, 7);
    const Buffer<float> da(a), db(b), dc(static_cast<std::size_t>(m * n));
    ASSERT_EQ(module.run("product", {4, 3}, {16, 16}, dc.pointer(), da.pointer(), db.pointer(), m, n, k), CUDA_SUCCESS);
    expect_product(dc.read(), a, b, m, n, k);
  }
}

TEST(Products, Of64AccumulatorsAThreadFromVectorsOfFour) {
  for (const std::string& arch : archs()) {
    const Module module(compile(R"(
      extern "C" __global__ void __launch_bounds__(64) product(float* c, const float* a, const float* b, int n, int k) {
        __shared__ float as[8][64], bs[8][64];
        const int x = threadIdx.x % 8, y = threadIdx.x / 8;
        float sum[8][8] = {};
        for (int p = 0; p < k; p += 8) {
          for (int i = threadIdx.x; i < 512; i += 64) {
            as[i % 8][i / 8] = a[(blockIdx.y * 64 + i / 8) * k + p + i % 8];
            bs[i / 64][i % 64] = b[(p + i / 64) * n + blockIdx.x * 64 + i % 64];
          }
          __syncthreads();
          #pragma unroll
          for (int q = 0; q < 8; ++q) {
            float u[8], v[8];
            *(float4*)u = *(float4*)&as[q][y * 8], *(float4*)(u + 4) = *(float4*)&as[q][y * 8 + 4];
            *(float4*)v = *(float4*)&bs[q][x * 8], *(float4*)(v + 4) = *(float4*)&bs[q][x * 8 + 4];
            #pragma unroll
            for (int i = 0; i < 8; ++i)
              #pragma unroll
              for (int j = 0; j < 8; ++j) sum[i][j] = fmaf(u[i], v[j], sum[i][j]);
          }
          __syncthreads();
        }
        for (int i = 0; i < 8; ++i)
          for (int j = 0; j < 8; ++j)
            c[(blockIdx.y * 64 + y * 8 + i) * n + blockIdx.x * 64 + x * 8 + j] = sum[i][j];
      })",
                                arch));
    const int m = 64, n = 128, k = 40;
    const std::vector<float> a = whole_numbers(m * k, 3), b = whole_numbers(k * n, 11);
    const Buffer<float> da(a), db(b), dc(static_cast<std::size_t>(m * n));
    ASSERT_EQ(module.run("product", {2, 1}, {64}, dc.pointer(), da.pointer(), db.pointer(), n, k), CUDA_SUCCESS);
    expect_product(dc.read(), a, b, m, n, k);
  }
}

}  // namespace
}  // namespace tilejit::testing
