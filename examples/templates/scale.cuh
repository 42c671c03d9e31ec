/*---
summary = "y = alpha * x"
use     = ["block/elementwise.cuh", "block/memory_1d.cuh"]
default = { BLOCK = 1024, num_warps = 4 }
grid    = ["cdiv(N, BLOCK)"]
[[arguments]]
name   = "x"
shape  = ["N"]
access = "read"
[[arguments]]
name   = "y"
shape  = ["N"]
access = "write"
dtype  = "x"
[[arguments]]
name  = "alpha"
dtype = "f32"
[config]
BLOCK     = [256, 1024, 4096]
num_warps = [2, 4, 8]
[cost]
bytes = "2 * N * size(x)"
---*/
template <class X, class Y>
__device__ void scale(X x, Y y, float alpha) {
  const auto i = program_id<0>() * BLOCK + arange<BLOCK>();
  store(y, i, load(x, i) * alpha);
}
