#include <sstream>

#include "faulting.h"

// Accesses out of bounds and misaligned, in every space: who, where in the PTX and the source, which address, and what
// lies nearest.
namespace tilejit::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const Faulting& kernels() {
  static const Faulting* const all = new Faulting(R"(
    __device__ float table[4];
    __constant__ int numbers[4];
    extern "C" __global__ void read_at(float* y, const float* x, long long at) {
      if (threadIdx.x == 5) y[0] = x[at];  // read
    }
    extern "C" __global__ void write_at(float* y, long long at) {
      y[at] = 1;  // write
    }
    extern "C" __global__ void add_at(int* y, long long at) {
      atomicAdd(y + at, 1);  // add
    }
    extern "C" __global__ void table_at(float* y, int at) {
      y[0] = table[at];  // table
    }
    extern "C" __global__ void write_constant(const int* where) {
      int* p = const_cast<int*>(numbers);
      asm volatile("st.u32 [%0], 1;" ::"l"(p));  // constant
    }
    extern "C" __global__ void pair_at(float2* y, const char* x, long long at) {
      y[0] = *reinterpret_cast<const float2*>(x + at);  // pair
    }
    extern "C" __global__ void shared_at(float* y, int at) {
      __shared__ float first[32], second[16];
      first[threadIdx.x] = second[threadIdx.x % 16] = 1;
      __syncthreads();
      y[0] = second[at];  // shared
      y[1] = first[0];
    }
    extern "C" __global__ void dynamic_at(float* y, int at) {
      extern __shared__ float dynamic[];
      dynamic[at] = 1;  // dynamic
      __syncthreads();
      y[0] = dynamic[0];
    }
    extern "C" __global__ void local_at(int* y, int at, int from) {
      int mine[8];
      for (int i = 0; i < 8; ++i) mine[i] = i;
      *reinterpret_cast<int*>(reinterpret_cast<char*>(mine) + at) = 7;  // local
      y[0] = mine[from & 7];
    }
    #line 70 "/templates/kernels/inner.cuh"
    __device__ __forceinline__ float at(const float* x, int i) { return x[i]; }
    #line 40 "/templates/kernels/outer.cuh"
    extern "C" __global__ void inlined(float* y, const float* x) {
      y[0] = at(x, 1000);
    })");
  return *all;
}

std::string allocation(std::size_t bytes, CUdeviceptr at) {
  return "allocation [0-9]+ \\(" + std::to_string(bytes) + " bytes at " + hex(at) + "\\)";
}

TEST(AccessFaults, AReadPastTheEndNamesKernelBlockThreadLinesAddressAndAllocation) {
  const Buffer<float> x(std::vector<float>(100, 1)), y(1);
  const Ended ended = kernels().run("read_at", {1, 3}, {8, 4}, y.pointer(), x.pointer(), 102LL);
  EXPECT_EQ(ended.code, CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THAT(ended.report,
              AllOf(StartsWith("out of bounds: read of 4 bytes of global memory at " + hex(x.pointer() + 408) + "\n"),
                    HasSubstr("kernel read_at, block (0, 0, 0), thread (5, 0, 0)\n"),
                    HasSubstr("source: " + kernels().source_line("read") + "\n"),
                    ContainsRegex("nearest: " + allocation(400, x.pointer()) + ", 8 bytes past its end .offset 408")));
}

TEST(AccessFaults, ThePtxLineIsTheLineOfThatInstruction) {
  const Buffer<float> x(std::vector<float>(100, 1)), y(1);
  const std::string report = kernels().run("read_at", {1}, {32}, y.pointer(), x.pointer(), 100LL).report;
  const std::size_t at = report.find("PTX line ");
  ASSERT_NE(at, std::string::npos) << report;
  std::size_t digits = 0;
  const int line = std::stoi(report.substr(at + 9), &digits);
  const std::string quoted = report.substr(at + 9 + digits + 2, report.find('\n', at) - at - 9 - digits - 2);
  std::istringstream text(kernels().ptx());
  std::string found;
  for (int k = 0; k < line; ++k) std::getline(text, found);
  EXPECT_THAT(quoted, StartsWith("ld.global"));
  EXPECT_THAT(found, HasSubstr(quoted.substr(quoted.find('%')))) << quoted;
}

TEST(AccessFaults, AWriteBeforeTheStartIsMeasuredFromIt) {
  const Buffer<float> y(100);
  const Ended ended = kernels().run("write_at", {1}, {1}, y.pointer(), -2LL);
  EXPECT_EQ(ended.code, CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THAT(ended.report,
              AllOf(StartsWith("out of bounds: write of 4 bytes of global memory at " + hex(y.pointer() - 8) + "\n"),
                    HasSubstr("source: " + kernels().source_line("write")),
                    ContainsRegex("nearest: " + allocation(400, y.pointer()) + ", 8 bytes before its start")));
}

TEST(AccessFaults, AnAtomicOutOfBoundsIsOne) {
  const Buffer<int> y(std::vector<int>(3, 0));
  const Ended ended = kernels().run("add_at", {1}, {32}, y.pointer(), 3LL);
  EXPECT_EQ(ended.code, CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THAT(ended.report,
              AllOf(StartsWith("out of bounds: atomic on 4 bytes of global memory at " + hex(y.pointer() + 12) + "\n"),
                    HasSubstr("source: " + kernels().source_line("add")), HasSubstr("0 bytes past its end")));
}

TEST(AccessFaults, AnAccessThatEndsPastItsAllocationSaysByHowMuch) {
  const Buffer<float> x(std::vector<float>(3, 1)), y(std::vector<float>(2, 0));
  const Ended ended = kernels().run("pair_at", {1}, {1}, y.pointer(), x.pointer(), 8LL);
  EXPECT_EQ(ended.code, CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THAT(ended.report,
              AllOf(HasSubstr("read of 8 bytes"), ContainsRegex("begins at offset 8 of " + allocation(12, x.pointer()) +
                                                                " and ends 4 bytes past it")));
}

TEST(AccessFaults, AVariableOfTheModuleIsCalledByItsName) {
  const Buffer<float> y(1);
  EXPECT_EQ(kernels().run("table_at", {1}, {1}, y.pointer(), 3).code, CUDA_SUCCESS);
  EXPECT_THAT(kernels().run("table_at", {1}, {1}, y.pointer(), 4).report,
              AllOf(HasSubstr("source: " + kernels().source_line("table")),
                    ContainsRegex("nearest: 'table' \\(16 bytes at 0x[0-9a-f]+\\), 0 bytes past its end .offset 16")));
}

TEST(AccessFaults, ConstantMemoryCannotBeWritten) {
  const Ended ended = kernels().run("write_constant", {1}, {1}, CUdeviceptr{0});
  EXPECT_EQ(ended.code, CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THAT(ended.report, AllOf(StartsWith("write to constant memory at 0x"), HasSubstr("'numbers' (16 bytes"),
                                  HasSubstr("source: " + kernels().source_line("constant"))));
}

TEST(AccessFaults, FreedMemoryIsOutOfBounds) {
  const Buffer<float> y(1);
  CUdeviceptr gone = 0;
  {
    const Buffer<float> x(std::vector<float>(64, 1));
    gone = x.pointer();
  }
  const Ended ended = kernels().run("read_at", {1}, {8}, y.pointer(), gone, 0LL);
  EXPECT_EQ(ended.code, CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THAT(ended.report, HasSubstr("read of 4 bytes of global memory at " + hex(gone)));
}

TEST(AccessFaults, ANullPointerIsOutOfBounds) {
  const Buffer<float> y(1);
  EXPECT_THAT(kernels().run("read_at", {1}, {8}, y.pointer(), CUdeviceptr{0}, 2LL).report,
              StartsWith("out of bounds: read of 4 bytes of global memory at 0x8\n"));
}

TEST(AccessFaults, AMisalignedAccessSaysWhatItMustBeAMultipleOf) {
  const Buffer<float> x(std::vector<float>(4, 1)), y(std::vector<float>(2, 0));
  const Ended ended = kernels().run("pair_at", {1}, {1}, y.pointer(), x.pointer(), 4LL);
  EXPECT_EQ(ended.code, CUDA_ERROR_MISALIGNED_ADDRESS);
  EXPECT_THAT(ended.report, AllOf(StartsWith("misaligned: read of 8 bytes of global memory at " + hex(x.pointer() + 4) +
                                             ", which must be a multiple of 8\n"),
                                  HasSubstr("source: " + kernels().source_line("pair")),
                                  ContainsRegex("offset 4 of " + allocation(16, x.pointer()))));
}

TEST(AccessFaults, SharedMemoryEndsWhereTheBlocksVariablesDo) {
  const Buffer<float> y(2);
  EXPECT_EQ(kernels().run("shared_at", {1}, {32}, y.pointer(), 15).code, CUDA_SUCCESS);
  const Ended ended = kernels().run("shared_at", {2}, {32}, y.pointer(), 4000);
  EXPECT_EQ(ended.code, CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THAT(ended.report,
              AllOf(StartsWith("out of bounds: read of 4 bytes of shared memory at 0x"),
                    HasSubstr("kernel shared_at, block (0, 0, 0), thread (0, 0, 0)"),
                    HasSubstr("source: " + kernels().source_line("shared")),
                    ContainsRegex("nearest: shared variable '[a-zA-Z0-9_]*(first|second)' .(128|64) bytes., offset ")));
}

TEST(AccessFaults, DynamicSharedMemoryEndsWhereTheLaunchSaid) {
  const Buffer<float> y(1);
  EXPECT_EQ(kernels().run_with("dynamic_at", {1}, {1}, 64, y.pointer(), 0).code, CUDA_SUCCESS);
  EXPECT_THAT(kernels().run_with("dynamic_at", {1}, {1}, 64, y.pointer(), 16).report,
              AllOf(StartsWith("out of bounds: write of 4 bytes of shared memory at 0x"),
                    HasSubstr("source: " + kernels().source_line("dynamic")),
                    HasSubstr("nearest: dynamic shared memory (64 bytes), offset 64")));
}

TEST(AccessFaults, LocalMemoryIsTheThreadsOwnAndHasAnEnd) {
  const Buffer<int> y(1);
  EXPECT_EQ(kernels().run("local_at", {1}, {32}, y.pointer(), 8, 2).code, CUDA_SUCCESS);
  EXPECT_EQ(y.read()[0], 7);
  const Ended far = kernels().run("local_at", {1}, {32}, y.pointer(), 4096, 2);
  EXPECT_EQ(far.code, CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THAT(far.report, AllOf(StartsWith("out of bounds: write of 4 bytes of local memory at 0x"),
                                HasSubstr("source: " + kernels().source_line("local")),
                                HasSubstr("a thread has 32 bytes of local memory")));
  const Ended odd = kernels().run("local_at", {1}, {32}, y.pointer(), 6, 2);
  EXPECT_EQ(odd.code, CUDA_ERROR_MISALIGNED_ADDRESS);
  EXPECT_THAT(odd.report, AllOf(StartsWith("misaligned: write of 4 bytes of local memory at 0x"),
                                HasSubstr("which must be a multiple of 4")));
}

TEST(AccessFaults, AMisalignedSharedAccessIsOne) {
  const Module module(ptx_kernel("odd", "", R"(
    .shared .align 8 .b8 tile[64];
    .reg .b32 %r<2>;
    mov.u32 %r0, tile;
    st.shared.u64 [%r0+4], 1;
    ret;
  )"));
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(module.run("odd", {1}, {1}), CUDA_ERROR_MISALIGNED_ADDRESS);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              AllOf(HasSubstr("misaligned: write of 8 bytes of shared memory at 0x"),
                    HasSubstr("PTX line 9: st.shared.u64 [%r0+4], 1;"), Not(HasSubstr("source:"))));
}

TEST(AccessFaults, AGenericAddressIsJudgedByTheMemoryItPointsInto) {
  const Module module(ptx_kernel("far", "", R"(
    .shared .align 8 .b8 tile[64];
    .local .align 8 .b8 mine[32];
    .reg .b64 %a<2>;
    .reg .pred %p;
    .reg .b32 %t;
    mov.u32 %t, %tid.x;
    setp.eq.u32 %p, %t, 0;
    cvta.local.u64 %a0, mine;
    @%p cvta.shared.u64 %a0, tile;
    st.u32 [%a0+32], 1;
    ret;
  )"));
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(module.run("far", {1}, {1}), CUDA_SUCCESS);
  EXPECT_EQ(module.run("far", {1}, {2}), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              AllOf(HasSubstr("out of bounds: write of 4 bytes of local memory at 0x20"), HasSubstr("thread (1, 0, 0)"),
                    HasSubstr("a thread has 32 bytes of local memory")));
}

TEST(AccessFaults, AnInlinedLineIsNamedWithWhereItWasInlined) {
  const Buffer<float> x(std::vector<float>(10, 1)), y(1);
  EXPECT_THAT(kernels().run("inlined", {1}, {1}, y.pointer(), x.pointer()).report,
              HasSubstr("source: /templates/kernels/inner.cuh:70, inlined at /templates/kernels/outer.cuh:41"));
}

TEST(AccessFaults, TheLowestFaultyBlockIsReportedOnAnyNumberOfWorkers) {
  const Faulting each(R"(
    extern "C" __global__ void each(int* y, int from) {
      if (blockIdx.x >= from) y[1000000 + blockIdx.x] = 1;
    })");
  const Buffer<int> y(16);
  for (const int workers : {1, 2, 7}) {
    ASSERT_TRUE(table().set("workers", static_cast<std::uint64_t>(workers)));
    EXPECT_THAT(each.run("each", {500}, {32}, y.pointer(), 123).report,
                HasSubstr("block (123, 0, 0), thread (0, 0, 0)"));
  }
  table().set("workers", 0);
}

TEST(AccessFaults, TheContextIsLostUntilItIsReset) {
  const Buffer<float> y(4);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(kernels().module().run("write_at", {1}, {1}, y.pointer(), 100LL), CUDA_ERROR_ILLEGAL_ADDRESS);
  ::testing::internal::GetCapturedStderr();
  EXPECT_THROW(kernels().module().function("write_at"), std::runtime_error);
  float value = 0;
  EXPECT_EQ(read(&value, y.pointer(), sizeof(value)), CUDA_ERROR_ILLEGAL_ADDRESS);
  use_device();
  EXPECT_EQ(kernels().module().run("write_at", {1}, {1}, y.pointer(), 0LL), CUDA_SUCCESS);
  EXPECT_EQ(read(&value, y.pointer(), sizeof(value)), CUDA_SUCCESS);
  EXPECT_EQ(value, 1);
}

}  // namespace
}  // namespace tilejit::testing
