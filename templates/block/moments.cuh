#pragma once
// Count, mean and sum of squared differences from the mean of rows of any length, in one pass without cancellation:
//   auto row = moments_start<1, float>(t)   nothing yet, for each row of tiles laid out as t
//   moments_add<1>(row, t, mask)            another tile; only columns for which the row `mask` holds count
//   moments_finish(row)                     all threads' put together: mean_of(row), squares_of(row)
// A mean is rounded, so that even rows of one number alone differ from it. By how much shows in the sum of the differences d:
//   drift_of<1>(d), drift_of(sums, squares)   sums of d and of d * d, of each row: sum_of(row), squares_of(row); whole, of tiles
//                                             that hold each thread's
//   mean_is_exact<X>                          whether sums of up to 65536 of the same X are
#include "block/reduce.cuh"

template <class T>
struct moments { T count, mean, squares; };

template <class T>
__device__ __forceinline__ moments<T> moments_join(moments<T> a, moments<T> b) {
  const T count = a.count + b.count, share = count > T(0) ? b.count / count : T(0), apart = b.mean - a.mean;
  return {count, a.mean + apart * share, a.squares + b.squares + apart * apart * a.count * share};
}

template <class X>
inline constexpr bool mean_is_exact = is_same<X, bf16>;  // 8 bits times 65536 fit into float's 24

template <class T>
struct drift { T sum, squares; };
template <class T>
__device__ __forceinline__ drift<T> drift_join(drift<T> a, drift<T> b) { return {a.sum + b.sum, a.squares + b.squares}; }
template <int AXIS, class T, class L>
__device__ __forceinline__ auto drift_of(const tile<T, L>& d) {
  return reduce<AXIS>(map([](T x) { return drift<T>{x, x * x}; }, d), drift_join<T>, drift<T>{T(0), T(0)});
}
template <class T, class L>
__device__ __forceinline__ drift<T> drift_of(const tile<T, L>& sums, const tile<T, L>& squares) {
  tile<drift<T>, L> both;
#pragma unroll
  for (int i = 0; i < L::registers; ++i) both.v[i] = {sums.v[i], squares.v[i]};
  return reduce_all(both, drift_join<T>, drift<T>{T(0), T(0)});
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
  auto off = full<T, S>(T(0));
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
      off.v[S::slot(i)] += apart;
    }
#pragma unroll
  for (int i = 0; i < S::registers; ++i) {
    const T by = off.v[i] / (part.v[i].count > T(0) ? part.v[i].count : T(1));
    part.v[i].mean += by, part.v[i].squares -= off.v[i] * by;
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
template <class T, class S>
__device__ __forceinline__ auto sum_of(const tile<drift<T>, S>& row) {
  return map([](drift<T> d) { return d.sum; }, row);
}
template <class T, class S>
__device__ __forceinline__ auto squares_of(const tile<drift<T>, S>& row) {
  return map([](drift<T> d) { return d.squares; }, row);
}
