#pragma once
// Greatest and least elements of a tile, and where they are; see block/reduce.cuh and block/extremes.cuh. A NaN wins.
//   max<AXIS>(t), max(t), min<AXIS>(t), min(t)     in the promoted type
//   argmax<AXIS>(t), argmin<AXIS>(t)               the index along AXIS within the tile, i32; of equals the first; a NaN
//                                                  is greater (less) than all else, as NumPy has it
//   argmax<AXIS>(t, indices)                       pairs {value, index} with the given indices: values_of, indices_of;
//                                                  map(better<true, T, I>, p, q) joins two such
#include "block/extremes.cuh"
#include "block/indices.cuh"
#include "block/reduce.cuh"

template <int AXIS, class T, class L>
__device__ __forceinline__ auto max(const tile<T, L>& t) {
  using P = promoted<T>;
  return reduce<AXIS>(cast<P>(t), greater_of<P>, lowest<P>());
}
template <class T, class L>
__device__ __forceinline__ auto max(const tile<T, L>& t) {
  using P = promoted<T>;
  return reduce_all(cast<P>(t), greater_of<P>, lowest<P>());
}
template <int AXIS, class T, class L>
__device__ __forceinline__ auto min(const tile<T, L>& t) {
  using P = promoted<T>;
  return reduce<AXIS>(cast<P>(t), lesser_of<P>, highest<P>());
}
template <class T, class L>
__device__ __forceinline__ auto min(const tile<T, L>& t) {
  using P = promoted<T>;
  return reduce_all(cast<P>(t), lesser_of<P>, highest<P>());
}

// A value and where it was found.
template <class T, class I>
struct found { T value; I index; };

template <class T>
__device__ __forceinline__ bool beats_in_max(T a, T b) { return a > b || (a != a && b == b); }
template <class T>
__device__ __forceinline__ bool beats_in_min(T a, T b) { return a < b || (a != a && b == b); }

// The one that wins; of equals that with the lower index.
template <bool GREATEST, class T, class I>
__device__ __forceinline__ found<T, I> better(found<T, I> a, found<T, I> b) {
  const bool a_wins = GREATEST ? beats_in_max(a.value, b.value) : beats_in_min(a.value, b.value);
  const bool b_wins = GREATEST ? beats_in_max(b.value, a.value) : beats_in_min(b.value, a.value);
  return a_wins || (!b_wins && a.index <= b.index) ? a : b;
}

template <int AXIS, bool GREATEST, class T, class L, class I, class K>
__device__ __forceinline__ auto arg_extreme(const tile<T, L>& t, const tile<I, K>& indices) {
  using P = promoted<T>;
  const auto pairs = map([](T value, I index) { return found<P, I>{promote(value), index}; }, t, indices);
  return reduce<AXIS>(pairs, better<GREATEST, P, I>, {GREATEST ? lowest<P>() : highest<P>(), highest<I>()});
}
template <int AXIS, class T, class L, class I, class K>
__device__ __forceinline__ auto argmax(const tile<T, L>& t, const tile<I, K>& indices) {
  return arg_extreme<AXIS, true>(t, indices);
}
template <int AXIS, class T, class L, class I, class K>
__device__ __forceinline__ auto argmin(const tile<T, L>& t, const tile<I, K>& indices) {
  return arg_extreme<AXIS, false>(t, indices);
}

template <class T, class I, class L>
__device__ __forceinline__ auto values_of(const tile<found<T, I>, L>& t) {
  return map([](found<T, I> f) { return f.value; }, t);
}
template <class T, class I, class L>
__device__ __forceinline__ auto indices_of(const tile<found<T, I>, L>& t) {
  return map([](found<T, I> f) { return f.index; }, t);
}

template <int AXIS, class T, class L>
__device__ __forceinline__ auto argmax(const tile<T, L>& t) {
  return indices_of(argmax<AXIS>(t, indices<AXIS>(t)));
}
template <int AXIS, class T, class L>
__device__ __forceinline__ auto argmin(const tile<T, L>& t) {
  return indices_of(argmin<AXIS>(t, indices<AXIS>(t)));
}
