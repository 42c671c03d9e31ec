/*---
summary   = "y = a * x + y"
default   = { BLOCK = 1024, num_warps = 4 }
grid      = ["cdiv(N, BLOCK)"]
arguments = [
  { name = "a", dtype = "f32" },
  { name = "x", shape = ["N"], access = "read", dtypes = ["f32"] },
  { name = "y", shape = ["N"], access = "update", dtype = "x" },
]
[config]
BLOCK     = [512, 1024, 2048]
num_warps = [4, 8]
[cost]
bytes     = "3 * N * size(x)"
---*/
template <class X, class Y>
__device__ void axpy(float a, X x, Y y) {
  const auto at = program_id<0>() * BLOCK + arange<BLOCK>();
  store(y, at, a * load(x, at) + load(y, at));  // masked by the tensors' own extents
}
