#include <random>

#include "../support/effort.h"
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
    extern "C" __global__ void own_then_neighbour(int* y, int broken) {
      __shared__ int tile[64];
      tile[threadIdx.x] = 0;
      __syncthreads();
      tile[threadIdx.x] = 1;
      tile[threadIdx.x] += y[threadIdx.x];  // own again
      BARRIER;
      y[threadIdx.x] = tile[threadIdx.x ^ 32];  // of another warp
    }
    extern "C" __global__ void many_before(int* y, int broken) {
      __shared__ int tile[96];
      #pragma unroll 1
      for (int i = 0; i < 3000; ++i) tile[threadIdx.x] = i;  // thousands
      BARRIER;
      if (threadIdx.x == 32) y[0] = tile[0];  // of the first
    }
    extern "C" __global__ void by_table(int* y, const int* table, int steps) {
      __shared__ int tile[96];
      tile[threadIdx.x] = 0;
      if (threadIdx.x < 32) tile[64 + threadIdx.x] = 0;
      __syncthreads();
      int sum = 0;
      #pragma unroll 1
      for (int k = 0; k < steps; ++k) {
        const int step = table[k * 64 + threadIdx.x], at = step & 255;
        if ((step >> 8 & 3) == 1) sum += tile[at];
        if ((step >> 8 & 3) == 2) tile[at] = k;
        if ((step >> 8 & 3) == 3) atomicAdd(&tile[at], 1);
        __syncwarp();
        if (step >> 10 & 1) __syncthreads();
      }
      y[threadIdx.x] = sum;
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

TEST_F(Races, WhatAThreadDidToItsOwnStillMeetsOthers) {
  EXPECT_EQ(run("own_then_neighbour", 0).report, "");
  EXPECT_THAT(run("own_then_neighbour", 1).report,
              AllOf(HasSubstr(source("of another warp")), HasSubstr(source("own again"))));
}

TEST_F(Races, NoneIsForgottenAfterThousandsOfAccesses) {
  EXPECT_EQ(run("many_before", 0).report, "");
  EXPECT_THAT(run("many_before", 1).report, AllOf(HasSubstr(source("of the first")), HasSubstr(source("thousands"))));
}

/// What each of 64 threads does in each step, a __syncwarp behind it, in some a barrier too.
struct Step {
  enum Kind { nothing, read, write, atomic };
  Kind kind[64];
  int place[64];
  bool barrier;
};

/// Every pair of accesses between two barriers, one by one.
bool has_race(const std::vector<Step>& steps) {
  const auto meet = [&](std::size_t i, int a, std::size_t j, int b) {
    const Step::Kind one = steps[i].kind[a], other = steps[j].kind[b];
    if (one == Step::nothing || other == Step::nothing || steps[i].place[a] != steps[j].place[b] || a == b)
      return false;
    if (one == other && one != Step::write) return false;
    if (a / 32 != b / 32) return true;
    return i == j && one != other;  // __syncwarp orders steps, and of one instruction's lanes one wins
  };
  for (std::size_t i = 0; i < steps.size(); ++i)
    for (std::size_t j = i; j < steps.size(); ++j) {
      for (int at = 0; at < 64 * 64; ++at)
        if (meet(i, at / 64, j, at % 64)) return true;
      if (steps[j].barrier) break;
    }
  return false;
}

TEST_F(Races, AreFoundJustWhereTwoAccessesMeet) {
  std::mt19937 random(1);
  int races = 0;
  const long programs = test::rounds(120);
  for (long program = 0; program < programs; ++program) {
    std::vector<Step> steps(6);
    std::vector<int> codes;
    const unsigned rare = 40 + random() % 400;  // an access away from a thread's own place is
    for (Step& step : steps) {
      step.barrier = random() % 3 == 0;
      const Step::Kind common = Step::Kind(random() % 4);
      for (int t = 0; t < 64; ++t) {
        step.kind[t] = random() % 4 == 0 ? Step::Kind(random() % 4) : common;
        step.place[t] = random() % rare == 0 ? int(random() % 96) : t;
        codes.push_back(step.place[t] | step.kind[t] << 8 | int(step.barrier) << 10);
      }
    }
    const bool expected = has_race(steps);
    races += expected ? 1 : 0;
    const Buffer<int> table(codes);
    const Ended ended = kernels().run("by_table", {1}, {64}, y.pointer(), table.pointer(), int(steps.size()));
    ASSERT_EQ(ended.report.starts_with("race on shared memory"), expected) << program << ": " << ended.report;
  }
  EXPECT_GT(races, programs / 5);
  EXPECT_LT(races, programs * 4 / 5);
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
