/*---
summary   = "y = exp(x - max) / sum of each row, a row by the programs of a cluster; rows of at most 1 MB of float or double"
needs     = ["cluster"]
use       = ["block/cluster.cuh", "block/math.cuh", "block/memory_1d.cuh", "block/pieces.cuh", "block/reduce_extremes.cuh"]
default   = { BLOCK_N = 16384, CLUSTER = 8, RESIDENT = 4, num_warps = 16 }
tolerance = { relative = 1e-5, absolute = 1e-6 }
grid      = ["M * CLUSTER"]
cluster   = ["CLUSTER"]
min_blocks = "max(1, min(RESIDENT, 65536 / (BLOCK_N * size(x) / 4 + 1024 * num_warps)))"
where     = [
  "BLOCK_N * CLUSTER >= N",
  "BLOCK_N * CLUSTER < 2 * N",
  "BLOCK_N * max(size(x), 4) <= min(256 * 32 * num_warps, 131072)",
  "BLOCK_N * size(x) >= 16 * 32 * num_warps",
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
[config]
BLOCK_N   = [16384, 32768]
CLUSTER   = [2, 1, 4, 8]
RESIDENT  = [4, 2, 1]
num_warps = [8, 16, 32]
[cost]
bytes = "M * N * (size(x) + size(y))"
flops = "5 * M * N"
---*/
// RESIDENT: how many programs a multiprocessor should hold, if each thread has 32 registers beside its part of the row.
// Each program keeps a part of the row in registers: each element is read once and written once. A part's exponentials are
// of its own greatest element; programs exchange that and their sums, once. What is kept are the exponentials, of 2-byte
// elements the elements as they are, in half the registers. A row of nothing but -inf gives NaN.
template <class X, class Y>
__device__ void softmax_cluster(X x, Y y) {
  using E = typename X::type;
  using T = promoted<E>;
  struct part { T greatest, sum; };
  cluster_begin<part, CLUSTER, 1>();
  const i64 row = program_id<0>() / CLUSTER;
  const auto cols = program_id<0>() % CLUSTER * BLOCK_N + arange<BLOCK_N>();
  auto t = load(x, row, cols, lowest<E>());
  const T greatest = promote(max(t)), own = greatest == lowest<T>() ? T(0) : greatest;  // exp(-inf - -inf) would be NaN
  keep_packed(t, x);
  const auto e = exp_as<E>(t - own);
  const auto parts = from_cluster<part, CLUSTER, 1, 0>(part{greatest, sum(e)});

  T high = parts.v[0].greatest, total = 0;
#pragma unroll
  for (int i = 1; i < CLUSTER; ++i) high = greater_of(high, parts.v[i].greatest);
#pragma unroll
  for (int i = 0; i < CLUSTER; ++i)
    if (parts.v[i].sum != 0) total += parts.v[i].sum * exp_of(parts.v[i].greatest - high);
  if constexpr (sizeof(E) == 2) {
    using L = typename decltype(t)::layout;
    const T scale = 1 / total;
    keep_packed(t, x);
#pragma unroll
    for (int k = 0; k < pieces<L>; ++k) store(y, row, piece<L>(cols, k), exp_as<E>(piece(t, k) - high) * scale);
  } else {
    store(y, row, cols, e * (exp_of(greatest - high) / total));
  }
}
