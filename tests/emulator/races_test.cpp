#include "faulting.h"

// Races on shared memory: two threads, one of them writing, and nothing between that orders them.
namespace tilejit::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Every kernel runs one block of 64 threads, two warps; `broken` leaves out what orders its accesses.
const Faulting& kernels() {
  static const Faulting* const all = new Faulting(R"(
    #define BARRIER if (!broken) __syncthreads()
    extern "C" __global__ void write_write(int* y, int broken) {
      __shared__ int one;
      if (threadIdx.x == 3) one = 1;  // first write
      BARRIER;
      if (threadIdx.x == 35) one = 2;  // second write
      __syncthreads();
      y[threadIdx.x] = one;
    }
    extern "C" __global__ void write_read(int* y, int broken) {
      __shared__ int tile[64];
      tile[threadIdx.x] = 0;
      __syncthreads();
      tile[threadIdx.x] = threadIdx.x;  // writes
      BARRIER;
      y[threadIdx.x] = tile[63 - threadIdx.x];  // reads
    }
    extern "C" __global__ void read_write(int* y, int broken) {
      __shared__ int tile[64];
      tile[threadIdx.x] = threadIdx.x;
      __syncthreads();
      y[threadIdx.x] = tile[63 - threadIdx.x];  // read before
      BARRIER;
      tile[threadIdx.x] = -1;  // written again
    }
    extern "C" __global__ void within_a_warp(int* y, int broken) {
      __shared__ int tile[64];
      tile[threadIdx.x] = threadIdx.x;  // in a warp
      if (!broken) __syncwarp();
      y[threadIdx.x] = tile[threadIdx.x ^ 1];  // of a neighbour
    }
    extern "C" __global__ void all_read_one_writes(int* y, int broken) {
      __shared__ int one;
      if (threadIdx.x == 0) one = 7;
      __syncthreads();
      y[threadIdx.x] = one;
      BARRIER;
      if (threadIdx.x == 40) one = 8;  // one writes
    }
    extern "C" __global__ void both_atomic(int* y, int broken) {
      __shared__ int one;
      if (threadIdx.x == 0) one = 0;
      __syncthreads();
      atomicAdd(&one, 1);  // atomic
      BARRIER;
      y[threadIdx.x] = one;  // plain
    }
    extern "C" __global__ void bytes(int* y, int broken) {
      __shared__ unsigned char tile[128];
      // Warps write bytes of one word: no two threads the same byte, unless broken.
      tile[(threadIdx.x % 32) * 2 + (broken ? 0 : threadIdx.x / 32)] = 1;
      __syncthreads();
      y[threadIdx.x] = tile[threadIdx.x];
    }
    extern "C" __global__ void same_thread(int* y) {
      __shared__ int tile[64];
      for (int i = 0; i < 4; ++i) {
        tile[threadIdx.x] = i;
        y[threadIdx.x] = tile[threadIdx.x] + i;
      }
    }
    extern "C" __global__ void one_instruction(int* y) {
      __shared__ int one;
      if (threadIdx.x < 32) one = threadIdx.x;
      __syncthreads();
      y[threadIdx.x] = one;
    }
    extern "C" __global__ void by_flag(int* y, int broken) {
      __shared__ int data;
      __shared__ int flag;
      if (threadIdx.x == 0) flag = 0;
      __syncthreads();
      if (threadIdx.x == 0) {
        data = y[1];  // data
        if (!broken) __threadfence_block();
        *(volatile int*)&flag = 1;
      }
      if (threadIdx.x == 32) {
        while (*(volatile int*)&flag == 0) {}
        if (!broken) __threadfence_block();
        y[0] = data;  // behind the flag
      }
    }
    extern "C" __global__ void named(int* y) {
      __shared__ int tile[64];
      if (threadIdx.x < 32) {
        tile[threadIdx.x] = threadIdx.x;
        asm volatile("bar.arrive 3, 64;" ::: "memory");
      } else {
        asm volatile("bar.sync 3, 64;" ::: "memory");
        y[threadIdx.x - 32] = tile[threadIdx.x - 32];
      }
    }
    extern "C" __global__ void reduce(float* y) {
      __shared__ float parts[64];
      parts[threadIdx.x] = threadIdx.x;
      for (int d = 32; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) parts[threadIdx.x] += parts[threadIdx.x + d];
      }
      if (threadIdx.x == 0) y[0] = parts[0];
    })");
  return *all;
}

class Races : public ::testing::Test {
 protected:
  Races() : y(std::vector<int>(64, 0)) {}
  Ended run(const char* name, int broken) const { return kernels().run(name, {2}, {64}, y.pointer(), broken); }
  static std::string source(const std::string& mark) { return "source: " + kernels().source_line(mark) + "\n"; }
  const Buffer<int> y;
};

TEST_F(Races, TwoWritesNameBothThreadsAndBothLines) {
  EXPECT_EQ(run("write_write", 0).report, "");
  const Ended ended = run("write_write", 1);
  EXPECT_EQ(ended.code, CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_THAT(ended.report, AllOf(StartsWith("race on shared memory at 0x"),
                                  HasSubstr(": a write and a write by another thread with no barrier between\n"),
                                  HasSubstr("kernel write_write, block (0, 0, 0), thread (35, 0, 0)\n"),
                                  HasSubstr(source("second write")), ContainsRegex("PTX line [0-9]+: st.*shared"),
                                  ContainsRegex("the other: thread \\(3, 0, 0\\), PTX line [0-9]+: .*st.shared"),
                                  HasSubstr(source("first write"))));
}

TEST_F(Races, AReadOfWhatAnotherWarpJustWrote) {
  EXPECT_EQ(run("write_read", 0).report, "");
  EXPECT_THAT(run("write_read", 1).report,
              AllOf(StartsWith("race on shared memory at 0x"), HasSubstr(" by another thread with no "),
                    HasSubstr(source("writes")), HasSubstr(source("reads"))));
}

TEST_F(Races, AWriteToWhatAnotherWarpJustRead) {
  EXPECT_EQ(run("read_write", 0).report, "");
  EXPECT_THAT(run("read_write", 1).report, AllOf(HasSubstr(" by another thread with no "),
                                                 HasSubstr(source("read before")), HasSubstr(source("written again"))));
}

TEST_F(Races, LanesOfAWarpNeedASyncwarp) {
  EXPECT_EQ(run("within_a_warp", 0).report, "");
  EXPECT_THAT(run("within_a_warp", 1).report,
              AllOf(HasSubstr(": a read and a write by another thread with no __syncwarp between\n"),
                    HasSubstr(source("of a neighbour")), HasSubstr(source("in a warp"))));
}

TEST_F(Races, ABroadcastReadIsEveryLanes) {
  EXPECT_EQ(run("all_read_one_writes", 0).report, "");
  EXPECT_THAT(run("all_read_one_writes", 1).report,
              AllOf(HasSubstr("thread (40, 0, 0)"), HasSubstr(source("one writes")), HasSubstr("a write and a read")));
}

TEST_F(Races, AtomicsMeetAtomicsButNotPlainReads) {
  EXPECT_EQ(run("both_atomic", 0).report, "");
  EXPECT_THAT(run("both_atomic", 1).report, AllOf(HasSubstr("a read and an atomic by another thread"),
                                                  HasSubstr(source("plain")), HasSubstr(source("atomic"))));
}

TEST_F(Races, NeighbouringBytesOfAWordAreNoRace) {
  EXPECT_EQ(run("bytes", 0).report, "");
  EXPECT_THAT(run("bytes", 1).report, HasSubstr("a write and a write by another thread with no barrier"));
}

TEST_F(Races, AThreadMayDoWithItsOwnWhatItLikes) {
  EXPECT_EQ(kernels().run("same_thread", {2}, {64}, y.pointer()).report, "");
}

TEST_F(Races, OfOneInstructionsLanesOneWins) {
  EXPECT_EQ(kernels().run("one_instruction", {1}, {64}, y.pointer()).report, "");
}

TEST_F(Races, AFlagBehindAFenceOrdersWhatItGuards) {
  EXPECT_EQ(run("by_flag", 0).report, "");
  EXPECT_THAT(run("by_flag", 1).report, AllOf(HasSubstr(source("behind the flag")), HasSubstr(source("data"))));
}

TEST_F(Races, ANamedBarrierWithArriversOrders) { EXPECT_EQ(kernels().run("named", {2}, {64}, y.pointer()).report, ""); }

TEST_F(Races, ATreeOfBarriersIsClean) { EXPECT_EQ(kernels().run("reduce", {3}, {64}, y.pointer()).report, ""); }

TEST_F(Races, AreFoundInWhateverOrderWarpsRun) {
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    ASSERT_TRUE(table().set("shuffle", seed));
    EXPECT_THAT(run("write_read", 1).report, StartsWith("race on shared memory")) << seed;
    EXPECT_THAT(run("read_write", 1).report, StartsWith("race on shared memory")) << seed;
    EXPECT_EQ(run("write_read", 0).report, "") << seed;
  }
  table().set("shuffle", 0);
}

TEST_F(Races, SwitchedOffNothingIsReported) {
  ASSERT_TRUE(table().set("races", 0));
  EXPECT_EQ(run("write_write", 1).report, "");
  ASSERT_TRUE(table().set("races", 1));
  EXPECT_NE(run("write_write", 1).report, "");
}

}  // namespace
}  // namespace tilejit::testing
