/*---
summary   = "y = x after three half-lives"
use       = ["block.cuh", "half_life.cuh"]
default   = { BLOCK = 128, num_warps = 4 }
grid      = ["cdiv(N, BLOCK)"]
arguments = [
  { name = "x", shape = ["N"], access = "read", dtypes = ["f32"] },
  { name = "y", shape = ["N"], access = "write", dtype = "x" },
]
---*/
template <class X, class Y>
__device__ void decay(X x, Y y) {
  const auto at = program_id<0>() * BLOCK + arange<BLOCK>();
  store(y, at, after_half_lives(load(x, at), 3));
}
