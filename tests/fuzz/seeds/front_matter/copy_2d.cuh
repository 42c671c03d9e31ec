/*---
summary = "y = x for any strides: transposes, slices, steps, broadcasts"
default = { BLOCK_M = 64, BLOCK_N = 64, num_warps = 8 }
grid    = ["cdiv(M, BLOCK_M)", "cdiv(N, BLOCK_N)"]
where   = ["BLOCK_M * BLOCK_N >= 32 * num_warps", "BLOCK_M * BLOCK_N <= 1024 * num_warps"]
[[arguments]]
name = "x"
shape = ["M", "N"]
access = "read"
[[arguments]]
name = "y"
shape = ["M", "N"]
access = "write"
dtype = "x"
[config]
BLOCK_M   = [1, 4, 8, 16, 32, 64, 128]
BLOCK_N   = [8, 16, 32, 64, 128, 256, 512, 1024]
num_warps = [1, 2, 4, 8]
[cost]
bytes = "M * N * (size(x) + size(y))"
---*/
template <class X, class Y>
__device__ void copy_2d(X x, Y y) {
  auto rows = program_id<0>() * BLOCK_M + arange<BLOCK_M>();
  auto cols = program_id<1>() * BLOCK_N + arange<BLOCK_N>();
  store(y, rows, cols, load(x, rows, cols));
}
