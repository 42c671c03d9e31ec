#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "archs.h"
#include "device.h"

// Kernels that reduce rows through shuffles and shared memory.
namespace tilejit::testing {
namespace {

const char* const block_sum = R"(
  __device__ float all_warps(float v, float* parts, bool largest) {
    for (int d = 16; d > 0; d /= 2) {
      float other = __shfl_xor_sync(~0u, v, d);
      v = largest ? fmaxf(v, other) : v + other;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = v;
    __syncthreads();
    v = parts[0];
    for (int i = 1; i < blockDim.x / 32; ++i) v = largest ? fmaxf(v, parts[i]) : v + parts[i];
    return v;
  })";

std::vector<float> values(std::size_t count) {
  std::vector<float> x(count);
  for (std::size_t i = 0; i < count; ++i) x[i] = static_cast<float>((i * 37) % 101) / 16 - 3;
  return x;
}

TEST(Reductions, SoftmaxOfRowsOfAnyLength) {
  for (const std::string& arch : archs()) {
    const Module module(compile(std::string(block_sum) + R"(
      extern "C" __global__ void softmax(float* y, const float* x, int columns) {
        __shared__ float parts[32];
        const float* row = x + (long long)blockIdx.x * columns;
        float high = -3.0e38f;
        for (int i = threadIdx.x; i < columns; i += blockDim.x) high = fmaxf(high, row[i]);
        high = all_warps(high, parts, true);
        float sum = 0;
        for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += __expf(row[i] - high);
        sum = all_warps(sum, parts, false);
        for (int i = threadIdx.x; i < columns; i += blockDim.x)
          y[(long long)blockIdx.x * columns + i] = __expf(row[i] - high) / sum;
      })",
                                arch));
    for (const int columns : {1, 100, 1000}) {
      const int rows = 5;
      const std::vector<float> x = values(static_cast<std::size_t>(rows * columns));
      const Buffer<float> dx(x), dy(x.size());
      ASSERT_EQ(module.run("softmax", {rows}, {128}, dy.pointer(), dx.pointer(), columns), CUDA_SUCCESS);
      const std::vector<float> y = dy.read();
      for (int r = 0; r < rows; ++r) {
        double sum = 0;
        for (int c = 0; c < columns; ++c) sum += std::exp(static_cast<double>(x[r * columns + c]));
        for (int c = 0; c < columns; ++c) {
          const double want = std::exp(static_cast<double>(x[r * columns + c])) / sum;
          ASSERT_NEAR(y[r * columns + c], want, 4e-6 * want) << arch << " " << r << " " << c;
        }
      }
    }
  }
}

TEST(Reductions, LayernormOfVectorsOfFour) {
  for (const std::string& arch : archs()) {
    const Module module(compile(std::string(block_sum) + R"(
      extern "C" __global__ void layernorm(float4* y, const float4* x, const float4* scale, const float4* shift, int n) {
        __shared__ float parts[32];
        const float4* row = x + (long long)blockIdx.x * n;
        float sum = 0, squares = 0;
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
          float4 v = row[i];
          sum += v.x + v.y + v.z + v.w;
          squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
        }
        float mean = all_warps(sum, parts, false) / (4 * n);
        float scaled = rsqrtf(all_warps(squares, parts, false) / (4 * n) - mean * mean + 1e-5f);
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
          float4 v = row[i], a = scale[i], b = shift[i];
          y[(long long)blockIdx.x * n + i] =
              make_float4((v.x - mean) * scaled * a.x + b.x, (v.y - mean) * scaled * a.y + b.y,
                          (v.z - mean) * scaled * a.z + b.z, (v.w - mean) * scaled * a.w + b.w);
        }
      })",
                                arch));
    const int rows = 4, columns = 320;
    const std::vector<float> x = values(static_cast<std::size_t>(rows * columns)), scale = values(columns),
                             shift = values(columns);
    const Buffer<float> dx(x), dy(x.size()), da(scale), db(shift);
    ASSERT_EQ(
        module.run("layernorm", {rows}, {64}, dy.pointer(), dx.pointer(), da.pointer(), db.pointer(), columns / 4),
        CUDA_SUCCESS);
    const std::vector<float> y = dy.read();
    for (int r = 0; r < rows; ++r) {
      double sum = 0, squares = 0;
      for (int c = 0; c < columns; ++c) {
        const double v = x[r * columns + c];
        sum += v, squares += v * v;
      }
      const double mean = sum / columns, factor = 1 / std::sqrt(squares / columns - mean * mean + 1e-5);
      for (int c = 0; c < columns; ++c) {
        const double want = (x[r * columns + c] - mean) * factor * scale[c] + shift[c];
        ASSERT_NEAR(y[r * columns + c], want, 2e-5) << arch << " " << r << " " << c;
      }
    }
  }
}

}  // namespace
}  // namespace tilejit::testing
