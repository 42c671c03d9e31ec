#pragma once
// V neighbours along the columns of a tensor of two axes, in one thread's registers.
//   load_line<T>(v, x, row, col, count)   v[k] = x[row, col + k], cast to T, for k < count; 0 beyond
//   store_line(y, row, col, v, count)     y[row, col + k] = v[k], cast to y's dtype, for k < count
// count may be more than V, or less than 0: then nothing is touched. col is a multiple of V, a power of two. Accesses are as
// wide as the tensor's alignment class allows; along an axis of stride 0 one element is read. Addresses are 64-bit.
#include "block/access.cuh"
#include "block/cast.cuh"

// Elements in one access. As the alignment class divides the columns' byte extent, none is partly inside.
template <class View, int V>
__host__ __device__ constexpr int line_access() {
  constexpr int most = (View::align < 16 ? View::align : 16) / (int)sizeof(typename View::type);
  if constexpr (View::unit_axis != 1 || most < 1) return 1;
  else return most < V ? most : V;
}
template <class View>
__device__ __forceinline__ u64 address_in(const View& x, i64 row, i64 col) {
  return __cvta_generic_to_global(x.data) +
         (row * x.template stride<0>() + col * x.template stride<1>()) * (i64)sizeof(typename View::type);
}

template <class T, int V, class View>
__device__ __forceinline__ void load_line(T (&v)[V], const View& x, i64 row, i64 col, int count) {
  using X = typename View::type;
  constexpr int together = line_access<View, V>();
  alignas(16) X raw[V] = {};
  const i64 step = x.template stride<1>() * (i64)sizeof(X);
  const u64 first = address_in(x, row, col);
  if (step == 0) {
    load_vector<1>(raw, first, count > 0);
#pragma unroll
    for (int k = 1; k < V; ++k)
      if (k < count) raw[k] = raw[0];
  } else {
#pragma unroll
    for (int k = 0; k < V; k += together) load_vector<together>(raw + k, first + k * step, k < count);
  }
#pragma unroll
  for (int k = 0; k < V; ++k) v[k] = cast<T>(raw[k]);
}

template <class T, int V, class View>
__device__ __forceinline__ void store_line(const View& y, i64 row, i64 col, const T (&v)[V], int count) {
  using Y = typename View::type;
  static_assert(View::writable, "the template declares this tensor as read");
  constexpr int together = line_access<View, V>();
  alignas(16) Y raw[V];
#pragma unroll
  for (int k = 0; k < V; ++k) raw[k] = cast<Y>(v[k]);
  const i64 step = y.template stride<1>() * (i64)sizeof(Y);
  const u64 first = address_in(y, row, col);
#pragma unroll
  for (int k = 0; k < V; k += together) store_vector<together>(raw + k, first + k * step, k < count);
}
