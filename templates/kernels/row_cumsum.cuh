/*---
summary   = "y[m, n] = x[m, 0] + ... + x[m, n], accumulated in float (double for f64, i32 or i64 for integers)"
use       = ["block/memory.cuh", "block/reduce.cuh", "block/scan.cuh"]
default   = { BLOCK_M = 1, BLOCK_N = 1024, num_warps = 4 }
tolerance = { relative = 1e-5, absolute = 1e-4 }
grid      = ["cdiv(M, BLOCK_M)"]
where     = [
  "BLOCK_M * BLOCK_N >= 8 * 32 * num_warps",
  "BLOCK_M * BLOCK_N <= 32 * 32 * num_warps",
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
BLOCK_M   = [1, 8, 32]
BLOCK_N   = [32, 128, 1024, 4096]
num_warps = [2, 4, 8]
[cost]
bytes = "M * N * (size(x) + size(y))"
flops = "M * N"
---*/
template <class X, class Y>
__device__ void row_cumsum(X x, Y y) {
  using A = accumulator<typename X::type, typename Y::type>;
  const auto rows = program_id<0>() * BLOCK_M + arange<BLOCK_M>();
  auto before = sum<1>(zeros<A>(x, rows, arange<BLOCK_N>()));
#pragma unroll 1
  for (i64 n = 0; n < x.template size<1>(); n += BLOCK_N) {
    const auto cols = n + arange<BLOCK_N>();
    const auto t = cast<A>(load(x, rows, cols));
    store(y, rows, cols, cumsum<1>(t) + before);
    before += sum<1>(t);
  }
}
