// copy_2d[f32 (?, 1) align 16 unit 1; f32 (?, 1) align 16 unit 1] BLOCK_M=64 BLOCK_N=64 num_warps=8 num_stages=1
inline constexpr int BLOCK_M = 64;
inline constexpr int BLOCK_N = 64;
inline constexpr int num_warps = 8;
inline constexpr int num_stages = 1;
inline constexpr bool grid_folded = false;
inline constexpr bool debug_checks = false;
#include "block/index.cuh"
#include "block.cuh"
struct view_x {
  using type = float;
  static constexpr bool present = true;
  static constexpr bool writable = false;
  static constexpr int rank = 2;
  static constexpr int unit_axis = 1;
  static constexpr int align = 16;
  const type* __restrict__ data;
  i64 size_0, size_1, stride_0;
  template <int AXIS>
  __device__ __forceinline__ constexpr i64 size() const {
    static_assert(0 <= AXIS && AXIS < rank, "x has 2 axes");
    if constexpr (AXIS == 0) return size_0;
    else return size_1;
  }
  template <int AXIS>
  __device__ __forceinline__ constexpr i64 stride() const {
    static_assert(0 <= AXIS && AXIS < rank, "x has 2 axes");
    if constexpr (AXIS == 0) return stride_0;
    else return 1;
  }
};
struct view_y {
  using type = float;
  static constexpr bool present = true;
  static constexpr bool writable = true;
  static constexpr int rank = 2;
  static constexpr int unit_axis = 1;
  static constexpr int align = 16;
  type* __restrict__ data;
  i64 size_0, size_1, stride_0;
  template <int AXIS>
  __device__ __forceinline__ constexpr i64 size() const {
    static_assert(0 <= AXIS && AXIS < rank, "y has 2 axes");
    if constexpr (AXIS == 0) return size_0;
    else return size_1;
  }
  template <int AXIS>
  __device__ __forceinline__ constexpr i64 stride() const {
    static_assert(0 <= AXIS && AXIS < rank, "y has 2 axes");
    if constexpr (AXIS == 0) return stride_0;
    else return 1;
  }
};
#line 1 "copy_2d.cuh"
/*---
summary = "y = x for any strides: transposes, slices, steps, broadcasts"
default = { BLOCK_M = 64, BLOCK_N = 64, num_warps = 8 }
grid    = ["cdiv(M, BLOCK_M)", "cdiv(N, BLOCK_N)"]
where   = ["BLOCK_M * BLOCK_N >= 32 * num_warps", "BLOCK_M * BLOCK_N <= 1024 * num_warps"]
[[arguments]]
name = "x"
shape = ["M", "N"]
access = "read"
[[arguments]]
name = "y"
shape = ["M", "N"]
access = "write"
dtype = "x"
[config]
BLOCK_M   = [1, 4, 8, 16, 32, 64, 128]
BLOCK_N   = [8, 16, 32, 64, 128, 256, 512, 1024]
num_warps = [1, 2, 4, 8]
[cost]
bytes = "M * N * (size(x) + size(y))"
---*/
template <class X, class Y>
__device__ void copy_2d(X x, Y y) {
  auto rows = program_id<0>() * BLOCK_M + arange<BLOCK_M>();
  auto cols = program_id<1>() * BLOCK_N + arange<BLOCK_N>();
  store(y, rows, cols, load(x, rows, cols));
}
#line 83 "/tilejit/generated/copy_2d.cu"
extern "C" __global__ void __launch_bounds__(256) copy_2d_kernel(
    const float* __restrict__ data_x,
    float* __restrict__ data_y,
    i64 size_M,
    i64 size_N,
    i64 stride_x_0,
    i64 stride_y_0) {
  follow_launch();
  copy_2d(view_x{data_x, size_M, size_N, stride_x_0}, view_y{data_y, size_M, size_N, stride_y_0});
}
