/*---
summary   = "y[m, s] = the sum of the s-th of S segments of row m, divided by count (0: by the row's length)"
use       = ["block/memory_1d.cuh", "block/reduce.cuh", "block/segment.cuh"]
default   = { BLOCK_M = 32, BLOCK_N = 128, num_warps = 8 }
tolerance = { relative = 1e-5, absolute = 1e-4 }
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
[[arguments]]
name    = "count"
dtype   = "f64"
default = 0
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
__device__ void split_mean(X x, Y y, double count) {
  const auto rows = program_id<0>() * BLOCK_M + arange<BLOCK_M>();
  const auto cols = arange<BLOCK_N>();
  const i64 s = program_id<1>();
  const auto part = segment(x, s, y.template size<1>());
  // Integers are summed in 64 bits, whatever y is.
  using A = decltype(accumulator<typename X::type, typename Y::type>{} + accumulator<typename X::type, i64>{});
  auto total = zeros<A>(x, rows, cols);
#pragma unroll 1
  for (i64 n = part.begin; n < part.view.template size<1>(); n += BLOCK_N) total += load(part.view, rows, n + cols);
  store(y, rows, s, cast<real_accumulator<A>>(sum<1>(total)) / (count == 0 ? (double)x.template size<1>() : count));
}
