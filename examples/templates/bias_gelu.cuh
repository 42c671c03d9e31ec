/*---
summary = "y = gelu(x + bias), bias a row"
use     = ["block/math.cuh", "block/memory_like.cuh"]
default = { BLOCK_M = 4, BLOCK_N = 512, num_warps = 4 }
grid    = ["cdiv(N, BLOCK_N)", "cdiv(M, BLOCK_M)"]
where   = ["BLOCK_M * BLOCK_N <= 32 * 32 * num_warps"]
[[arguments]]
name   = "x"
shape  = ["M", "N"]
access = "read"
[[arguments]]
name   = "bias"
shape  = ["N"]
access = "read"
[[arguments]]
name   = "y"
shape  = ["M", "N"]
access = "write"
dtype  = "x"
[config]
BLOCK_M   = [1, 4, 16]
BLOCK_N   = [128, 512, 2048]
num_warps = [4, 8]
[cost]
bytes = "2 * M * N * size(x)"
---*/
template <class X, class Bias, class Y>
__device__ void bias_gelu(X x, Bias bias, Y y) {
  const auto rows = program_id<1>() * BLOCK_M + arange<BLOCK_M>();
  const auto cols = program_id<0>() * BLOCK_N + arange<BLOCK_N>();
  const auto t = load(x, rows, cols);
  store(y, rows, cols, gelu(t + load_along<1>(t, bias, cols)));
}
