/*---
summary   = "y = x - max - log(sum of exp(x - max)) of each row; rows of any length, read twice"
use       = ["block/memory.cuh", "block/online.cuh"]
default   = { BLOCK_M = 1, BLOCK_N = 4096, num_warps = 8 }
tolerance = { relative = 1e-5, absolute = 1e-6 }
grid      = ["cdiv(M, BLOCK_M)"]
where     = [
  "BLOCK_M * BLOCK_N * size(x) >= 16 * 32 * num_warps",
  "BLOCK_M * BLOCK_N <= 32 * 32 * num_warps",
]
[[arguments]]
name   = "x"
shape  = ["M", "N"]
access = "read"
dtypes = ["f64", "f32", "f16", "bf16"]
[[arguments]]
name   = "y"
shape  = ["M", "N"]
access = "write"
dtype  = "x"
[config]
BLOCK_M   = [1, 32, 128]
BLOCK_N   = [32, 1024, 4096, 8192, 16384]
num_warps = [4, 8, 16]
[cost]
bytes = "2 * M * N * size(x) + M * N * size(y)"
flops = "7 * M * N"
---*/
// The second pass begins where the first one ended: what it reads was read last, and may still be near.
template <class X, class Y>
__device__ void log_softmax_online(X x, Y y) {
  using P = promoted<typename X::type>;
  constexpr auto none = lowest<typename X::type>();
  const auto rows = program_id<0>() * BLOCK_M + arange<BLOCK_M>();
  const auto cols = arange<BLOCK_N>();
  const i64 blocks = cdiv(x.template size<1>(), (i64)BLOCK_N);

  auto row = online_start<1, P>(zeros<P>(x, rows, cols));
#pragma unroll 1
  for (i64 n = 0; n < blocks; ++n) online_add<1>(row, load(x, rows, n * BLOCK_N + cols, none));
  online_finish(row);

  const auto greatest = greatest_of(row);
  const auto log_sum = log(sum_of(row));
#pragma unroll 1
  for (i64 n = blocks - 1; n >= 0; --n) {
    const auto here = n * BLOCK_N + cols;
    store(y, rows, here, load(x, rows, here, none) - greatest - log_sum);
  }
}
