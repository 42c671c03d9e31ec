/*---
summary = "z = x + y, element by element"
use     = ["block/elementwise.cuh", "block/memory_1d.cuh"]
default = { BLOCK = 256, num_warps = 2 }
grid    = ["cdiv(N, BLOCK)"]
where   = ["BLOCK >= 32 * num_warps", "BLOCK * size(x) <= 64 * 32 * num_warps"]
[[arguments]]
name   = "x"
shape  = ["N"]
access = "read"
[[arguments]]
name   = "y"
shape  = ["N"]
access = "read"
dtype  = "x"
[[arguments]]
name   = "z"
shape  = ["N"]
access = "write"
dtype  = "x"
[config]
BLOCK     = [256, 512, 1024, 2048, 4096, 8192]
num_warps = [2, 4, 8]
[cost]
bytes = "3 * N * size(x)"
flops = "N"
---*/
template <class X, class Y, class Z>
__device__ void vector_add(X x, Y y, Z z) {
  const auto i = program_id<0>() * BLOCK + arange<BLOCK>();
  store(z, i, load(x, i) + load(y, i));
}
