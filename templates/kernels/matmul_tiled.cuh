/*---
summary   = "c = activation(alpha * a b + beta * previous + bias) + residual through shared memory, without tensor cores"
use       = ["block/epilogue.cuh", "block/panel.cuh", "block/scratch.cuh"]
default   = { BLOCK_M = 128, BLOCK_N = 128, BLOCK_K = 16, num_warps = 8, num_stages = 3, ACTIVATION = 0 }
tolerance = { relative = 1e-5, absolute = 1e-3 }
grid      = ["cdiv(N, BLOCK_N)", "cdiv(M, BLOCK_M)"]
requires  = ["K < 1073741824"]
where     = [
  "BLOCK_M * BLOCK_N == 2048 * num_warps || BLOCK_M * BLOCK_N == 4096 * num_warps && BLOCK_N == 256 || BLOCK_M * BLOCK_N == 1024 * num_warps && BLOCK_N == 64",
  "num_warps >= 2 && BLOCK_N <= 2 * BLOCK_M && num_stages == 5 - BLOCK_K / 8",
  "BLOCK_M * BLOCK_N * max(size(a), 4) <= 16384 * num_warps",
  "BLOCK_K * num_stages * (BLOCK_M + BLOCK_N + 8) * max(size(a), 4) <= shared_limit",
  "(BLOCK_M <= 64 || M > 64) && (BLOCK_N <= 64 || N > 64)",
  "0 <= ACTIVATION && ACTIVATION <= 3",
  "ACTIVATION <= 1 || floating(a)",
]
min_blocks = "max(1, (8 + 8 * (size(a) <= 4 && BLOCK_N <= 128)) / num_warps)"
[[arguments]]
name   = "a"
shape  = ["M", "K"]
access = "read"
dtypes = ["f32", "f64", "f16", "bf16", "i32", "i64", "i8"]
[[arguments]]
name   = "b"
shape  = ["K", "N"]
access = "read"
dtype  = "a"
[[arguments]]
name   = "c"
shape  = ["M", "N"]
access = "write"
dtypes = ["f32", "f64", "f16", "bf16", "i32", "i64"]
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
BLOCK_M    = [32, 64, 128]
BLOCK_N    = [64, 128, 256]
BLOCK_K    = [16, 8]
num_warps  = [2, 4, 8]
num_stages = [3, 4]
[cost]
bytes = "M * K * size(a) + K * N * size(b) + M * N * size(c)"
flops = "2 * M * N * K"
---*/
// A warp's part of the block's tile, and a thread's part of that: 8 lanes down, 4 across, each with chunks of 16 bytes. Lanes n
// and n ^ 1 have the same rows, n and n ^ 2 the same columns: such 16-byte loads take shared memory two passes, not four.
template <class T>
struct shares {
  static constexpr int chunk = 16 / sizeof(T);
  static constexpr int warp_rows = BLOCK_M < 64 ? BLOCK_M : 64, warps_down = BLOCK_M / warp_rows;
  static constexpr int warp_cols = BLOCK_M * BLOCK_N / num_warps / warp_rows;
  static constexpr int rows = warp_rows / 8, cols = warp_cols / 4;  // a thread's
  static constexpr int row_chunks = rows / chunk, col_chunks = cols / chunk;
  static_assert(warp_cols * (num_warps / warps_down) == BLOCK_N && rows % chunk == 0 && cols % chunk == 0, "");
  struct alignas(16) vector { T v[chunk]; };

  int row, col;  // of its first chunk; the next one lies 8 (4) chunks further
  __device__ __forceinline__ shares() {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    row = warp % warps_down * warp_rows + lane / 2 % 8 * chunk;
    col = warp / warps_down * warp_cols + (lane % 2 + lane / 16 * 2) * chunk;
  }
};

template <class A, class B, class C, class Bias, class Previous, class Residual>
__device__ void matmul_tiled(A a, B b, C c, Bias bias, Previous previous, Residual residual, double alpha, double beta) {
  using T = product_sum<typename A::type>;
  using Left = panel<A, 1, BLOCK_M, BLOCK_K>;
  using Right = panel<B, 0, BLOCK_N, BLOCK_K>;
  using mine = shares<T>;
  const i64 first_row = program_id<1>() * BLOCK_M, first_col = program_id<0>() * BLOCK_N;
  const i32 depth = i32(a.template size<1>());
  Left left(a, first_row);
  Right right(b, first_col);
  constexpr int stage = Left::size + Right::size;
  T* const memory = scratch<T, num_stages * stage * (int)sizeof(T)>();

  // All stages but one are on their way before the first product.
#pragma unroll
  for (int s = 0; s < num_stages - 1; ++s) {
    left.fill(memory + s * stage);
    right.fill(memory + s * stage + Left::size);
    commit_copies();
  }

  const mine share;
  T sums[mine::rows][mine::cols] = {};
  int reading = 0, writing = num_stages - 1;
#pragma unroll 1
  for (i32 k = 0; k < depth; k += BLOCK_K) {
    wait_copies<num_stages - 2>();
    __syncthreads();  // this stage is whole, and nobody reads the one before any more
    left.fill(memory + writing * stage);
    right.fill(memory + writing * stage + Left::size);
    commit_copies();

    const T* const as = memory + reading * stage + share.row;
    const T* const bs = memory + reading * stage + Left::size + share.col;
#pragma unroll
    for (int step = 0; step < BLOCK_K; ++step) {
      typename mine::vector x[mine::row_chunks], y[mine::col_chunks];
#pragma unroll
      for (int i = 0; i < mine::row_chunks; ++i)
        x[i] = *reinterpret_cast<const typename mine::vector*>(Left::line(as, step) + i * 8 * mine::chunk);
#pragma unroll
      for (int j = 0; j < mine::col_chunks; ++j)
        y[j] = *reinterpret_cast<const typename mine::vector*>(Right::line(bs, step) + j * 4 * mine::chunk);
#pragma unroll
      for (int i = 0; i < mine::rows; ++i)
#pragma unroll
        for (int n = 0; n < mine::cols; ++n) {
          const int j = i % 2 == 0 ? n : mine::cols - 1 - n;  // to and fro: neighbours share an operand, which is read once
          sums[i][j] = fma_of(x[i / mine::chunk].v[i % mine::chunk], y[j / mine::chunk].v[j % mine::chunk], sums[i][j]);
        }
    }
    reading = reading + 1 < num_stages ? reading + 1 : 0;
    writing = writing + 1 < num_stages ? writing + 1 : 0;
  }
  wait_copies<0>();

  // A few rows together: all that is to be added to them is on its way before the first result is stored.
  const auto finish = epilogue_of<T, ACTIVATION, typename C::type>(bias, previous, residual, alpha, beta);
  using finishing = epilogue<T, ACTIVATION, typename C::type, Bias, Previous, Residual>;
  constexpr int together = finishing::tensors < 2 ? mine::chunk : cdiv(mine::chunk, finishing::tensors * 2 - 2), step = 4 * mine::chunk;
  const i64 col = first_col + share.col;
  const int cols = left_of(c.template size<1>(), col, BLOCK_N);
#pragma unroll
  for (int i = 0; i < mine::rows; i += together) {
    const i64 row = first_row + share.row + i / mine::chunk * 8 * mine::chunk + i % mine::chunk;
    const int rows = left_of(c.template size<0>(), row, together);
    typename finishing::template addends<mine::chunk> more[together][mine::col_chunks];
#pragma unroll
    for (int r = 0; r < together; ++r)
#pragma unroll
      for (int j = 0; j < mine::col_chunks; ++j)
        more[r][j] = finish.template load<mine::chunk>(row + r, col + j * step, r < rows ? cols - j * step : 0);
#pragma unroll
    for (int r = 0; r < together; ++r)
#pragma unroll
      for (int j = 0; j < mine::col_chunks; ++j) {
        T v[mine::chunk];
#pragma unroll
        for (int k = 0; k < mine::chunk; ++k) v[k] = sums[i + r][j * mine::chunk + k];
        finish.apply(v, more[r][j]);
        store_line(c, row + r, col + j * step, v, r < rows ? cols - j * step : 0);
      }
  }
}
