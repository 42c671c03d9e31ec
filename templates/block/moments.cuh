#pragma once
// Count, mean and sum of squared differences from the mean of rows of any length, in one pass without cancellation:
//   auto row = moments_start<1, float>(t)   nothing yet, for each row of tiles laid out as t
//   moments_add<1>(row, t, mask)            another tile; only columns for which the row `mask` holds count
//   moments_finish(row)                     all threads' put together: mean_of(row), squares_of(row)
#include "block/reduce.cuh"

template <class T>
struct moments { T count, mean, squares; };

template <class T>
__device__ __forceinline__ moments<T> moments_join(moments<T> a, moments<T> b) {
  const T count = a.count + b.count, share = count > T(0) ? b.count / count : T(0), apart = b.mean - a.mean;
  return {count, a.mean + apart * share, a.squares + b.squares + apart * apart * a.count * share};
}

template <int AXIS, class T, class X, class L>
__device__ __forceinline__ auto moments_start(const tile<X, L>&) {
  return full<moments<T>, slice<L, AXIS>>(moments<T>{T(0), T(0), T(0)});
}
template <int AXIS, class T, class X, class L, class M, class K>
__device__ __forceinline__ void moments_add(tile<moments<T>, slice<L, AXIS>>& row, const tile<X, L>& t,
                                            const tile<M, K>& mask) {
  using S = slice<L, AXIS>;
  const auto& counts = beside_layout<L>(mask);
  const auto x = cast<T>(t);
  auto part = full<moments<T>, S>(moments<T>{T(0), T(0), T(0)});
#pragma unroll
  for (int i = 0; i < L::registers; ++i)
    if (L::inside(i) && element_at<L>(counts, i)) {
      part.v[S::slot(i)].count += T(1);
      part.v[S::slot(i)].mean += x.v[i];
    }
#pragma unroll
  for (int i = 0; i < S::registers; ++i) part.v[i].mean /= part.v[i].count > T(0) ? part.v[i].count : T(1);
#pragma unroll
  for (int i = 0; i < L::registers; ++i)
    if (L::inside(i) && element_at<L>(counts, i)) {
      const T apart = x.v[i] - part.v[S::slot(i)].mean;
      part.v[S::slot(i)].squares += apart * apart;
    }
#pragma unroll
  for (int i = 0; i < S::registers; ++i) row.v[i] = moments_join(row.v[i], part.v[i]);
}
template <class T, class S>
__device__ __forceinline__ void moments_finish(tile<moments<T>, S>& row) { reduce_threads(row, moments_join<T>); }

template <class T, class S>
__device__ __forceinline__ auto mean_of(const tile<moments<T>, S>& row) {
  return map([](moments<T> m) { return m.mean; }, row);
}
template <class T, class S>
__device__ __forceinline__ auto squares_of(const tile<moments<T>, S>& row) {
  return map([](moments<T> m) { return m.squares; }, row);
}
