#include "faulting.h"

// Reads of memory that nobody wrote, in every space, and what counts as writing.
namespace tilejit::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const Faulting& kernels() {
  static const Faulting* const all = new Faulting(R"(
    __device__ int zeros[64];
    extern "C" __global__ void copy(int* y, const int* x) {
      y[threadIdx.x] = x[threadIdx.x];  // copy
    }
    extern "C" __global__ void fill(int* y, int step) { y[threadIdx.x * step] = 1; }
    extern "C" __global__ void count(int* y) {
      atomicAdd(y, 1);  // count
    }
    extern "C" __global__ void exchange(int* y) { atomicExch(y, 1); }
    extern "C" __global__ void copy_fours(int4* y, const int4* x) {
      y[threadIdx.x] = x[threadIdx.x];  // fours
    }
    extern "C" __global__ void copy_zeros(int* y) { y[threadIdx.x] = zeros[threadIdx.x]; }
    struct Padded { double a; char b; };
    extern "C" __global__ void make_padded(Padded* x) { x[threadIdx.x].a = 1, x[threadIdx.x].b = 2; }
    extern "C" __global__ void shared(int* y, int wrote) {
      __shared__ int tile[64];
      if (threadIdx.x < wrote) tile[threadIdx.x] = threadIdx.x;
      __syncthreads();
      y[threadIdx.x] = tile[threadIdx.x];  // shared
    }
    extern "C" __global__ void first_block_shared(int* y) {
      extern __shared__ int dynamic[];
      if (blockIdx.x == 0) dynamic[threadIdx.x] = 1;
      __syncthreads();
      if (blockIdx.x < 2) y[threadIdx.x] = dynamic[threadIdx.x];  // another block
    }
    extern "C" __global__ void of_either(int* y, const int* first, const int* second) {
      #pragma unroll 1
      for (int k = 0; k < 4; ++k) y[threadIdx.x] += (k < 3 ? first : second)[threadIdx.x];  // either
    }
    extern "C" __global__ void gap(int* y, int from) {
      __shared__ int tile[65];
      tile[threadIdx.x] = 1;
      __syncthreads();
      y[threadIdx.x] = tile[threadIdx.x + from];  // gap
    }
    extern "C" __global__ void local(int* y, int wrote, int from) {
      int mine[16];
      #pragma unroll 1
      for (int i = 0; i < wrote; ++i) mine[i] = i;
      y[threadIdx.x] = mine[from];  // local
    })");
  return *all;
}

class Unwritten : public ::testing::Test {
 protected:
  static constexpr CUresult fault = CUDA_ERROR_LAUNCH_FAILED;
  static Ended copied(const Buffer<int>& x, unsigned threads = 64) {
    const Buffer<int> y(64);
    return kernels().run("copy", {1}, {threads}, y.pointer(), x.pointer());
  }
};

TEST_F(Unwritten, FreshGlobalMemoryIsReportedWithThreadLinesAndOffset) {
  const Buffer<int> x(64);
  write(x.pointer(), std::vector<int>(64, 1).data(), 40 * sizeof(int));
  const Ended ended = copied(x);
  EXPECT_EQ(ended.code, fault);
  EXPECT_THAT(ended.report, AllOf(StartsWith("unwritten: read of global memory at " + hex(x.pointer() + 160) +
                                             " that nobody wrote\n"),
                                  HasSubstr("kernel copy, block (0, 0, 0), thread (40, 0, 0)\n"),
                                  HasSubstr("PTX line "), HasSubstr("source: " + kernels().source_line("copy") + "\n"),
                                  ContainsRegex("offset 160 of allocation [0-9]+ .256 bytes at " + hex(x.pointer()))));
  EXPECT_EQ(copied(x, 40).code, CUDA_SUCCESS);
}

TEST_F(Unwritten, WhatKernelsCopiesAndFillsWroteIsWritten) {
  const std::vector<int> values(64, 1);
  const Buffer<int> source(values);
  const std::size_t bytes = 64 * sizeof(int);
  {
    const Buffer<int> x(64);
    ASSERT_EQ(kernels().run("fill", {1}, {64}, x.pointer(), 1).code, CUDA_SUCCESS);
    EXPECT_EQ(copied(x).report, "");
  }
  {
    const Buffer<int> x(64);
    ASSERT_EQ(TILEJIT_ENTRY(cuMemcpyDtoD)(x.pointer(), source.pointer(), bytes), CUDA_SUCCESS);
    EXPECT_EQ(copied(x).report, "");
  }
  {
    const Buffer<int> x(64);
    ASSERT_EQ(TILEJIT_ENTRY(cuMemcpyHtoDAsync)(x.pointer(), values.data(), bytes, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(copied(x).report, "");
  }
  {
    const Buffer<int> x(64);
    ASSERT_EQ(TILEJIT_ENTRY(cuMemsetD8)(x.pointer(), 1, bytes), CUDA_SUCCESS);
    EXPECT_EQ(copied(x).report, "");
  }
  {
    const Buffer<int> x(64);
    ASSERT_EQ(TILEJIT_ENTRY(cuMemsetD32Async)(x.pointer(), 1, 64, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(copied(x).report, "");
  }
  {
    const Buffer<int> x(64);
    CUDA_MEMCPY2D rows{};
    rows.srcMemoryType = CU_MEMORYTYPE_HOST, rows.srcHost = values.data(), rows.srcPitch = 64;
    rows.dstMemoryType = CU_MEMORYTYPE_DEVICE, rows.dstDevice = x.pointer(), rows.dstPitch = 64;
    rows.WidthInBytes = 60, rows.Height = 4;
    ASSERT_EQ(TILEJIT_ENTRY(cuMemcpy2D)(&rows), CUDA_SUCCESS);
    EXPECT_THAT(copied(x).report, HasSubstr("offset 60 of allocation"));
  }
}

TEST_F(Unwritten, LargeCopiesAndFillsCoverWholePagesAndTheirEdges) {
  const std::size_t count = 10000;
  const Buffer<int> x(count), y(64);
  const auto at = [&](std::size_t k) {
    return kernels().run("copy", {1}, {1}, y.pointer(), x.pointer() + k * sizeof(int)).code;
  };
  ASSERT_EQ(TILEJIT_ENTRY(cuMemsetD32)(x.pointer() + 400, 1, count - 200), CUDA_SUCCESS);
  EXPECT_EQ(at(99), fault);
  EXPECT_EQ(at(100), CUDA_SUCCESS);
  EXPECT_EQ(at(5000), CUDA_SUCCESS);
  EXPECT_EQ(at(count - 101), CUDA_SUCCESS);
  EXPECT_EQ(at(count - 100), fault);
}

TEST_F(Unwritten, MemoryThatIsAllocatedAgainIsUnwrittenAgain) {
  std::vector<CUdeviceptr> seen;
  for (int round = 0; round < 3; ++round) {
    const Buffer<int> x(4096);
    ASSERT_EQ(copied(x).code, fault) << round;
    ASSERT_EQ(TILEJIT_ENTRY(cuMemsetD8)(x.pointer(), 1, 4096 * sizeof(int)), CUDA_SUCCESS);
    ASSERT_EQ(copied(x).code, CUDA_SUCCESS) << round;
  }
}

TEST_F(Unwritten, AnAtomicReadsWhatItUpdates) {
  const Buffer<int> y(64);
  EXPECT_THAT(kernels().run("count", {1}, {32}, y.pointer()).report,
              AllOf(StartsWith("unwritten: read of global memory at " + hex(y.pointer())),
                    HasSubstr("source: " + kernels().source_line("count"))));
  ASSERT_EQ(kernels().run("fill", {1}, {1}, y.pointer(), 1).code, CUDA_SUCCESS);
  EXPECT_EQ(kernels().run("count", {1}, {32}, y.pointer()).code, CUDA_SUCCESS);
}

TEST_F(Unwritten, OneElementOfAVectorIsEnough) {
  const Buffer<int> x(64), y(64);
  ASSERT_EQ(kernels().run("fill", {1}, {63}, x.pointer(), 1).code, CUDA_SUCCESS);
  EXPECT_THAT(kernels().run("copy_fours", {1}, {16}, y.pointer(), x.pointer()).report,
              AllOf(HasSubstr("unwritten: read of global memory at " + hex(x.pointer() + 252)),
                    HasSubstr("thread (15, 0, 0)"), HasSubstr("source: " + kernels().source_line("fours"))));
}

TEST_F(Unwritten, GapsOfAStridedWriteStayUnwritten) {
  const Buffer<int> x(64);
  ASSERT_EQ(kernels().run("fill", {1}, {32}, x.pointer(), 2).code, CUDA_SUCCESS);
  EXPECT_THAT(copied(x).report, HasSubstr("offset 4 of allocation"));
}

TEST_F(Unwritten, PaddingThatGoesAlongWithAStructIsNoFault) {
  const Buffer<int> x(64), y(64);
  ASSERT_EQ(kernels().run("make_padded", {1}, {16}, x.pointer()).code, CUDA_SUCCESS);
  const Module module(ptx_kernel("move", ".param .u64 y, .param .u64 x", R"(
    .reg .b64 %a<3>;
    ld.param.u64 %a0, [x];
    ld.global.u64 %a1, [%a0];
    ld.global.u64 %a2, [%a0+8];
    ld.param.u64 %a0, [y];
    st.global.v2.u64 [%a0], {%a1, %a2};
    ret;
  )"));
  EXPECT_EQ(module.run("move", {1}, {1}, y.pointer(), x.pointer()), CUDA_SUCCESS);
}

TEST_F(Unwritten, VariablesOfAModuleBeginAsZeros) {
  const Buffer<int> y(64);
  EXPECT_EQ(kernels().run("copy_zeros", {1}, {64}, y.pointer()).report, "");
  EXPECT_EQ(y.read(), std::vector<int>(64, 0));
}

TEST_F(Unwritten, HostMemoryIsTheHostsAffair) {
  void* host = nullptr;
  use_device();
  ASSERT_EQ(TILEJIT_ENTRY(cuMemHostAlloc)(&host, 256, 0), CUDA_SUCCESS);
  const Buffer<int> y(64);
  EXPECT_EQ(kernels().run("copy", {1}, {64}, y.pointer(), host).report, "");
  TILEJIT_ENTRY(cuMemFreeHost)(host);
}

TEST_F(Unwritten, AWrittenAllocationSaysNothingOfTheNext) {
  const Buffer<int> y(std::vector<int>(64, 0)), written(std::vector<int>(64, 1)), fresh(64);
  EXPECT_EQ(kernels().run("of_either", {2}, {64}, y.pointer(), written.pointer(), written.pointer()).report, "");
  EXPECT_THAT(kernels().run("of_either", {2}, {64}, y.pointer(), written.pointer(), fresh.pointer()).report,
              StartsWith("unwritten: read of global memory at " + hex(fresh.pointer())));
}

TEST_F(Unwritten, OneWordOfSharedMemoryThatNobodyWroteIsFound) {
  const Buffer<int> y(64);
  EXPECT_EQ(kernels().run("gap", {2}, {64}, y.pointer(), 0).report, "");
  EXPECT_THAT(kernels().run("gap", {2}, {64}, y.pointer(), 1).report,
              AllOf(StartsWith("unwritten: read of shared memory"), HasSubstr("thread (63, 0, 0)")));
}

TEST_F(Unwritten, SharedMemoryIsReportedWithItsVariable) {
  const Buffer<int> y(64);
  EXPECT_EQ(kernels().run("shared", {3}, {64}, y.pointer(), 64).report, "");
  const Ended ended = kernels().run("shared", {3}, {64}, y.pointer(), 50);
  EXPECT_EQ(ended.code, fault);
  EXPECT_THAT(ended.report,
              AllOf(StartsWith("unwritten: read of shared memory at 0x"),
                    HasSubstr("kernel shared, block (0, 0, 0), thread (50, 0, 0)\n"),
                    HasSubstr("source: " + kernels().source_line("shared") + "\n"),
                    ContainsRegex("nearest: shared variable '[a-zA-Z0-9_]*tile' .256 bytes., offset 200")));
}

TEST_F(Unwritten, SharedMemoryOfABlockBeforeIsNoneOfTheNext) {
  const Buffer<int> y(64);
  table().set("workers", 1);
  EXPECT_THAT(kernels().run_with("first_block_shared", {2}, {64}, 256, y.pointer()).report,
              AllOf(StartsWith("unwritten: read of shared memory"), HasSubstr("block (1, 0, 0), thread (0, 0, 0)"),
                    HasSubstr("source: " + kernels().source_line("another block")),
                    HasSubstr("dynamic shared memory (256 bytes), offset 0")));
  table().set("workers", 0);
}

TEST_F(Unwritten, LocalMemoryIsLookedAtThreadByThread) {
  const Buffer<int> y(64);
  EXPECT_EQ(kernels().run("local", {1}, {64}, y.pointer(), 16, 15).report, "");
  const Ended ended = kernels().run("local", {1}, {64}, y.pointer(), 7, 7);
  EXPECT_EQ(ended.code, fault);
  EXPECT_THAT(ended.report, AllOf(StartsWith("unwritten: read of local memory at 0x"),
                                  HasSubstr("kernel local, block (0, 0, 0), thread (0, 0, 0)\n"),
                                  HasSubstr("source: " + kernels().source_line("local") + "\n"),
                                  HasSubstr("a thread has 64 bytes of local memory")));
}

TEST_F(Unwritten, SwitchedOffNothingIsReportedAndWhatRanMeanwhileCountsAsWritten) {
  const Buffer<int> x(64);
  ASSERT_TRUE(table().set("unwritten", 0));
  EXPECT_EQ(copied(x).code, CUDA_SUCCESS);
  ASSERT_TRUE(table().set("unwritten", 1));
  EXPECT_EQ(copied(x).code, CUDA_SUCCESS);
  const Buffer<int> fresh(64);
  EXPECT_EQ(copied(fresh).code, fault);
}

}  // namespace
}  // namespace tilejit::testing
