#pragma once
// Ranges as tiles of indices, where a tile's elements lie:
//   indices<0>(t)           a column: each row's number within the tile t, i32
//   indices<1>(t)           a row: each column's number
//   indices<AXIS>(t, range) the range's own numbers, i64
//   below<AXIS>(t, n)       a mask: indices<AXIS>(t) < n, an instruction an index
// They cost no memory and no barrier, and spread over t: where(indices<1>(t, cols) < n, t, 0).
//   zeros<T>(rows, cols)    a tile for ranges that belong to no tensor
#include "block/slice.cuh"

template <int AXIS, class T, class L>
__device__ __forceinline__ auto indices(const tile<T, L>&) {
  static_assert(L::rank == 2 && (AXIS == 0 || AXIS == 1), "a tile of two axes has rows (0) and columns (1)");
  using S = slice<L, 1 - AXIS>;
  tile<i32, S> result;
#pragma unroll
  for (int i = 0; i < S::registers; ++i) result.v[i] = S::index(i);
  return result;
}
template <int AXIS, class T, class L>
__device__ __forceinline__ auto below(const tile<T, L>&, i32 n) {
  static_assert(L::rank == 2 && (AXIS == 0 || AXIS == 1), "a tile of two axes has rows (0) and columns (1)");
  using S = slice<L, 1 - AXIS>;
  const i32 left = n - S::lane();
  tile<bool, S> result;
#pragma unroll
  for (int i = 0; i < S::registers; ++i) result.v[i] = S::offset(i) < left;
  return result;
}
template <int AXIS, class T, class L, int N>
__device__ __forceinline__ auto indices(const tile<T, L>&, range<N> r) {
  using S = slice<L, 1 - AXIS>;
  static_assert(N == S::size, "the range does not have the tile's extent along that axis");
  tile<i64, S> result;
#pragma unroll
  for (int i = 0; i < S::registers; ++i) result.v[i] = r.start + S::index(i);
  return result;
}
template <class T, int M, int N>
__device__ __forceinline__ auto zeros(range<M>, range<N>) {
  return full<T, typename layout_choice<-1, sizeof(T), sizeof(T), M, N>::type>(T(0));
}
