/*---
summary   = "y[n] = the sum of column n, accumulated in float (double for f64, i32 or i64 for integers)"
use       = ["block/memory_1d.cuh", "block/reduce.cuh"]
default   = { BLOCK_M = 32, BLOCK_N = 128, num_warps = 8 }
tolerance = { relative = 1e-5, absolute = 1e-4, terms = "M" }
grid      = ["cdiv(N, BLOCK_N)"]
where     = [
  "BLOCK_M * BLOCK_N * size(x) >= 16 * 32 * num_warps",
  "BLOCK_M * BLOCK_N <= 32 * 32 * num_warps",
]
[[arguments]]
name   = "x"
shape  = ["M", "N"]
access = "read"
[[arguments]]
name   = "y"
shape  = ["N"]
access = "write"
[config]
BLOCK_M   = [4, 32, 128, 512]
BLOCK_N   = [8, 32, 128, 512]
num_warps = [4, 8]
[cost]
bytes = "M * N * size(x) + N * size(y)"
flops = "M * N"
---*/
template <class X, class Y>
__device__ void column_sum(X x, Y y) {
  const auto rows = arange<BLOCK_M>();
  const auto cols = program_id<0>() * BLOCK_N + arange<BLOCK_N>();
  auto total = zeros<accumulator<typename X::type, typename Y::type>>(x, rows, cols);
#pragma unroll 1
  for (i64 m = 0; m < x.template size<0>(); m += BLOCK_M) total += load(x, m + rows, cols);
  store(y, cols, sum<0>(total));
}
