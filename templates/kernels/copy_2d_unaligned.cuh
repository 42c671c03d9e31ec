/*---
summary = "y = x of 1 or 2 bytes an element, where rows begin at any address"
use     = ["block/unaligned.cuh"]
default = { BLOCK_M = 1, BLOCK_N = 4096, num_warps = 4 }
grid    = ["cdiv(N + 8 / size(x), BLOCK_N)", "cdiv(M, BLOCK_M)"]
where   = ["BLOCK_M * BLOCK_N * size(x) >= 32 * 32 * num_warps", "BLOCK_M * BLOCK_N * size(x) <= 128 * 32 * num_warps"]
[[arguments]]
name   = "x"
shape  = ["M", "N"]
access = "read"
dtypes = ["f16", "bf16", "i16", "f8e4m3", "f8e5m2", "i8", "u8", "bool"]
[[arguments]]
name   = "y"
shape  = ["M", "N"]
access = "write"
dtype  = "x"
[config]
BLOCK_M   = [1, 8, 32]
BLOCK_N   = [512, 1024, 2048, 4096]
num_warps = [4, 8, 16]
[cost]
bytes = "M * N * (size(x) + size(y))"
---*/
template <class X, class Y>
__device__ void copy_2d_unaligned(X x, Y y) {
  if constexpr (X::unit_axis == 1 && Y::unit_axis == 1)
    copy_rows<BLOCK_M, BLOCK_N>(x, y, program_id<1>(), program_id<0>());
  else
    copy_singly<BLOCK_M, BLOCK_N>(x, y, program_id<1>(), program_id<0>());
}
