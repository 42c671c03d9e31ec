#include "faulting.h"

// Blocks that cannot go on: who waits where. And shuffles from lanes that are not there.
namespace tilejit::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const Faulting& kernels() {
  static const Faulting* const all = new Faulting(R"(
    extern "C" __global__ void two_barriers(int* y) {
      if (threadIdx.x < 32)
        asm volatile("bar.sync 1;" ::: "memory");  // barrier one
      else
        asm volatile("bar.sync 2;" ::: "memory");  // barrier two
      y[threadIdx.x] = 1;
    }
    extern "C" __global__ void too_few(int* y) {
      if (threadIdx.x >= 64) return;
      asm volatile("bar.sync 1, 96;" ::: "memory");  // too few
      y[threadIdx.x] = 1;
    }
    extern "C" __global__ void half_a_warp(int* y) {
      int v = threadIdx.x;
      if (threadIdx.x % 32 < 16) v = __shfl_xor_sync(~0u, v, 1);  // half
      else __syncwarp();  // other half
      y[threadIdx.x] = v;
    }
    extern "C" __global__ void across(int* y) {
      int v = threadIdx.x;
      if (threadIdx.x < 16)
        v = __shfl_sync(~0u, v, 0);  // shuffle of half
      else
        __syncthreads();  // barrier of half
      y[threadIdx.x] = v;
    }
    extern "C" __global__ void by_flag(int* y, int last) {
      if (blockIdx.x == last && threadIdx.x == 0) *(volatile int*)y = 1;
      while (*(volatile int*)y == 0) {}  // polled
    }
    extern "C" __global__ void by_lock(int* y, int release) {
      if (threadIdx.x == 0) {
        while (atomicCAS(y, 0, 1) != 0) __nanosleep(100);  // locked
        y[1] += 1;
        __threadfence();
        if (release) atomicExch(y, 0);
      }
    }
    extern "C" __global__ void at_length(int* y, int turns) {
      int i = 0;
      while (*(volatile int*)y == 0 && i < turns) ++i;
      y[1 + blockIdx.x] = i;
    }
    extern "C" __global__ void fine(int* y) {
      if (threadIdx.x >= 40) return;
      int v = __shfl_xor_sync(threadIdx.x < 32 ? ~0u : 0xffu, (int)threadIdx.x, 1);
      __syncthreads();
      y[threadIdx.x] = v;
    }
    extern "C" __global__ void same_barrier_elsewhere(int* y) {
      if (threadIdx.x < 32) asm volatile("bar.sync 0;" ::: "memory");
      else asm volatile("bar.sync 0;" ::: "memory");
      y[threadIdx.x] = 1;
    }
    extern "C" __global__ void from(int* y, int lanes, unsigned mask, int source) {
      int v = threadIdx.x;
      if (threadIdx.x < lanes) v = __shfl_sync(mask, v, source);  // from
      y[threadIdx.x] = v;
    }
    extern "C" __global__ void from_returned(int* y) {
      if (threadIdx.x >= 20) return;
      y[threadIdx.x] = __shfl_down_sync(~0u, threadIdx.x, 1);  // from returned
    })");
  return *all;
}

class Deadlocks : public ::testing::Test {
 public:
  void TearDown() override { table().set("workers", 0); }

 protected:
  Deadlocks() : y(std::vector<int>(128, 0)) {}
  static std::string source(const std::string& mark) { return kernels().source_line(mark); }
  const Buffer<int> y;
};

TEST_F(Deadlocks, AtTwoBarriersNameTheThreadsAndLinesOfEach) {
  const Ended ended = kernels().run("two_barriers", {3}, {128}, y.pointer());
  EXPECT_EQ(ended.code, CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_THAT(ended.report,
              AllOf(StartsWith("deadlock: threads wait at a barrier that others never reach\n"),
                    HasSubstr("kernel two_barriers, block (0, 0, 0), thread (0, 0, 0)\n"),
                    ContainsRegex("32 threads from thread 0 on wait at PTX line [0-9]+ \\(bar.sync 1;\\), " +
                                  source("barrier one")),
                    ContainsRegex("96 threads from thread 32 on wait at PTX line [0-9]+ \\(bar.sync 2;\\), " +
                                  source("barrier two"))));
}

TEST_F(Deadlocks, ABarrierForMoreThreadsThanComeSaysHowManyReturned) {
  EXPECT_THAT(kernels().run("too_few", {1}, {128}, y.pointer()).report,
              AllOf(StartsWith("deadlock: threads wait at a barrier that others never reach\n"),
                    ContainsRegex("64 threads from thread 0 on wait at .*, " + source("too few")),
                    HasSubstr("64 threads of the block returned")));
}

TEST_F(Deadlocks, LanesAtDifferentInstructionsNameBoth) {
  const Ended ended = kernels().run("half_a_warp", {1}, {64}, y.pointer());
  EXPECT_EQ(ended.code, CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_THAT(ended.report,
              AllOf(StartsWith("deadlock: lanes wait for others of their warp that never come\n"),
                    ContainsRegex("16 threads from thread 0 on wait at PTX line [0-9]+ \\(shfl.sync.*" +
                                  source("half") + ", for lanes 0xffff0000 of warp 0"),
                    ContainsRegex("16 threads from thread 16 on wait at PTX line [0-9]+ \\(bar.warp.sync.*" +
                                  source("other half") + ", for lanes 0x0000ffff of warp 0"),
                    HasSubstr("of warp 1")));
}

TEST_F(Deadlocks, AShuffleAndABarrierThatWaitForEachOther) {
  EXPECT_THAT(kernels().run("across", {1}, {32}, y.pointer()).report,
              AllOf(StartsWith("deadlock: "), HasSubstr(source("shuffle of half") + ", for lanes 0xffff0000 of warp 0"),
                    ContainsRegex("16 threads from thread 16 on wait at .*" + source("barrier of half"))));
}

TEST_F(Deadlocks, PollingWhatNobodyWritesIsAStandstill) {
  for (const std::uint64_t workers : {1, 2}) {
    table().set("workers", workers);
    const Buffer<int> flag(std::vector<int>(64, 0));
    EXPECT_EQ(kernels().run("by_flag", {8}, {64}, flag.pointer(), 5).report, "");
    const Buffer<int> never(std::vector<int>(64, 0));
    const Ended ended = kernels().run("by_flag", {8}, {64}, never.pointer(), 8);
    EXPECT_EQ(ended.code, CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_THAT(ended.report,
                AllOf(StartsWith("standstill: polls memory that nobody writes any more"),
                      HasSubstr("kernel by_flag, block (0, 0, 0), thread (0, 0, 0)\n"), HasSubstr("ld.volatile.global"),
                      HasSubstr("source: " + kernels().source_line("polled")), HasSubstr("the launch has 8 blocks")));
  }
}

TEST_F(Deadlocks, ALockThatIsNeverReleasedIsAStandstill) {
  for (const std::uint64_t workers : {1, 2}) {
    table().set("workers", workers);
    const Buffer<int> fine(std::vector<int>(2, 0)), lock(std::vector<int>(2, 0));
    EXPECT_EQ(kernels().run("by_lock", {300}, {32}, fine.pointer(), 1).report, "");
    EXPECT_EQ(fine.read()[1], 300);
    EXPECT_THAT(kernels().run("by_lock", {4}, {32}, lock.pointer(), 0).report,
                AllOf(StartsWith("standstill: "), HasSubstr(kernels().source_line("locked"))));
    EXPECT_EQ(lock.read()[1], 1);
  }
}

/// More turns than any patience: what counts is that something changes.
TEST_F(Deadlocks, PollingThatEndsByItselfIsNone) {
  const Buffer<int> y(std::vector<int>(8, 0));
  EXPECT_EQ(kernels().run("at_length", {4}, {32}, y.pointer(), 400000).report, "");
  EXPECT_EQ(y.read()[4], 400000);
}

TEST_F(Deadlocks, ReturnedThreadsAreNotWaitedFor) {
  EXPECT_EQ(kernels().run("fine", {2}, {128}, y.pointer()).report, "");
  EXPECT_EQ(kernels().run("same_barrier_elsewhere", {2}, {64}, y.pointer()).report, "");
}

TEST_F(Deadlocks, AShuffleFromALaneOutsideItsMask) {
  EXPECT_EQ(kernels().run("from", {1}, {32}, y.pointer(), 16, 0xffffu, 3).report, "");
  const Ended ended = kernels().run("from", {1}, {32}, y.pointer(), 16, 0xffffu, 20);
  EXPECT_EQ(ended.code, CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_THAT(ended.report, AllOf(StartsWith("lane 0 takes a value from lane 20, which takes no part in the shuffle\n"),
                                  HasSubstr("kernel from, block (0, 0, 0), thread (0, 0, 0)"),
                                  HasSubstr("source: " + source("from")), ContainsRegex("PTX line [0-9]+: shfl.sync")));
}

TEST_F(Deadlocks, AShuffleFromALaneThatReturned) {
  EXPECT_THAT(kernels().run("from_returned", {1}, {32}, y.pointer()).report,
              AllOf(StartsWith("lane 19 takes a value from lane 20, which has returned or never ran\n"),
                    HasSubstr("source: " + source("from returned"))));
}

TEST_F(Deadlocks, AShuffleInABlockWithoutThatLane) {
  EXPECT_THAT(kernels().run("from", {1}, {8}, y.pointer(), 8, ~0u, 9).report,
              StartsWith("lane 0 takes a value from lane 9, which has returned or never ran\n"));
}

TEST_F(Deadlocks, ALaneOutsideItsOwnMask) {
  EXPECT_THAT(
      kernels().run("from", {1}, {32}, y.pointer(), 18, 0xffffu, 3).report,
      AllOf(StartsWith("lane 16 is not in its own member mask 0x0000ffff\n"), HasSubstr("source: " + source("from"))));
}

}  // namespace
}  // namespace tilejit::testing
