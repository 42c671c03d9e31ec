/*---
summary   = "y[m, s] = the least element of the s-th of S segments of row m; NaN where there is one"
use       = ["block/memory_1d.cuh", "block/reduce_extremes.cuh", "block/rounding.cuh", "block/segment.cuh"]
default   = { BLOCK_M = 32, BLOCK_N = 128, num_warps = 8 }
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
__device__ void split_min(X x, Y y) {
  const auto rows = program_id<0>() * BLOCK_M + arange<BLOCK_M>();
  const auto cols = arange<BLOCK_N>();
  const i64 s = program_id<1>();
  const auto part = segment(x, s, y.template size<1>());
  auto least = zeros<promoted<typename X::type>>(x, rows, cols) + promote(highest<typename X::type>());
#pragma unroll 1
  for (i64 n = part.begin; n < part.view.template size<1>(); n += BLOCK_N)
    least = minimum(least, load(part.view, rows, n + cols, highest<typename X::type>()));
  store(y, rows, s, min<1>(least));
}
