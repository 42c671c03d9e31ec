#pragma once
// Softmax's pair of a row, the greatest element and the sum of exp(x - greatest), in one pass over a row of any length:
//   auto row = online_start<1, float>(t)   an empty pair for each row of tiles laid out as t
//   online_add<1>(row, t)                  another tile of the rows; each thread keeps pairs of its own
//   online_finish(row)                     the rows' pairs, all threads' put together: greatest_of(row), sum_of(row)
// An element of -inf adds nothing; a row of nothing else has a greatest of -inf and a sum of 0. A NaN makes both NaN, an
// infinity the sum.
#include "block/extremes.cuh"
#include "block/math.cuh"
#include "block/reduce.cuh"

template <class T>
struct online { T greatest, sum; };

template <class T>
__device__ __forceinline__ T online_weight(T x, T greatest) {
  return x == lowest<T>() ? T(0) : exp_of(x - greatest);
}
template <class T>
__device__ __forceinline__ online<T> online_join(online<T> a, online<T> b) {
  const T greatest = greater_of(a.greatest, b.greatest);
  return {greatest, a.sum * online_weight(a.greatest, greatest) + b.sum * online_weight(b.greatest, greatest)};
}

template <int AXIS, class T, class X, class L>
__device__ __forceinline__ auto online_start(const tile<X, L>&) {
  return full<online<T>, slice<L, AXIS>>(online<T>{lowest<T>(), T(0)});
}
template <int AXIS, class T, class X, class L>
__device__ __forceinline__ void online_add(tile<online<T>, slice<L, AXIS>>& row, const tile<X, L>& t) {
  using S = slice<L, AXIS>;
  const auto x = cast<T>(t);
  const auto greatest = reduce_registers<AXIS>(x, greater_of<T>, lowest<T>());
#pragma unroll
  for (int i = 0; i < S::registers; ++i) {
    const T now = greater_of(row.v[i].greatest, greatest.v[i]);
    row.v[i] = {now, row.v[i].sum * online_weight(row.v[i].greatest, now)};
  }
#pragma unroll
  for (int i = 0; i < L::registers; ++i)
    if (L::inside(i)) {
      online<T>& pair = row.v[S::slot(i)];
      pair.sum += online_weight(x.v[i], pair.greatest);
    }
}
template <class T, class S>
__device__ __forceinline__ void online_finish(tile<online<T>, S>& row) {
  reduce_threads(row, online_join<T>);
}
template <class T, class S>
__device__ __forceinline__ auto greatest_of(const tile<online<T>, S>& row) {
  return map([](online<T> pair) { return pair.greatest; }, row);
}
template <class T, class S>
__device__ __forceinline__ auto sum_of(const tile<online<T>, S>& row) {
  return map([](online<T> pair) { return pair.sum; }, row);
}
