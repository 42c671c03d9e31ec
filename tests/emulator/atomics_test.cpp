#include <gtest/gtest.h>

#include <numeric>

#include "archs.h"
#include "device.h"

// Atomics in global and shared memory, on all cores at once.
namespace tilejit::testing {
namespace {

TEST(Atomics, EveryUpdateCountsOnceOnAnyNumberOfWorkers) {
  for (const std::string& arch : archs()) {
    const Module module(compile(R"(
      extern "C" __global__ void updates(int* i, float* f, double* d, unsigned long long* u) {
        int t = blockIdx.x * blockDim.x + threadIdx.x;
        atomicAdd(i, 1);
        atomicMax(i + 1, t);
        atomicMin(i + 2, -t);
        atomicOr(i + 3, 1 << (t % 31));
        atomicXor(i + 4, t);
        atomicInc((unsigned*)i + 5, 9u);
        atomicSub(i + 6, 2);
        atomicAdd(f, 0.5f);
        atomicAdd(d, 0.25);
        atomicAdd(u, 1ull << 33);
      })",
                                arch));
    for (const std::uint64_t workers : {1, 3}) {
      table().set("workers", workers);
      const Buffer<int> i(std::vector<int>(7, 0));
      const Buffer<float> f(std::vector<float>(1, 0));
      const Buffer<double> d(std::vector<double>(1, 0));
      const Buffer<unsigned long long> u(std::vector<unsigned long long>(1, 0));
      ASSERT_EQ(module.run("updates", {20}, {100}, i.pointer(), f.pointer(), d.pointer(), u.pointer()), CUDA_SUCCESS);
      int exclusive = 0;
      for (int t = 0; t < 2000; ++t) exclusive ^= t;
      EXPECT_EQ(i.read(), (std::vector<int>{2000, 1999, -1999, 0x7FFFFFFF, exclusive, 0, -4000}));
      EXPECT_EQ(f.read()[0], 1000.0f);
      EXPECT_EQ(d.read()[0], 500.0);
      EXPECT_EQ(u.read()[0], 2000ull << 33);
    }
    table().set("workers", 0);
  }
}

TEST(Atomics, AHistogramInSharedMemory) {
  for (const std::string& arch : archs()) {
    const Module module(compile(R"(
      extern "C" __global__ void histogram(int* counts, const unsigned char* x, int n) {
        __shared__ int bins[16];
        if (threadIdx.x < 16) bins[threadIdx.x] = 0;
        __syncthreads();
        for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
          atomicAdd(&bins[x[i] % 16], 1);
        __syncthreads();
        if (threadIdx.x < 16) atomicAdd(counts + threadIdx.x, bins[threadIdx.x]);
      })",
                                arch));
    std::vector<unsigned char> x(5000);
    std::vector<int> want(16);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<unsigned char>(i * i % 251);
      ++want[x[i] % 16];
    }
    const Buffer<unsigned char> dx(x);
    const Buffer<int> counts(std::vector<int>(16, 0));
    ASSERT_EQ(module.run("histogram", {4}, {128}, counts.pointer(), dx.pointer(), 5000), CUDA_SUCCESS);
    EXPECT_EQ(counts.read(), want);
  }
}

TEST(Atomics, ALockByCompareAndSwapLetsOneInAtATime) {
  for (const std::string& arch : archs()) {
    const Module module(compile(R"(
      extern "C" __global__ void locked(int* lock, volatile int* total) {
        for (bool done = false; !done;) {
          if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *total = *total + 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
          }
        }
      })",
                                arch));
    const Buffer<int> lock(std::vector<int>(1, 0)), total(std::vector<int>(1, 0));
    ASSERT_EQ(module.run("locked", {4}, {64}, lock.pointer(), total.pointer()), CUDA_SUCCESS);
    EXPECT_EQ(total.read()[0], 256);
  }
}

}  // namespace
}  // namespace tilejit::testing
