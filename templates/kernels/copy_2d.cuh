/*---
summary = "y = x for any strides: transposes, slices, steps, broadcasts"
use     = ["block/memory.cuh"]
default = { BLOCK_M = 64, BLOCK_N = 64, num_warps = 8 }
grid    = ["cdiv(N, BLOCK_N)", "cdiv(M, BLOCK_M)"]
where   = [
  "BLOCK_M * BLOCK_N * size(x) >= 16 * 32 * num_warps",
  "BLOCK_M * BLOCK_N * size(x) <= 128 * 32 * num_warps",
  "stride(x, 1) == 1 && stride(y, 1) == 1 || BLOCK_M >= 32 && BLOCK_N <= 256",
  "BLOCK_M == 1 && BLOCK_N >= 256 || BLOCK_M >= 32 && BLOCK_M <= 2 * BLOCK_N && BLOCK_N <= 128 || BLOCK_M == 32 && BLOCK_N == 256 && stride(x, 1) != 1",
]
[[arguments]]
name   = "x"
shape  = ["M", "N"]
access = "read"
[[arguments]]
name   = "y"
shape  = ["M", "N"]
access = "write"
dtype  = "x"
[config]
BLOCK_M   = [1, 32, 64, 128]
BLOCK_N   = [32, 64, 128, 256, 512, 1024, 2048, 4096]
num_warps = [4, 8]
[cost]
bytes = "M * N * (size(x) + size(y))"
---*/
template <class X, class Y>
__device__ void copy_2d(X x, Y y) {
  const auto rows = program_id<1>() * BLOCK_M + arange<BLOCK_M>();
  const auto cols = program_id<0>() * BLOCK_N + arange<BLOCK_N>();
  store(y, rows, cols, load(x, rows, cols));  // masked by the tensors' own extents
}
