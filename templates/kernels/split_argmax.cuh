/*---
summary   = "y[m, s] = the index in row m of the greatest element of its s-th of S segments, the first of equals; a NaN is greatest"
use       = ["block/memory_1d.cuh", "block/reduce_extremes.cuh", "block/logic.cuh", "block/segment.cuh"]
default   = { BLOCK_M = 32, BLOCK_N = 128, num_warps = 8 }
grid      = ["cdiv(M, BLOCK_M)", "S"]
where     = [
  "BLOCK_M * BLOCK_N * size(x) >= 16 * 32 * num_warps",
  "BLOCK_M * BLOCK_N <= 32 * 32 * num_warps",
  "stride(x, 0) == 1 && stride(x, 1) != 1 || BLOCK_N >= 32 && BLOCK_M <= 128",
  "stride(x, 0) != 1 || stride(x, 1) == 1 || BLOCK_M >= 32 && BLOCK_N <= 512",
]
[[arguments]]
name   = "x"
shape  = ["M", "N"]
access = "read"
[[arguments]]
name   = "y"
shape  = ["M", "S"]
access = "write"
dtypes = ["i32", "i64"]
[[arguments]]
name     = "value"
shape    = ["M", "S"]
access   = "write"
dtype    = "x"
optional = true
[config]
BLOCK_M   = [1, 8, 32, 128, 512]
BLOCK_N   = [8, 32, 128, 512, 1024, 4096, 8192]
num_warps = [4, 8]
[cost]
bytes = "M * N * size(x) + M * S * size(y)"
flops = "M * N"
---*/
// A program reads a segment of BLOCK_M rows, block by block.
template <class X, class Y, class Value>
__device__ void split_argmax(X x, Y y, Value value) {
  const auto rows = program_id<0>() * BLOCK_M + arange<BLOCK_M>();
  const auto cols = arange<BLOCK_N>();
  const i64 s = program_id<1>();
  const auto part = segment(x, s, y.template size<1>());
  using P = promoted<typename X::type>;
  auto best = zeros<P>(x, rows, cols) + promote(lowest<typename X::type>());
  auto block = zeros<i32>(x, rows, cols);  // in which the best was found
  i32 number = 0;
#pragma unroll 1
  for (i64 n = part.begin; n < part.view.template size<1>(); n += BLOCK_N) {
    const auto t = cast<P>(load(part.view, rows, n + cols, lowest<typename X::type>()));
    const auto better = map(beats_in_max<P>, t, best);
    best = where(better, t, best);
    block = where(better, number++, block);
  }
  const auto found = argmax<1>(best, cast<i64>(block) * BLOCK_N + indices<1>(best, part.begin + cols));
  store(y, rows, s, indices_of(found));
  if constexpr (Value::present) store(value, rows, s, values_of(found));
}
