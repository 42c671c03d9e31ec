/*---
summary   = "c = a b, the naive way: a program a row (and BLOCK_N columns of it), a thread a column"
use       = ["block/elementwise.cuh", "block/memory_1d.cuh"]
default   = { BLOCK_N = 128, num_warps = 4 }
tolerance = { relative = 1e-5, absolute = 1e-4 }
grid      = ["M", "cdiv(N, BLOCK_N)"]
where     = ["BLOCK_N == 32 * num_warps"]
[[arguments]]
name   = "a"
shape  = ["M", "K"]
access = "read"
dtypes = ["f64", "f32", "f16", "bf16"]
[[arguments]]
name   = "b"
shape  = ["K", "N"]
access = "read"
dtype  = "a"
[[arguments]]
name   = "c"
shape  = ["M", "N"]
access = "write"
dtypes = ["f64", "f32", "f16", "bf16"]
[config]
BLOCK_N   = [32, 64, 128, 256]
num_warps = [1, 2, 4, 8]
[cost]
bytes = "M * K * size(a) + K * N * size(b) + M * N * size(c)"
flops = "2 * M * N * K"
---*/
template <class A, class B, class C>
__device__ void matmul_row(A a, B b, C c) {
  const i64 row = program_id<0>();
  const auto cols = program_id<1>() * BLOCK_N + arange<BLOCK_N>();
  auto total = zeros<promoted<typename A::type>>(b, 0, cols);
  for (i64 k = 0; k < a.template size<1>(); ++k) total = fma(load(a, row, k), load(b, k, cols), total);
  store(c, row, cols, total);
}
