/*---
summary = "y = x and w = z for any strides, in one launch: what a product's operands are packed by"
use     = ["block/memory.cuh"]
default = { BLOCK_M = 64, BLOCK_N = 64, num_warps = 8 }
grid    = ["cdiv(M, BLOCK_M) * cdiv(N, BLOCK_N) + cdiv(P, BLOCK_M) * cdiv(Q, BLOCK_N)"]
where   = [
  "BLOCK_M * BLOCK_N * size(x) >= 16 * 32 * num_warps",
  "BLOCK_M * BLOCK_N * size(x) <= 128 * 32 * num_warps",
  "BLOCK_M == 1 && BLOCK_N >= 256 || BLOCK_M >= 32 && BLOCK_M <= 2 * BLOCK_N && BLOCK_N <= 128",
]
[[arguments]]
name   = "x"
shape  = ["M", "N"]
access = "read"
[[arguments]]
name   = "y"
shape  = ["M", "N"]
access = "write"
dtype  = "x"
[[arguments]]
name   = "z"
shape  = ["P", "Q"]
access = "read"
dtype  = "x"
[[arguments]]
name   = "w"
shape  = ["P", "Q"]
access = "write"
dtype  = "x"
[config]
BLOCK_M   = [1, 32, 64, 128]
BLOCK_N   = [32, 64, 128, 512, 1024, 2048]
num_warps = [4, 8]
[cost]
bytes = "(M * N + P * Q) * 2 * size(x)"
---*/
template <class X, class Y>
__device__ void copy_block(const X& x, const Y& y, i64 block) {
  const i64 across = cdiv(x.template size<1>(), BLOCK_N);
  const auto rows = block / across * BLOCK_M + arange<BLOCK_M>();
  const auto cols = block % across * BLOCK_N + arange<BLOCK_N>();
  store(y, rows, cols, load(x, rows, cols));
}

// The first programs copy x, the others z.
template <class X, class Y, class Z, class W>
__device__ void copy_pair(X x, Y y, Z z, W w) {
  const i64 of_x = cdiv(x.template size<0>(), BLOCK_M) * cdiv(x.template size<1>(), BLOCK_N), block = program_id<0>();
  if (block < of_x) copy_block(x, y, block);
  else copy_block(z, w, block - of_x);
}
