/*---
summary = "y[m, :] = x[index[m], :]; a row whose number lies outside of x is all 0 (a debug build stops there)"
use     = ["block/gather.cuh", "block/memory_like.cuh"]
default = { BLOCK_M = 4, BLOCK_N = 256, num_warps = 4 }
grid    = ["cdiv(N, BLOCK_N)", "cdiv(M, BLOCK_M)"]
where   = [
  "BLOCK_M * BLOCK_N * size(x) >= 8 * 32 * num_warps",
  "BLOCK_M * BLOCK_N * size(x) <= 64 * 32 * num_warps",
]
[[arguments]]
name   = "x"
shape  = ["V", "N"]
access = "read"
[[arguments]]
name   = "index"
shape  = ["M"]
access = "read"
dtypes = ["i32", "i64"]
[[arguments]]
name   = "y"
shape  = ["M", "N"]
access = "write"
dtype  = "x"
[config]
BLOCK_M   = [1, 4, 16, 64]
BLOCK_N   = [32, 64, 256, 1024, 4096]
num_warps = [4, 8]
[cost]
bytes = "2 * M * N * size(x) + M * size(index)"
---*/
template <class X, class Index, class Y>
__device__ void gather_rows(X x, Index index, Y y) {
  const auto rows = program_id<1>() * BLOCK_M + arange<BLOCK_M>();
  const auto cols = program_id<0>() * BLOCK_N + arange<BLOCK_N>();
  const auto lies = full<bool, row_layout<X, BLOCK_M, BLOCK_N>>(true);
  store(y, rows, cols, gather(x, load_along<0>(lies, index, rows), cols));
}
