#include <cstdio>

#include "faulting.h"

// Device printf: formats, arguments, and the order in which blocks' lines come out.
namespace tilejit::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const Faulting& kernels() {
  static const Faulting* const all = new Faulting(R"(
    extern "C" __global__ void integers(int a, unsigned b, long long c, unsigned long long d) {
      printf("%d|%5d|%-5d|%05d|%+d|%i\n", a, a, a, a, a, a);
      printf("%u|%x|%X|%#x|%o|%8.8x\n", b, b, b, b, b, b);
      printf("%lld|%ld|%llu|%llx|%lx|%zu|%hd|%hhu\n", c, (long)c, d, d, (unsigned long)d, (size_t)d, a, b);
    }
    extern "C" __global__ void floats(double x, float y) {
      printf("%f|%.2f|%10.3f|%-10.1f|%e|%g|%G|%a\n", x, x, x, x, x, x, x, x);
      printf("%f %d %f\n", y, 7, x);
      printf("%*d|%.*f\n", 6, 42, 3, x);
    }
    extern "C" __global__ void texts(const char* given) {
      printf("%s|%10s|%-6s|%.2s|%c|%%\n", "abc", "abc", "abc", "abc", 'x');
      printf("%s, %p\n", given, (void*)0x1234abcd);
      printf("no arguments\n");
    }
    extern "C" __global__ void results(int* y) {
      y[0] = printf("%d and %d\n", 1, 2);
      y[1] = printf("none\n");
    }
    extern "C" __global__ void blocks() {
      if (threadIdx.x % 20 == 0) printf("%d.%d ", blockIdx.x, threadIdx.x);
    }
    extern "C" __global__ void then_trap() {
      printf("block %d\n", blockIdx.x);
      if (blockIdx.x == 2) __trap();
    })");
  return *all;
}

template <class... Arguments>
std::string printed(const char* name, Shape grid, Shape block, Arguments... arguments) {
  ::testing::internal::CaptureStdout();
  kernels().run(name, grid, block, arguments...);
  return ::testing::internal::GetCapturedStdout();
}

template <class... Arguments>
std::string on_host(const char* format, Arguments... arguments) {
  char text[512];
  std::snprintf(text, sizeof(text), format, arguments...);
  return text;
}

TEST(Printf, IntegersOfEveryWidthAndFlag) {
  const int a = -42;
  const unsigned b = 0xBEEF;
  const long long c = -1234567890123;
  const unsigned long long d = 0xFEDCBA9876543210;
  EXPECT_EQ(printed("integers", {1}, {1}, a, b, c, d),
            on_host("%d|%5d|%-5d|%05d|%+d|%i\n", a, a, a, a, a, a) +
                on_host("%u|%x|%X|%#x|%o|%8.8x\n", b, b, b, b, b, b) +
                on_host("%lld|%lld|%llu|%llx|%llx|%llu|%d|%u\n", c, c, d, d, d, d, a, b & 0xFF));
}

TEST(Printf, FloatsAndStars) {
  const double x = -1234.56789;
  EXPECT_EQ(printed("floats", {1}, {1}, x, 0.1f),
            on_host("%f|%.2f|%10.3f|%-10.1f|%e|%g|%G|%a\n", x, x, x, x, x, x, x, x) +
                on_host("%f %d %f\n", static_cast<double>(0.1f), 7, x) + on_host("%*d|%.*f\n", 6, 42, 3, x));
}

TEST(Printf, TextsFromConstantAndGlobalMemory) {
  const std::string given = "from the host";
  const Buffer<char> text(std::vector<char>(given.c_str(), given.c_str() + given.size() + 1));
  EXPECT_EQ(printed("texts", {1}, {1}, text.pointer()),
            "abc|       abc|abc   |ab|x|%\nfrom the host, 0x1234abcd\nno arguments\n");
}

TEST(Printf, ReturnsHowManyArgumentsItTook) {
  const Buffer<int> y(2);
  EXPECT_EQ(printed("results", {1}, {1}, y.pointer()), "1 and 2\nnone\n");
  EXPECT_EQ(y.read(), (std::vector<int>{2, 0}));
}

TEST(Printf, ComesOutBlockAfterBlockOnAnyNumberOfWorkers) {
  for (const std::uint64_t workers : {1, 2, 5}) {
    table().set("workers", workers);
    EXPECT_EQ(printed("blocks", {5}, {64}),
              "0.0 0.20 0.40 0.60 1.0 1.20 1.40 1.60 2.0 2.20 2.40 2.60 3.0 3.20 3.40 3.60 4.0 4.20 4.40 4.60 ");
  }
  table().set("workers", 0);
}

TEST(Printf, WhatWasPrintedBeforeAFaultIsNotLost) {
  EXPECT_EQ(printed("then_trap", {4}, {1}), "block 0\nblock 1\nblock 2\n");
}

}  // namespace
}  // namespace tilejit::testing
