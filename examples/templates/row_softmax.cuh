/*---
summary   = "y = softmax of each row of alpha * x, rows of at most BLOCK_N"
use       = ["block/math.cuh", "block/memory.cuh", "block/reduce_extremes.cuh"]
default   = { BLOCK_M = 4, BLOCK_N = 1024, num_warps = 8 }
tolerance = { relative = 1e-5, absolute = 1e-6 }
grid      = ["cdiv(M, BLOCK_M)"]
where     = ["BLOCK_N >= N"]
[[arguments]]
name   = "x"
shape  = ["M", "N"]
access = "read"
dtypes = ["f32", "f16", "bf16"]
[[arguments]]
name   = "y"
shape  = ["M", "N"]
access = "write"
dtype  = "x"
[[arguments]]
name    = "alpha"
dtype   = "f32"
default = 1
[config]
BLOCK_M   = [1, 4]
BLOCK_N   = [256, 1024, 4096]
num_warps = [4, 8]
[cost]
bytes = "2 * M * N * size(x)"
---*/
template <class X, class Y>
__device__ void row_softmax(X x, Y y, float alpha) {
  const auto rows = program_id<0>() * BLOCK_M + arange<BLOCK_M>();
  const auto cols = arange<BLOCK_N>();
  const auto t = load(x, rows, cols, lowest<typename X::type>()) * alpha;
  const auto e = exp(t - max<1>(t));
  store(y, rows, cols, e * (1 / sum<1>(e)));
}
