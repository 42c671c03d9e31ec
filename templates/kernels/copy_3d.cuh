/*---
summary = "y = x for any strides, three axes: batched transposes, permutes, slices; the last two axes are tiled"
use     = ["block/memory.cuh", "block/view.cuh"]
default = { BLOCK_M = 64, BLOCK_N = 64, num_warps = 8 }
grid    = ["cdiv(N, BLOCK_N)", "cdiv(M, BLOCK_M)", "B"]
where   = [
  "BLOCK_M * BLOCK_N * size(x) >= 16 * 32 * num_warps",
  "BLOCK_M * BLOCK_N * size(x) <= 128 * 32 * num_warps",
  "BLOCK_N > 128 || BLOCK_M >= 32 && BLOCK_M <= 2 * BLOCK_N",
  "BLOCK_N <= 128 || BLOCK_M < 32 && stride(x, 2) == 1 && stride(y, 2) == 1",
]
[[arguments]]
name   = "x"
shape  = ["B", "M", "N"]
access = "read"
[[arguments]]
name   = "y"
shape  = ["B", "M", "N"]
access = "write"
dtype  = "x"
[config]
BLOCK_M   = [1, 4, 32, 64, 128]
BLOCK_N   = [32, 64, 128, 1024, 2048, 4096]
num_warps = [4, 8]
[cost]
bytes = "B * M * N * (size(x) + size(y))"
---*/
template <class X, class Y>
__device__ void copy_3d(X x, Y y) {
  const i64 b = program_id<2>();
  const auto rows = program_id<1>() * BLOCK_M + arange<BLOCK_M>();
  const auto cols = program_id<0>() * BLOCK_N + arange<BLOCK_N>();
  store(view_at(y, b), rows, cols, load(view_at(x, b), rows, cols));
}
