/*---
summary   = "y = (x - mean) / sqrt(variance + epsilon) * weight + bias of each row, of x + residual where there is one, a row by the programs of a cluster; rows of at most 1 MB of float or double"
needs     = ["cluster"]
use       = ["block/cluster.cuh", "block/math.cuh", "block/memory_1d.cuh", "block/moments.cuh", "block/pieces.cuh", "block/reduce.cuh"]
default   = { BLOCK_N = 16384, CLUSTER = 8, RESIDENT = 4, num_warps = 16 }
tolerance = { relative = 1e-5, absolute = 1e-5 }
grid      = ["M * CLUSTER"]
cluster   = ["CLUSTER"]
min_blocks = "max(1, min(RESIDENT, 65536 / (BLOCK_N * max(size(x), 4 * min(1, size(residual))) / 4 + 1024 * num_warps)))"
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
BLOCK_N   = [16384, 32768]
CLUSTER   = [2, 1, 4, 8]
RESIDENT  = [4, 2, 1]
num_warps = [8, 16, 32]
[cost]
bytes = "M * N * (size(x) + size(y) + size(residual) + size(total))"
flops = "8 * M * N"
---*/
// RESIDENT: how many programs a multiprocessor should hold, if each thread has 32 registers beside its part of the row.
// Each program keeps a part of the row in registers, 2-byte elements as they are; programs exchange how many elements
// their parts have, those's mean and their squared differences from it, once. The residual is added first, and what is
// normalised is the sum before it is rounded for `total`.
template <class X, class Y, class Weight, class Bias, class Residual, class Total>
__device__ void layernorm_cluster(X x, Y y, Weight weight, Bias bias, Residual residual, Total total, float epsilon) {
  using T = promoted<typename X::type>;
  cluster_begin<moments<T>, CLUSTER, 1>();
  const i64 row = program_id<0>() / CLUSTER;
  const auto cols = program_id<0>() % CLUSTER * BLOCK_N + arange<BLOCK_N>();
  auto t = [&] {
    const auto own = load(x, row, cols);
    if constexpr (Residual::present) return cast<T>(own);
    else return own;
  }();
  using L = typename decltype(t)::layout;
  if constexpr (Residual::present) {
#pragma unroll
    for (int k = 0; k < pieces<L>; ++k) {
      const auto sum = cast<T>(piece(t, k) + load(residual, row, piece<L>(cols, k)));
      if constexpr (Total::present) store(total, row, piece<L>(cols, k), sum);
      set_piece(t, k, sum);
    }
  } else if constexpr (Total::present) {
    store_pieces(total, row, cols, t);
  }

  const int count = left_of(x.template size<1>(), cols.start, BLOCK_N);
  T own_mean = sum(t) / larger(count, 1);
  keep_packed(t, x);
  const int left = count - L::lane();
  const auto differences = [&](int k) {
    auto d = piece(t, k) - own_mean;
#pragma unroll
    for (int i = 0; i < piece_registers<L>; ++i)
      if (L::offset(k * piece_registers<L> + i - i % L::vector) >= left) d.v[i] = 0;  // past the row, as vectors are as a whole
    return d;
  };
  auto sums = differences(0), squares = sums * sums;
#pragma unroll
  for (int k = 1; k < pieces<L>; ++k) {
    const auto d = differences(k);
    sums += d, squares += d * d;
  }
  drift<T> own;
  if constexpr (mean_is_exact<typename X::type> && !Residual::present) {
    own = {0, sum(squares)};
  } else {
    own = drift_of(sums, squares);  // the mean was rounded
    const T by = own.sum / larger(count, 1);
    own_mean += by, own.squares -= own.sum * by;
  }
  const auto& parts = from_cluster<moments<T>, CLUSTER, 1, 0>({T(count), own_mean, own.squares});
  moments<T> whole = parts.v[0];
#pragma unroll
  for (int i = 1; i < CLUSTER; ++i) whole = moments_join(whole, parts.v[i]);
  const T scale = rsqrt_of(whole.squares / whole.count + epsilon);
  keep_packed(t, x);
#pragma unroll
  for (int k = 0; k < pieces<L>; ++k) {
    const auto here = piece<L>(cols, k);
    auto z = (piece(t, k) - whole.mean) * scale;
    if constexpr (Weight::present) z *= load(weight, here);
    if constexpr (Bias::present) z += load(bias, here);
    store(y, row, here, z);
  }
}
