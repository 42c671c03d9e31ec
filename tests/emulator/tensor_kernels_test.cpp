#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

#include "device.h"
#include "numbers.h"

/// Whole kernels of the sort that tensor cores are for, compiled by NVRTC.
namespace tilejit::testing {
namespace {

/// C = A * B, all by rows, bf16 into float: blocks of 64 x 64 over 32 of K, three stages, swizzled 16-byte chunks.
constexpr const char* source = R"(
typedef unsigned short u16;
typedef unsigned int u32;

__device__ __forceinline__ u32 shared(const void* p) { return (u32)__cvta_generic_to_shared(p); }
__device__ __forceinline__ void copy(void* to, const void* from, int bytes) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared(to)), "l"(from), "r"(bytes) : "memory");
}
__device__ __forceinline__ void load_a(u32 (&r)[4], const void* p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(shared(p)) : "memory");
}
__device__ __forceinline__ void load_b(u32 (&r)[4], const void* p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(shared(p)) : "memory");
}
__device__ __forceinline__ void multiply(float (&c)[4], const u32 (&a)[4], u32 b0, u32 b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
               "{%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

constexpr int stages = 3;
extern "C" __global__ void __launch_bounds__(128) matmul(float* c, const u16* a, const u16* b, int m, int n, int k) {
  __shared__ __align__(128) u16 as[stages][64 * 32], bs[stages][32 * 64];
  const int t = threadIdx.x, lane = t % 32, row0 = blockIdx.y * 64, column0 = blockIdx.x * 64;
  const int warp_row = t / 64 * 32, warp_column = t / 32 % 2 * 32;
  auto fetch = [&](int stage, int k0) {
    for (int i = 0; i < 2; ++i) {
      const int id = t + 128 * i;
      const int ra = id / 4, ca = id % 4, rb = id / 8, cb = id % 8;
      const bool in_a = row0 + ra < m && k0 + 8 * ca < k, in_b = k0 + rb < k && column0 + 8 * cb < n;
      copy(&as[stage][(ra * 4 + (ca ^ (ra / 2 % 4))) * 8], in_a ? a + (row0 + ra) * k + k0 + 8 * ca : a, in_a ? 16 : 0);
      copy(&bs[stage][(rb * 8 + (cb ^ (rb % 8))) * 8], in_b ? b + (k0 + rb) * n + column0 + 8 * cb : b, in_b ? 16 : 0);
    }
  };
  float sum[2][4][4] = {};
  const int steps = (k + 31) / 32;
  for (int s = 0; s < stages - 1; ++s) {
    if (s < steps) fetch(s, 32 * s);
    asm volatile("cp.async.commit_group;" ::: "memory");
  }
  for (int step = 0; step < steps; ++step) {
    asm volatile("cp.async.wait_group %0;" ::"n"(stages - 2) : "memory");
    __syncthreads();
    const int next = step + stages - 1;
    if (next < steps) fetch(next % stages, 32 * next);
    asm volatile("cp.async.commit_group;" ::: "memory");
    const int stage = step % stages;
    for (int half = 0; half < 2; ++half) {
      u32 fa[2][4], fb[2][4];
      for (int i = 0; i < 2; ++i) {
        const int row = warp_row + 16 * i + lane % 16, chunk = 2 * half + lane / 16;
        load_a(fa[i], &as[stage][(row * 4 + (chunk ^ (row / 2 % 4))) * 8]);
      }
      for (int j = 0; j < 2; ++j) {
        const int row = 16 * half + lane % 16, chunk = warp_column / 8 + 2 * j + lane / 16;
        load_b(fb[j], &bs[stage][(row * 8 + (chunk ^ (row % 8))) * 8]);
      }
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 4; ++j) multiply(sum[i][j], fa[i], fb[j / 2][j % 2 * 2], fb[j / 2][j % 2 * 2 + 1]);
      }
    }
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int e = 0; e < 4; ++e) {
        const int row = row0 + warp_row + 16 * i + lane / 4 + e / 2 * 8;
        const int column = column0 + warp_column + 8 * j + lane % 4 * 2 + e % 2;
        if (row < m && column < n) c[row * n + column] = sum[i][j][e];
      }
    }
  }
}
)";

constexpr int m = 80, n = 72, k = 168;

struct Matrices {
  std::vector<std::uint16_t> a, b;
  std::vector<double> product, size;
};

double value(std::uint16_t bits) { return as_double(bf16, bits); }

Matrices matrices(bool whole_numbers) {
  std::mt19937 random(3);
  Matrices all{std::vector<std::uint16_t>(m * k), std::vector<std::uint16_t>(k * n), std::vector<double>(m * n),
               std::vector<double>(m * n)};
  const auto fill = [&](std::vector<std::uint16_t>& to) {
    for (std::uint16_t& bits : to) {
      const float v = whole_numbers ? static_cast<float>(static_cast<int>(random() % 201) - 100)
                                    : std::ldexp(static_cast<float>(random() % 65536) - 32768.0F, -15);
      bits = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(v) >> 16);
    }
  };
  fill(all.a), fill(all.b);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int l = 0; l < k; ++l) {
        const double p =
            value(all.a[static_cast<std::size_t>(i * k + l)]) * value(all.b[static_cast<std::size_t>(l * n + j)]);
        all.product[static_cast<std::size_t>(i * n + j)] += p;
        all.size[static_cast<std::size_t>(i * n + j)] += std::fabs(p);
      }
    }
  }
  return all;
}

std::vector<float> product(const Module& module, const Matrices& in, CUresult want = CUDA_SUCCESS) {
  const Buffer<std::uint16_t> a(in.a), b(in.b);
  const Buffer<float> c(std::vector<float>(m * n, -1.0F));
  EXPECT_EQ(module.run("matmul", {(n + 63) / 64, (m + 63) / 64}, {128}, c.pointer(), a.pointer(), b.pointer(), m, n, k),
            want);
  return want == CUDA_SUCCESS ? c.read() : std::vector<float>();
}

class TensorKernels : public ::testing::Test {
 protected:
  static const std::string& ptx() {
    static const auto* text = new std::string(compile(source, "compute_80"));
    return *text;
  }
  void TearDown() override {
    table().set("shuffle", 0);
    table().set("plain_mma", 0);
  }
};

void expect_product(const std::vector<float>& got, const Matrices& in, double bound) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_NEAR(got[i], in.product[i], bound * in.size[i]) << "row " << i / n << " column " << i % n;
  }
}

TEST_F(TensorKernels, PipelinedMatmulOfWholeNumbersIsExact) {
  const Matrices in = matrices(true);
  expect_product(product(Module(ptx()), in), in, 0);
  expect_product(product(Module(compile(source, "compute_90")), in), in, 0);
}

TEST_F(TensorKernels, PipelinedMatmulIsRightToTheLastBitsInEitherMode) {
  const Matrices in = matrices(false);
  const Module module(ptx());
  expect_product(product(module, in), in, 0x1p-19);
  table().set("plain_mma", 1);
  expect_product(product(module, in), in, 0x1p-20);
}

TEST_F(TensorKernels, PipelinedMatmulHasNoRacesInAnyOrder) {
  const Matrices in = matrices(true);
  const Module module(ptx());
  for (const std::uint64_t seed : {0u, 5u}) {
    table().set("shuffle", seed);
    expect_product(product(module, in), in, 0);
  }
}

TEST_F(TensorKernels, AWaitThatIsMissingIsFound) {
  std::string text = ptx();
  const std::size_t at = text.find("cp.async.wait_group 1;");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 22, "cp.async.wait_group 2;");
  const Matrices in = matrices(true);
  ::testing::internal::CaptureStderr();
  product(Module(text), in, CUDA_ERROR_LAUNCH_FAILED);
  const std::string report = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(report.find("before the copy there was waited for"), std::string::npos) << report;
  EXPECT_NE(report.find("ldmatrix"), std::string::npos) << report;
  EXPECT_NE(report.find("test.cu:"), std::string::npos) << report;
}

TEST_F(TensorKernels, CountsFlopsSectorsAndWavefronts) {
  const Matrices in = matrices(true);
  const Module module(ptx());
  table().reset();
  product(module, in);
  struct Sums {
    std::uint64_t flops = 0, copies = 0;
  } sums;
  table().visit(
      [](void* user, const EmulatedKernel* kernel) {
        auto& to = *static_cast<Sums*>(user);
        for (std::size_t i = 0; i < kernel->instruction_count; ++i) {
          const EmulatedInstruction& in = kernel->instructions[i];
          if (std::string(in.opcode) == "mma") to.flops += in.threads * static_cast<std::uint64_t>(in.flops);
          if (std::string(in.space) == "global" && std::string(in.kind) == "copy") to.copies += in.lanes * 16;
        }
      },
      &sums);
  EXPECT_EQ(sums.flops, 2u * 128 * 128 * 192);             // whole tiles
  EXPECT_EQ(sums.copies, 2u * (2u * m * k + 2u * n * k));  // each matrix twice: two blocks a way
  const Traffic loads = traffic("matmul", "shared", "load"), copies = traffic("matmul", "shared", "copy");
  EXPECT_EQ(loads.wavefronts, loads.ideal_wavefronts);  // swizzled
  EXPECT_EQ(loads.wavefronts, 4u * loads.requests);
  EXPECT_EQ(copies.wavefronts, copies.ideal_wavefronts);
}

}  // namespace
}  // namespace tilejit::testing
