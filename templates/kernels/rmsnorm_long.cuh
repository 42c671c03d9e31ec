/*---
summary   = "y = x / sqrt(mean of x^2 + epsilon) * weight of each row, of x + residual where there is one; rows of any length, read twice"
use       = ["block/math.cuh", "block/memory_like.cuh", "block/reduce.cuh"]
default   = { BLOCK_M = 1, BLOCK_N = 4096, num_warps = 8 }
tolerance = { relative = 1e-5, absolute = 1e-5 }
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
BLOCK_M   = [1, 32, 128]
BLOCK_N   = [32, 1024, 4096, 8192, 16384]
num_warps = [4, 8, 16]
[cost]
bytes = "M * N * (2 * size(x) + size(y) + 2 * size(residual) + size(total))"
flops = "10 * M * N"
---*/
// The second pass begins where the first one ended: what it reads was read last, and may still be near.
template <class X, class Y, class Weight, class Residual, class Total>
__device__ void rmsnorm_long(X x, Y y, Weight weight, Residual residual, Total total, float epsilon) {
  using P = promoted<typename X::type>;
  const auto rows = program_id<0>() * BLOCK_M + arange<BLOCK_M>();
  const auto cols = arange<BLOCK_N>();
  const i64 size = x.template size<1>(), blocks = cdiv(size, (i64)BLOCK_N);
  const auto tile_at = [&](range<BLOCK_N> here) {
    auto t = cast<P>(load(x, rows, here));
    if constexpr (Residual::present) t += load_like(t, residual, rows, here);
    return t;
  };

  auto squares = zeros<P>(x, rows, cols);
#pragma unroll 1
  for (i64 n = 0; n < blocks; ++n) {
    const auto t = tile_at(n * BLOCK_N + cols);
    if constexpr (Total::present) store(total, rows, n * BLOCK_N + cols, t);
    squares = fma(t, t, squares);
  }
  const auto scale = rsqrt(sum<1>(squares) / size + epsilon);
#pragma unroll 1
  for (i64 n = blocks - 1; n >= 0; --n) {
    const auto here = n * BLOCK_N + cols;
    const auto t = tile_at(here);
    auto z = t * scale;
    if constexpr (Weight::present) z *= load_along<1>(t, weight, here);
    store(y, rows, here, z);
  }
}
