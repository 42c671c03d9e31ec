/*---
summary   = "c = activation(alpha * a b + beta * previous + bias) + residual by mma.sync; f32 is rounded to tf32"
use       = ["block/bands.cuh", "block/epilogue.cuh", "block/mma.cuh", "block/scratch.cuh"]
default   = { BLOCK_M = 128, BLOCK_N = 128, BLOCK_K = 32, num_warps = 8, num_stages = 3, ACTIVATION = 0 }
tolerance = { relative = 1e-3, absolute = 1e-2 }
grid      = ["cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N)"]
needs     = ["mma"]
where     = [
  "BLOCK_M * BLOCK_N == 2048 * num_warps || BLOCK_M * BLOCK_N == 4096 * num_warps || BLOCK_M * BLOCK_N == 1024 * num_warps && BLOCK_N == 64",
  "BLOCK_N <= 2 * BLOCK_M && BLOCK_K * size(a) >= 64 && BLOCK_K * size(a) * num_stages <= 384",
  "num_stages * (BLOCK_M + BLOCK_N) * (BLOCK_K * size(a) + 16) <= shared_limit",
  "(BLOCK_M <= 64 || M > 64) && (BLOCK_N <= 64 || N > 64)",
  "0 <= ACTIVATION && ACTIVATION <= 3",
]
[[arguments]]
name   = "a"
shape  = ["M", "K"]
access = "read"
dtypes = ["bf16", "f16", "f32"]
[[arguments]]
name   = "b"
shape  = ["K", "N"]
access = "read"
dtype  = "a"
[[arguments]]
name   = "c"
shape  = ["M", "N"]
access = "write"
dtypes = ["f32", "f64", "f16", "bf16"]
[[arguments]]
name     = "bias"
shape    = ["M", "N"]
access   = "read"
optional = true
[[arguments]]
name     = "previous"
shape    = ["M", "N"]
access   = "read"
optional = true
[[arguments]]
name     = "residual"
shape    = ["M", "N"]
access   = "read"
optional = true
[[arguments]]
name      = "alpha"
dtype     = "f64"
default   = 1
factor_of = "a"
[[arguments]]
name      = "beta"
dtype     = "f64"
default   = 0
factor_of = "a"
[config]
BLOCK_M    = [64, 128]
BLOCK_N    = [64, 128, 256]
BLOCK_K    = [32, 64, 16]
num_warps  = [4, 8]
num_stages = [3, 4]
[cost]
bytes = "M * K * size(a) + K * N * size(b) + M * N * size(c)"
flops = "2 * M * N * K"
---*/
template <class A, class B, class C, class Bias, class Previous, class Residual>
__device__ void matmul_mma(A a, B b, C c, Bias bias, Previous previous, Residual residual, double alpha, double beta) {
  using T = typename A::type;
  using Left = operand<A, 1, BLOCK_M, BLOCK_K>;
  using Right = operand<B, 0, BLOCK_N, BLOCK_K>;
  // Two rows of warps; a warp multiplies 16 x 16 at a time, in two steps of 8 columns.
  constexpr int warp_rows = BLOCK_M / 2, warp_cols = 2 * BLOCK_N / num_warps;
  constexpr int down = warp_rows / 16, across = warp_cols / 16, depth = 2 * Left::chunk;
  const auto [tile_row, tile_col] =
      banded_tile(program_id<0>(), cdiv(c.template size<0>(), BLOCK_M), cdiv(c.template size<1>(), BLOCK_N), 8);
  const i64 first_row = tile_row * BLOCK_M, first_col = tile_col * BLOCK_N;
  const Left left(a, first_row);
  const Right right(b, first_col);
  constexpr int stage = Left::size + Right::size;
  T* const memory = scratch<T, num_stages * stage * (int)sizeof(T)>();
#pragma unroll
  for (int s = 0; s < num_stages - 1; ++s) {
    left.fill(memory + s * stage, s * BLOCK_K);
    right.fill(memory + s * stage + Left::size, s * BLOCK_K);
    commit_copies();
  }

  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row0 = warp % 2 * warp_rows, col0 = warp / 2 * warp_cols;
  float sums[down][2 * across][4] = {};
  int reading = 0, writing = num_stages - 1;
#pragma unroll 1
  for (i64 k = 0; k < a.template size<1>(); k += BLOCK_K) {
    wait_copies<num_stages - 2>();
    __syncthreads();  // this stage is whole, and nobody reads the one before any more
    left.fill(memory + writing * stage, k + (num_stages - 1) * BLOCK_K);
    right.fill(memory + writing * stage + Left::size, k + (num_stages - 1) * BLOCK_K);
    commit_copies();
    const T* const as = memory + reading * stage;
    const T* const bs = as + Left::size;
#pragma unroll
    for (int step = 0; step < BLOCK_K; step += depth) {
      u32 x[down][4], y[across][4];
#pragma unroll
      for (int i = 0; i < down; ++i) Left::template fragment<false>(x[i], as, row0 + 16 * i, step);
#pragma unroll
      for (int j = 0; j < across; ++j) Right::template fragment<true>(y[j], bs, col0 + 16 * j, step);
#pragma unroll
      for (int i = 0; i < down; ++i)
#pragma unroll
        for (int j = 0; j < 2 * across; ++j) mma(sums[i][j], x[i], y[j / 2], j % 2, T{});
    }
    reading = reading + 1 < num_stages ? reading + 1 : 0;
    writing = writing + 1 < num_stages ? writing + 1 : 0;
  }
  wait_copies<0>();

  // A lane holds two neighbours of a row, and two more eight rows below. All that is to be added to a row is on its way before
  // its first result is stored.
  const auto finish = epilogue_of<float, ACTIVATION, typename C::type>(bias, previous, residual, alpha, beta);
  using finishing = epilogue<float, ACTIVATION, typename C::type, Bias, Previous, Residual>;
  const i64 col = first_col + col0 + lane % 4 * 2;
  const int cols = left_of(c.template size<1>(), col, BLOCK_N);
#pragma unroll
  for (int i = 0; i < down; ++i)
#pragma unroll
    for (int h = 0; h < 2; ++h) {
      const i64 row = first_row + row0 + 16 * i + 8 * h + lane / 4;
      const int inside = row < c.template size<0>() ? cols : 0;
      typename finishing::template addends<2> more[2 * across];
#pragma unroll
      for (int j = 0; j < 2 * across; ++j) more[j] = finish.template load<2>(row, col + 8 * j, inside - 8 * j);
#pragma unroll
      for (int j = 0; j < 2 * across; ++j) {
        float v[2] = {sums[i][j][2 * h], sums[i][j][2 * h + 1]};
        finish.apply(v, more[j]);
        store_line(c, row, col + 8 * j, v, inside - 8 * j);
      }
    }
}
