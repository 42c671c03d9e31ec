// every_key[bf16 (?, ?) align 16 unit 1 mapped; bf16 (?, ?) align 16 unit 1 mapped; absent; f32 (1, ?) align 16 unit 0; scalar f32; scalar i32] BLOCK_N=128 BLOCK_M=128 CLUSTER=1 BLOCK_K=64 SPLIT=1 num_warps=4 num_stages=4
inline constexpr int BLOCK_N = 128;
inline constexpr int BLOCK_M = 128;
inline constexpr int CLUSTER = 1;
inline constexpr int BLOCK_K = 64;
inline constexpr int SPLIT = 1;
inline constexpr int num_warps = 4;
inline constexpr int num_stages = 4;
inline constexpr bool grid_folded = false;
inline constexpr bool debug_checks = false;
#include "block/index.cuh"
#include "block/mma.cuh"
#include "block/ptx.cuh"
struct alignas(64) tensor_map { unsigned char bytes[128]; };
struct view_a {
  using type = bf16;
  static constexpr bool present = true;
  static constexpr bool writable = false;
  static constexpr int rank = 2;
  static constexpr int unit_axis = 1;
  static constexpr int align = 16;
  static constexpr bool mapped = true;
  static constexpr int swizzle = 128;
  template <int AXIS>
  __device__ static constexpr int box() {
    static_assert(0 <= AXIS && AXIS < rank, "a has 2 axes");
    if constexpr (AXIS == 0) return 128;
    else return 64;
  }
  const tensor_map* map;
  i64 size_0, size_1;
  template <int AXIS>
  __device__ __forceinline__ constexpr i64 size() const {
    static_assert(0 <= AXIS && AXIS < rank, "a has 2 axes");
    if constexpr (AXIS == 0) return size_0;
    else return size_1;
  }
};
struct view_b {
  using type = bf16;
  static constexpr bool present = true;
  static constexpr bool writable = false;
  static constexpr int rank = 2;
  static constexpr int unit_axis = 1;
  static constexpr int align = 16;
  static constexpr bool mapped = true;
  static constexpr int swizzle = 0;
  template <int AXIS>
  __device__ static constexpr int box() {
    static_assert(0 <= AXIS && AXIS < rank, "b has 2 axes");
    if constexpr (AXIS == 0) return 64;
    else return 64;
  }
  const tensor_map* map;
  i64 size_0, size_1;
  template <int AXIS>
  __device__ __forceinline__ constexpr i64 size() const {
    static_assert(0 <= AXIS && AXIS < rank, "b has 2 axes");
    if constexpr (AXIS == 0) return size_0;
    else return size_1;
  }
};
struct view_bias {
  static constexpr bool present = false;
};
struct view_d {
  using type = float;
  static constexpr bool present = true;
  static constexpr bool writable = true;
  static constexpr int rank = 2;
  static constexpr int unit_axis = 0;
  static constexpr int align = 16;
  type* __restrict__ data;
  i64 size_0, size_1, stride_1;
  template <int AXIS>
  __device__ __forceinline__ constexpr i64 size() const {
    static_assert(0 <= AXIS && AXIS < rank, "d has 2 axes");
    if constexpr (AXIS == 0) return size_0;
    else return size_1;
  }
  template <int AXIS>
  __device__ __forceinline__ constexpr i64 stride() const {
    static_assert(0 <= AXIS && AXIS < rank, "d has 2 axes");
    if constexpr (AXIS == 0) return 1;
    else return stride_1;
  }
};
#line 1 "every_key.cuh"
/*---
version = 1
summary = "d = alpha * a @ b + bias"
needs = ["tma", "wgmma", "cluster"]
requires = ["stride(a, 1) == 1", "align(a) >= 16", "K % 8 == 0"]
grid = ["cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)", 1, "SPLIT"]
where = ["BLOCK_M % 64 == 0", "num_stages * (BLOCK_M + BLOCK_N) * BLOCK_K * size(a) <= shared_limit", "M >= 1"]
cluster = ["CLUSTER", 1]
min_blocks = "2 / CLUSTER"
shared = "num_stages * (BLOCK_M + BLOCK_N) * BLOCK_K * size(a) + 1024"
tolerance = { relative = 1e-2, absolute = 0.001, terms = "K" }
options = ["--maxrregcount=168"]
use = ["block/mma.cuh", "block/ptx.cuh"]
default = { num_stages = 4, num_warps = 4, BLOCK_M = 128, CLUSTER = 1, BLOCK_K = 64, SPLIT = 1 }
cost.flops = "2 * M * N * K"
cost.bytes = "(M * K + K * N) * size(a) + M * N * size(d)"
[[arguments]]
name = "a"
shape = ["M", "K"]
access = "read"
dtypes = ["f16", "bf16"]
via = "tma"
box = ["BLOCK_M", "BLOCK_K"]
swizzle = 128
[[arguments]]
name = "b"
shape = ["K", "N"]
access = "read"
dtype = "a"
via = "tma"
box = ["BLOCK_K", "128 / size(b)"]
[[arguments]]
name = "bias"
shape = ["N"]
access = "read"
optional = true
[[arguments]]
name = "d"
shape = ["M", "N"]
access = "update"
dtype = "f32"
[[arguments]]
name = "alpha"
dtype = "f32"
default = 0.1
[[arguments]]
name = "count"
dtype = "i32"
[config]
num_stages = [3, 4]
BLOCK_N = [128]
BLOCK_M = [64, 128]
num_warps = [8, 4]
---*/
template <class A, class B, class C, class D>
__device__ void every_key(A a, B b, C bias, D d, float alpha, int count) {}
#line 146 "/tilejit/generated/every_key.cu"
extern "C" __global__ void __launch_bounds__(128, 2) every_key_kernel(
    const __grid_constant__ tensor_map map_a,
    const __grid_constant__ tensor_map map_b,
    float* __restrict__ data_d,
    i64 size_M,
    i64 size_K,
    i64 size_N,
    i64 stride_d_1,
    float scalar_alpha,
    i32 scalar_count) {
  follow_launch();
  every_key(view_a{&map_a, size_M, size_K}, view_b{&map_b, size_K, size_N}, view_bias{}, view_d{data_d, size_M, size_N, stride_d_1}, scalar_alpha, scalar_count);
}
