/*---
summary   = "y = (x - mean) / sqrt(variance + epsilon) * weight + bias of each row, of x + residual where there is one; rows of at most 128 KB of float or double"
use       = ["block/indices.cuh", "block/logic.cuh", "block/math.cuh", "block/memory_like.cuh", "block/moments.cuh", "block/reduce.cuh"]
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
name     = "bias"
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
template <class X, class Y, class Weight, class Bias, class Residual, class Total>
__device__ void layernorm(X x, Y y, Weight weight, Bias bias, Residual residual, Total total, float epsilon) {
  const auto rows = program_id<0>() * BLOCK_M + arange<BLOCK_M>();
  const auto cols = arange<BLOCK_N>();
  auto t = cast<promoted<typename X::type>>(load(x, rows, cols));
  if constexpr (Residual::present) t += load_like(t, residual, rows, cols);
  if constexpr (Total::present) store(total, rows, cols, t);

  const auto n = x.template size<1>();
  auto d = t - sum<1>(t) / n;
  if (n < BLOCK_N) d = where(below<1>(t, (i32)n), d, 0);  // rows that fill the block pay nothing for it
  auto z = [&] {
    if constexpr (mean_is_exact<typename X::type> && !Residual::present) return d * rsqrt(sum<1>(d * d) / n + epsilon);
    const auto off = drift_of<1>(d);  // the mean was rounded
    const auto by = sum_of(off) / n;
    return (d - by) * rsqrt(squares_of(off) / n - by * by + epsilon);
  }();
  if constexpr (Weight::present) z *= load_along<1>(t, weight, cols);
  if constexpr (Bias::present) z += load_along<1>(t, bias, cols);
  store(y, rows, cols, z);
}
