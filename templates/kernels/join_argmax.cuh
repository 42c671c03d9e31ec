/*---
summary = "y[m] = index[m, s] where value[m, s] is the greatest of row m, the least such index: split_argmax's segments put together"
use     = ["block/memory_1d.cuh", "block/memory_like.cuh", "block/reduce_extremes.cuh"]
default = { BLOCK_M = 8, BLOCK_S = 64, num_warps = 4 }
grid    = ["cdiv(M, BLOCK_M)"]
where   = ["BLOCK_S <= 64 || BLOCK_M * BLOCK_S <= 16 * 32 * num_warps", "BLOCK_S >= 1024 || num_warps <= 4"]
[[arguments]]
name   = "value"
shape  = ["M", "S"]
access = "read"
[[arguments]]
name   = "index"
shape  = ["M", "S"]
access = "read"
dtypes = ["i32", "i64"]
[[arguments]]
name   = "y"
shape  = ["M"]
access = "write"
dtypes = ["i32", "i64"]
[config]
BLOCK_M   = [1, 8, 32]
BLOCK_S   = [32, 64, 1024, 4096]
num_warps = [1, 4, 8]
[cost]
bytes = "M * S * (size(value) + size(index)) + M * size(y)"
---*/
template <class Value, class Index, class Y>
__device__ void join_argmax(Value value, Index index, Y y) {
  using V = typename Value::type;
  using I = typename Index::type;
  const auto rows = program_id<0>() * BLOCK_M + arange<BLOCK_M>();
  const auto first = arange<BLOCK_S>();
  const auto best_of = [&](range<BLOCK_S> segments) {
    const auto t = load(value, rows, segments, lowest<V>());
    return argmax<1>(t, load_like(t, index, rows, segments, highest<I>()));
  };
  auto best = best_of(first);
#pragma unroll 1
  for (i64 s = BLOCK_S; s < value.template size<1>(); s += BLOCK_S)
    best = map(better<true, promoted<V>, I>, best, best_of(s + first));
  store(y, rows, indices_of(best));
}
