/*---
summary = "z = x + y for any strides; an axis of stride 0 is broadcast: a bias row, a bias column, one number"
use     = ["block/elementwise.cuh", "block/memory_like.cuh"]
default = { BLOCK_M = 64, BLOCK_N = 64, num_warps = 8 }
grid    = ["cdiv(N, BLOCK_N)", "cdiv(M, BLOCK_M)"]
where   = [
  "BLOCK_M * BLOCK_N * size(z) >= 16 * 32 * num_warps",
  "BLOCK_M * BLOCK_N * size(z) <= 128 * 32 * num_warps",
  "BLOCK_N > 128 || BLOCK_M >= 32 && BLOCK_M <= 2 * BLOCK_N",
  "BLOCK_N <= 128 || BLOCK_M < 32 && stride(z, 1) == 1 && (stride(x, 1) <= 1 || stride(y, 1) <= 1)",
]
[[arguments]]
name   = "x"
shape  = ["M", "N"]
access = "read"
[[arguments]]
name   = "y"
shape  = ["M", "N"]
access = "read"
[[arguments]]
name   = "z"
shape  = ["M", "N"]
access = "write"
[config]
BLOCK_M   = [1, 4, 32, 64, 128]
BLOCK_N   = [32, 64, 128, 1024, 2048, 4096]
num_warps = [4, 8]
[cost]
bytes = "M * N * (size(x) + size(y) + size(z))"
flops = "M * N"
---*/
// The form of any elementwise kernel: each input lies as the output's tiles do, where that costs it nothing.
template <class X, class Y, class Z>
__device__ void add_2d(X x, Y y, Z z) {
  const auto rows = program_id<1>() * BLOCK_M + arange<BLOCK_M>();
  const auto cols = program_id<0>() * BLOCK_N + arange<BLOCK_N>();
  store(z, rows, cols, load_beside(z, x, rows, cols) + load_beside(z, y, rows, cols));
}
