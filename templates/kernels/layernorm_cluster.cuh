/*---
summary   = "y = (x - mean) / sqrt(variance + epsilon) * weight + bias of each row, of x + residual where there is one, a row by the programs of a cluster; rows of at most 1 MB of float or double"
needs     = ["cluster"]
use       = ["block/cluster.cuh", "block/math.cuh", "block/memory_1d.cuh", "block/reduce.cuh"]
default   = { BLOCK_N = 8192, CLUSTER = 8, RESIDENT = 1, num_warps = 16 }
tolerance = { relative = 1e-5, absolute = 1e-5 }
grid      = ["M * CLUSTER"]
cluster   = ["CLUSTER"]
min_blocks = "RESIDENT"
where     = [
  "BLOCK_N * CLUSTER >= N",
  "BLOCK_N * CLUSTER < 2 * N + 8192 || BLOCK_N * CLUSTER == 131072",
  "BLOCK_N * max(size(x), 4) <= min(256 * 32 * num_warps, 131072)",
  "BLOCK_N * size(x) >= 16 * 32 * num_warps",
  "RESIDENT * (BLOCK_N * max(size(x), 4) / 4 + 16 * 32 * num_warps) <= 65536",
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
BLOCK_N   = [4096, 8192, 16384, 32768]
CLUSTER   = [4, 8]
RESIDENT  = [1, 3, 4]
num_warps = [16, 8, 32]
[cost]
bytes = "M * N * (size(x) + size(y) + size(residual) + size(total))"
flops = "8 * M * N"
---*/
// RESIDENT: how many programs a multiprocessor should hold, which bounds their registers.
// Each program keeps a part of the row in registers; programs exchange their sums, and then their sums of squared
// differences. The residual is added first, and what is normalised is the sum before it is rounded for `total`.
template <class T>
__device__ __forceinline__ T sum_of(const cluster_values<T, CLUSTER>& parts) {
  T total = parts.v[0];
#pragma unroll
  for (int i = 1; i < CLUSTER; ++i) total += parts.v[i];
  return total;
}

template <class X, class Y, class Weight, class Bias, class Residual, class Total>
__device__ void layernorm_cluster(X x, Y y, Weight weight, Bias bias, Residual residual, Total total, float epsilon) {
  using T = promoted<typename X::type>;
  cluster_begin<T, CLUSTER, 2>();
  const i64 row = program_id<0>() / CLUSTER;
  const auto cols = program_id<0>() % CLUSTER * BLOCK_N + arange<BLOCK_N>();
  auto t = cast<T>(load(x, row, cols));
  if constexpr (Residual::present) t += load(residual, row, cols);
  if constexpr (Total::present) store(total, row, cols, t);

  const auto n = x.template size<1>();
  const auto mean = sum_of(from_cluster<T, CLUSTER, 2, 0>(sum(t))) / n;
  auto d = t - mean;
  using places = typename decltype(d)::layout;
  if (const i64 left = n - cols.start; left < BLOCK_N) {  // rows that fill their blocks pay nothing for it
#pragma unroll
    for (int i = 0; i < places::registers; ++i)
      if (places::index(i) >= left) d.v[i] = 0;
  }
  auto z = d * rsqrt_of(sum_of(from_cluster<T, CLUSTER, 2, 1>(sum(d * d))) / n + epsilon);
  if constexpr (Weight::present) z *= load(weight, cols);
  if constexpr (Bias::present) z += load(bias, cols);
  store(y, row, cols, z);
}
