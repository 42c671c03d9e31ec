/*---
summary   = "y[m, s] = the sum of the s-th of S segments of row m, accumulated in float (double for f64, i32 or i64 for integers)"
use       = ["block/memory_1d.cuh", "block/reduce.cuh", "block/segment.cuh"]
default   = { BLOCK_M = 32, BLOCK_N = 128, num_warps = 8 }
tolerance = { relative = 1e-5, absolute = 1e-4, terms = "cdiv(N, S)" }
grid      = ["cdiv(M, BLOCK_M)", "S"]
where     = [
  "BLOCK_M * BLOCK_N * size(x) >= 16 * 32 * num_warps",
  "BLOCK_M * BLOCK_N <= 32 * 32 * num_warps",
  "stride(x, 0) == 1 && stride(x, 1) != 1 || BLOCK_N >= 32 && BLOCK_M <= 128",
  "stride(x, 0) != 1 || stride(x, 1) == 1 || BLOCK_M >= 32 && BLOCK_N <= 512",
]
[[arguments]]
name   = "x"
shape  = ["M", "N"]
access = "read"
[[arguments]]
name   = "y"
shape  = ["M", "S"]
access = "write"
[config]
BLOCK_M   = [1, 8, 32, 128, 512]
BLOCK_N   = [8, 32, 128, 512, 1024, 4096, 8192]
num_warps = [4, 8]
[cost]
bytes = "M * N * size(x) + M * S * size(y)"
flops = "M * N"
---*/
// A program reads a segment of BLOCK_M rows, block by block.
template <class X, class Y>
__device__ void split_sum(X x, Y y) {
  const auto rows = program_id<0>() * BLOCK_M + arange<BLOCK_M>();
  const auto cols = arange<BLOCK_N>();
  const i64 s = program_id<1>();
  const auto part = segment(x, s, y.template size<1>());
  auto total = zeros<accumulator<typename X::type, typename Y::type>>(x, rows, cols);
#pragma unroll 1
  for (i64 n = part.begin; n < part.view.template size<1>(); n += BLOCK_N) total += load(part.view, rows, n + cols);
  store(y, rows, s, sum<1>(total));
}
