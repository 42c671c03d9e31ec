/*---
summary = "y = x in y's dtype, for any strides; floats round to nearest, fp8 saturates, integers keep their low bits"
use     = ["block/memory_like.cuh", "block/cast.cuh"]
default = { BLOCK_M = 64, BLOCK_N = 64, num_warps = 8 }
grid    = ["cdiv(N, BLOCK_N)", "cdiv(M, BLOCK_M)"]
where   = [
  "BLOCK_M * BLOCK_N * size(x) >= 16 * 32 * num_warps",
  "BLOCK_M * BLOCK_N * max(size(x), size(y)) <= 128 * 32 * num_warps",
  "BLOCK_N > 128 || BLOCK_M >= 32 && BLOCK_M <= 2 * BLOCK_N",
  "BLOCK_N <= 128 || BLOCK_M < 32 && stride(x, 1) == 1 && stride(y, 1) == 1",
]
[[arguments]]
name   = "x"
shape  = ["M", "N"]
access = "read"
[[arguments]]
name   = "y"
shape  = ["M", "N"]
access = "write"
[config]
BLOCK_M   = [1, 4, 32, 64, 128]
BLOCK_N   = [32, 64, 128, 1024, 2048, 4096]
num_warps = [4, 8]
[cost]
bytes = "M * N * (size(x) + size(y))"
---*/
template <class X, class Y>
__device__ void cast_2d(X x, Y y) {
  const auto rows = program_id<1>() * BLOCK_M + arange<BLOCK_M>();
  const auto cols = program_id<0>() * BLOCK_N + arange<BLOCK_N>();
  store(y, rows, cols, load_beside(y, x, rows, cols));
}
