/*---
summary = "y = x of 1 or 2 bytes an element, straight or transposed, where rows begin at any address"
use     = ["block/unaligned.cuh"]
default = { BLOCK_M = 128, BLOCK_N = 128, num_warps = 8 }
grid    = ["cdiv(N + 8 / size(x), BLOCK_N - (stride(x, 1) != 1) * (8 / size(x)))", "cdiv(M, BLOCK_M)"]
where   = [
  "BLOCK_M * BLOCK_N * size(x) >= 32 * 32 * num_warps",
  "BLOCK_M * BLOCK_N * size(x) <= 128 * 32 * num_warps",
  "stride(x, 1) == 1 || BLOCK_M >= 64 && BLOCK_M * size(x) >= 128",
  "stride(x, 1) == 1 || BLOCK_N >= 64 && BLOCK_N * size(x) >= 128 && BLOCK_N * size(x) <= 512",
  "stride(x, 1) != 1 || BLOCK_M <= 32 && BLOCK_N >= 512 || BLOCK_M == 128 && BLOCK_N == 128",
]
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
BLOCK_M   = [1, 8, 32, 64, 128, 256]
BLOCK_N   = [64, 128, 256, 512, 1024, 2048, 4096]
num_warps = [4, 8, 16]
[cost]
bytes = "M * N * (size(x) + size(y))"
---*/
// A grid's columns lie BLOCK_N apart where x has its unit stride along them, else 8 bytes less.
template <class X, class Y>
__device__ void copy_2d_unaligned(X x, Y y) {
  const i64 p = program_id<1>(), q = program_id<0>();
  constexpr int v = 8 / sizeof(typename X::type);
  if constexpr (X::unit_axis == 1 && Y::unit_axis == 1) copy_straight<BLOCK_M, BLOCK_N>(x, y, p, q);
  else if constexpr (X::unit_axis == 0 && Y::unit_axis == 1) copy_turned<BLOCK_M, BLOCK_N>(x, y, p, q);
  else copy_singly<BLOCK_M, X::unit_axis == 1 ? BLOCK_N : BLOCK_N - v>(x, y, p, q);
}
