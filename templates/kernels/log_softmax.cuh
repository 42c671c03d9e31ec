/*---
summary   = "y = x - max - log(sum of exp(x - max)) of each row; rows of at most 128 KB of float or double"
use       = ["block/math.cuh", "block/memory.cuh", "block/reduce_extremes.cuh"]
default   = { BLOCK_M = 1, BLOCK_N = 8192, num_warps = 8 }
tolerance = { relative = 1e-5, absolute = 1e-6 }
grid      = ["cdiv(M, BLOCK_M)"]
where     = [
  "BLOCK_N >= N",
  "BLOCK_N < 2 * N + 32",
  "BLOCK_M * BLOCK_N >= 4 * 32 * num_warps",
  "BLOCK_M * BLOCK_N * max(size(x), 4) <= min(256 * 32 * num_warps, 131072)",
  "num_warps < 32 || BLOCK_M * BLOCK_N * max(size(x), 4) <= 65536",
]
requires  = ["N * max(size(x), 4) <= 131072"]
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
BLOCK_M   = [1, 4, 16, 64]
BLOCK_N   = [32, 64, 128, 256, 512, 768, 896, 1024, 2048, 3072, 4096, 6144, 8192, 10240, 12288, 16384, 24576, 32768]
num_warps = [8, 4, 16, 32]
[cost]
bytes = "M * N * (size(x) + size(y))"
flops = "5 * M * N"
---*/
// Whole rows stay in registers: each element is read once and written once. A row of nothing but -inf gives NaN.
template <class X, class Y>
__device__ void log_softmax(X x, Y y) {
  const auto rows = program_id<0>() * BLOCK_M + arange<BLOCK_M>();
  const auto cols = arange<BLOCK_N>();
  const auto t = load(x, rows, cols, lowest<typename X::type>());
  const auto d = t - max<1>(t);
  store(y, rows, cols, d - log(sum<1>(exp_as<typename X::type>(d))));
}
