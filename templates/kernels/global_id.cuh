/*---
summary = "Each element is its own index: program_id * BLOCK + lane"
use     = ["block/memory_1d.cuh", "block/cast.cuh"]
default = { BLOCK = 256, num_warps = 8 }
grid    = ["cdiv(N, BLOCK)"]
[[arguments]]
name   = "ids"
shape  = ["N"]
access = "write"
dtypes = ["i32", "i64"]
[cost]
bytes = "N * size(ids)"
---*/
template <class Ids>
__device__ void global_id(Ids ids) {
  const auto i = program_id<0>() * BLOCK + arange<BLOCK>();
  store(ids, i, indices(i));
}
