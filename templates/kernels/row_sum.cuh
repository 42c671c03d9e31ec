/*---
summary   = "y[m] = the sum of row m, accumulated in float (double for f64, i32 or i64 for integers)"
use       = ["block/memory_1d.cuh", "block/reduce.cuh"]
default   = { BLOCK_M = 8, BLOCK_N = 512, num_warps = 8 }
tolerance = { relative = 1e-5, absolute = 1e-4, terms = "N" }
grid      = ["cdiv(M, BLOCK_M)"]
where     = [
  "BLOCK_M * BLOCK_N * size(x) >= 16 * 32 * num_warps",
  "BLOCK_M * BLOCK_N <= 32 * 32 * num_warps",
  "BLOCK_M == 1 || num_warps <= 8",
]
[[arguments]]
name   = "x"
shape  = ["M", "N"]
access = "read"
[[arguments]]
name   = "y"
shape  = ["M"]
access = "write"
[config]
BLOCK_M   = [1, 8, 32, 128]
BLOCK_N   = [32, 128, 512, 1024, 4096]
num_warps = [4, 8, 16]
[cost]
bytes = "M * N * size(x) + M * size(y)"
flops = "M * N"
---*/
template <class X, class Y>
__device__ void row_sum(X x, Y y) {
  const auto rows = program_id<0>() * BLOCK_M + arange<BLOCK_M>();
  const auto cols = arange<BLOCK_N>();
  auto total = zeros<accumulator<typename X::type, typename Y::type>>(x, rows, cols);
#pragma unroll 1
  for (i64 n = 0; n < x.template size<1>(); n += BLOCK_N) total += load(x, rows, n + cols);
  store(y, rows, sum<1>(total));
}
