/*---
summary = "y = one value everywhere"
use     = ["block/memory.cuh", "block/cast.cuh"]
default = { BLOCK_M = 128, BLOCK_N = 128, num_warps = 8 }
grid    = ["cdiv(N, BLOCK_N)", "cdiv(M, BLOCK_M)"]
where   = [
  "BLOCK_M * BLOCK_N * size(y) >= 16 * 32 * num_warps",
  "BLOCK_M * BLOCK_N * size(y) <= 512 * 32 * num_warps",
  "BLOCK_N >= 128 || stride(y, 0) == 1",
  "BLOCK_M >= 128 || stride(y, 0) != 1",
]
[[arguments]]
name   = "y"
shape  = ["M", "N"]
access = "write"
[[arguments]]
name    = "value"
dtype   = "f64"
default = 0
[config]
BLOCK_M   = [1, 4, 32, 128, 512]
BLOCK_N   = [4, 32, 128, 1024, 2048]
num_warps = [4, 8]
[cost]
bytes = "M * N * size(y)"
---*/
template <class Y>
__device__ void fill(Y y, double value) {
  const auto rows = program_id<1>() * BLOCK_M + arange<BLOCK_M>();
  const auto cols = program_id<0>() * BLOCK_N + arange<BLOCK_N>();
  store(y, rows, cols, full<typename Y::type, layout_of<Y, BLOCK_M, BLOCK_N>>(cast<typename Y::type>(value)));
}
