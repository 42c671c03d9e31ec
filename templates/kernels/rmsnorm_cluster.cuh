/*---
summary   = "y = x / sqrt(mean of x^2 + epsilon) * weight of each row, of x + residual where there is one, a row by the programs of a cluster; rows of at most 1 MB of float or double"
needs     = ["cluster"]
use       = ["block/cluster.cuh", "block/math.cuh", "block/memory_1d.cuh", "block/pieces.cuh", "block/reduce.cuh"]
default   = { BLOCK_N = 16384, CLUSTER = 8, RESIDENT = 1, num_warps = 16 }
tolerance = { relative = 1e-5, absolute = 1e-5 }
grid      = ["M * CLUSTER"]
cluster   = ["CLUSTER"]
min_blocks = "RESIDENT"
where     = [
  "BLOCK_N * CLUSTER >= N",
  "BLOCK_N * CLUSTER < 2 * N",
  "BLOCK_N * max(size(x), 4) <= min(256 * 32 * num_warps, 131072)",
  "BLOCK_N * size(x) >= 16 * 32 * num_warps",
  "RESIDENT * (BLOCK_N * max(size(x), 4) / 4 + 16 * 32 * num_warps) <= 65536",
  "RESIDENT == 1 || size(residual) == 0",
]
requires  = ["N * max(size(x), 4) <= 1048576"]
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
BLOCK_N   = [16384, 32768]
CLUSTER   = [2, 1, 4, 8]
RESIDENT  = [3, 1, 4]
num_warps = [8, 16, 32]
[cost]
bytes = "M * N * (size(x) + size(y) + size(residual) + size(total))"
flops = "8 * M * N"
---*/
// RESIDENT: how many programs a multiprocessor should hold, which bounds their registers.
// Each program keeps a part of the row in registers; programs exchange their sums of squares. The residual is added first,
// and what is normalised is the sum before it is rounded for `total`.
template <class X, class Y, class Weight, class Residual, class Total>
__device__ void rmsnorm_cluster(X x, Y y, Weight weight, Residual residual, Total total, float epsilon) {
  using T = promoted<typename X::type>;
  cluster_begin<T, CLUSTER, 1>();
  const i64 row = program_id<0>() / CLUSTER;
  const auto cols = program_id<0>() % CLUSTER * BLOCK_N + arange<BLOCK_N>();
  auto t = cast<T>(load(x, row, cols));
  if constexpr (Residual::present) add_pieces(t, residual, row, cols);
  using L = typename decltype(t)::layout;
  if constexpr (Total::present) store_pieces(total, row, cols, t);

  const auto& parts = from_cluster<T, CLUSTER, 1, 0>(sum(t * t));
  auto squares = parts.v[0];
#pragma unroll
  for (int i = 1; i < CLUSTER; ++i) squares += parts.v[i];
  const T scale = rsqrt_of(squares / x.template size<1>() + epsilon);
#pragma unroll
  for (int k = 0; k < pieces<L>; ++k) {
    auto z = piece(t, k) * scale;
    if constexpr (Weight::present) z *= load(weight, piece<L>(cols, k));
    store(y, row, piece<L>(cols, k), z);
  }
}
