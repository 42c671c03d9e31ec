/*---
summary   = "y = x / sqrt(mean of x^2 + epsilon) * weight of each row, of x + residual where there is one; rows of at most 128 KB of float or double"
use       = ["block/indices.cuh", "block/logic.cuh", "block/math.cuh", "block/memory_like.cuh", "block/reduce.cuh"]
default   = { BLOCK_M = 1, BLOCK_N = 8192, num_warps = 8 }
tolerance = { relative = 1e-5, absolute = 1e-5 }
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
[[arguments]]
name     = "weight"
shape    = ["N"]
access   = "read"
optional = true
[[arguments]]
name     = "residual"
shape    = ["M", "N"]
access   = "read"
optional = true
[[arguments]]
name     = "total"
shape    = ["M", "N"]
access   = "write"
dtype    = "x"
optional = true
[[arguments]]
name    = "epsilon"
dtype   = "f32"
default = 1e-5
[config]
BLOCK_M   = [1, 4, 16, 64]
BLOCK_N   = [32, 64, 128, 256, 512, 768, 896, 1024, 2048, 3072, 4096, 6144, 8192, 10240, 12288, 16384, 24576, 32768]
num_warps = [8, 4, 16, 32]
[cost]
bytes = "M * N * (size(x) + size(y) + size(residual) + size(total))"
flops = "8 * M * N"
---*/
// Whole rows stay in registers. The residual is added first, and what is normalised is the sum before it is rounded for
// `total`.
template <class X, class Y, class Weight, class Residual, class Total>
__device__ void rmsnorm(X x, Y y, Weight weight, Residual residual, Total total, float epsilon) {
  const auto rows = program_id<0>() * BLOCK_M + arange<BLOCK_M>();
  const auto cols = arange<BLOCK_N>();
  auto t = cast<promoted<typename X::type>>(load(x, rows, cols));
  if constexpr (Residual::present) t += load_like(t, residual, rows, cols);
  if constexpr (Total::present) store(total, rows, cols, t);

  auto z = t * rsqrt(sum<1>(t * t) / x.template size<1>() + epsilon);
  if constexpr (Weight::present) z *= load_along<1>(t, weight, cols);
  store(y, rows, cols, z);
}
