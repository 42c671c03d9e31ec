#include "faulting.h"

// Faults that are no access: divisions, traps, asserts, barriers that do not exist, instructions that cannot run.
namespace tilejit::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const Faulting& kernels() {
  static const Faulting* const all = new Faulting(R"(
    extern "C" __global__ void divide(int* y, int by) {
      y[threadIdx.x] = 100 / ((int)threadIdx.x - by);  // int
    }
    extern "C" __global__ void remains(unsigned* y, unsigned by) {
      y[threadIdx.x] = 100u % (threadIdx.x ^ by);  // remainder
    }
    extern "C" __global__ void divide_long(long long* y, long long by) {
      if (threadIdx.x != by) y[threadIdx.x] = 100 / (threadIdx.x - by);
      if (threadIdx.x == 40) y[threadIdx.x] = y[0] / (threadIdx.x - by);  // long
    }
    extern "C" __global__ void trap(int* y, int at) {
      if (threadIdx.x == at) __trap();  // trap
      y[threadIdx.x] = 1;
    }
    extern "C" __device__ void __assertfail(const char*, const char*, unsigned, const char*, size_t);
    __device__ void check(bool holds) {
      if (!holds) __assertfail("x < 7", "inner.cuh", 12, "check", 1);
    }
    extern "C" __global__ void asserted(int* y) {
      check(y[threadIdx.x] < 7);  // assert
    }
    extern "C" __global__ void unsupported(int* y, int n) {
      if (n > 0) asm volatile("wgmma.fence.sync.aligned;" ::: "memory");  // unsupported
      y[0] = n;
    })");
  return *all;
}

TEST(Traps, ADivisionByZeroNamesTheThreadThatDivides) {
  const Buffer<int> y(64);
  EXPECT_EQ(kernels().run("divide", {1}, {32}, y.pointer(), 32).report, "");
  const Ended ended = kernels().run("divide", {2}, {64}, y.pointer(), 33);
  EXPECT_EQ(ended.code, CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_THAT(
      ended.report,
      AllOf(StartsWith("integer division by zero\n"), HasSubstr("kernel divide, block (0, 0, 0), thread (33, 0, 0)\n"),
            ContainsRegex("PTX line [0-9]+: div.s32"), HasSubstr("source: " + kernels().source_line("int"))));
}

TEST(Traps, ARemainderByZeroIsADivision) {
  const Buffer<int> y(64);
  EXPECT_THAT(
      kernels().run("remains", {1}, {64}, y.pointer(), 5u).report,
      AllOf(StartsWith("integer division by zero\n"), HasSubstr("thread (5, 0, 0)"),
            ContainsRegex("PTX line [0-9]+: rem.u32"), HasSubstr("source: " + kernels().source_line("remainder"))));
}

TEST(Traps, LanesThatAreNotActiveMayHoldZeroDivisors) {
  const Buffer<long long> y(64);
  EXPECT_EQ(kernels().run("divide_long", {1}, {32}, y.pointer(), 3LL).report, "");
  EXPECT_THAT(kernels().run("divide_long", {1}, {64}, y.pointer(), 40LL).report,
              AllOf(StartsWith("integer division by zero\n"), HasSubstr("thread (40, 0, 0)"),
                    HasSubstr("source: " + kernels().source_line("long"))));
}

TEST(Traps, ATrapNamesItsThreadAndLine) {
  const Buffer<int> y(64);
  EXPECT_EQ(kernels().run("trap", {1}, {64}, y.pointer(), 64).report, "");
  const Ended ended = kernels().run("trap", {1}, {64}, y.pointer(), 50);
  EXPECT_EQ(ended.code, CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_THAT(ended.report,
              AllOf(StartsWith("the kernel executed a trap\n"), HasSubstr("thread (50, 0, 0)"),
                    ContainsRegex("PTX line [0-9]+: trap;"), HasSubstr("source: " + kernels().source_line("trap"))));
}

TEST(Traps, AnAssertSaysWhatFailedWhere) {
  const Buffer<int> y(std::vector<int>{1, 2, 3, 9, 5, 6, 4, 3});
  const Ended ended = kernels().run("asserted", {1}, {8}, y.pointer());
  EXPECT_EQ(ended.code, CUDA_ERROR_ASSERT);
  EXPECT_THAT(ended.report, AllOf(StartsWith("inner.cuh:12: check: assertion `x < 7` failed\n"),
                                  HasSubstr("kernel asserted, block (0, 0, 0), thread (3, 0, 0)")));
}

TEST(Traps, AnInstructionThatCannotRunNamesItselfOnceItIsReached) {
  const Buffer<int> y(1);
  EXPECT_EQ(kernels().run("unsupported", {1}, {32}, y.pointer(), 0).report, "");
  const Ended ended = kernels().run("unsupported", {1}, {32}, y.pointer(), 1);
  EXPECT_EQ(ended.code, CUDA_ERROR_ILLEGAL_INSTRUCTION);
  EXPECT_THAT(ended.report, AllOf(StartsWith("the emulated device cannot run this instruction: "),
                                  ContainsRegex("PTX line [0-9]+: wgmma.fence.sync.aligned;"),
                                  HasSubstr("source: " + kernels().source_line("unsupported"))));
}

TEST(Traps, AWordThatIsNoInstructionIsOneToo) {
  const Module module(ptx_kernel("odd", "", ".reg .b32 %r;\nmov.b32 %r, 1;\nfrobnicate.b32 %r, %r;\nret;\n"));
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(module.run("odd", {1}, {1}), CUDA_ERROR_ILLEGAL_INSTRUCTION);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("PTX line 7: frobnicate.b32 %r, %r;"));
}

TEST(Traps, BarriersThatDoNotExist) {
  const auto report = [](const std::string& barrier) {
    const Module module(ptx_kernel("odd", "", ".reg .b32 %r;\nmov.u32 %r, %tid.x;\n" + barrier + "\nret;\n"));
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(module.run("odd", {1}, {32}), CUDA_ERROR_LAUNCH_FAILED);
    return ::testing::internal::GetCapturedStderr();
  };
  EXPECT_THAT(report("bar.sync 16;"), HasSubstr("there is no barrier 16, only 0 to 15\n"));
  EXPECT_THAT(report("bar.sync 1, 33;"),
              HasSubstr("a barrier for 33 threads: their number must be a multiple of 32\n"));
}

}  // namespace
}  // namespace tilejit::testing
