#pragma once
// load and store of 2-D tiles by tensor and ranges, masked by the tensor's own extents.
//   load(x, rows, cols)          what lies outside x is `other` (0 unless given as a last argument)
//   store(y, rows, cols, value)  what lies outside y is not written; values are cast to y's dtype
// A range whose start is negative or off a vector's boundary is right too: it goes element by element.
#include "block/access.cuh"
#include "block/convert.cuh"

// What is left of an axis from `start` on, at most a block of it.
__device__ __forceinline__ int left_of(i64 size, i64 start, int block) {
  const i64 left = size - start;
  return (int)(left < 0 ? 0 : left < block ? left : block);
}

// Calls visit.access<COUNT>(register, address, on) for each COUNT registers of this thread: whole vectors where the start
// allows it, single elements elsewhere. `on`: they lie in the tensor.
template <class View, class L, class Visit>
__device__ __forceinline__ void each_access(const View& x, i64 fast_start, i64 slow_start, Visit visit) {
  constexpr int fast = L::fast_axis, slow = 1 - fast;
  constexpr int fast_pitch = L::vector * L::lanes, slow_pitch = L::adjacent * L::across;
  constexpr i64 bytes = sizeof(typename View::type);
  const i64 fast_step = x.template stride<fast>() * bytes, slow_step = x.template stride<slow>() * bytes;
  const int fast_lane = L::fast_lane(), slow_lane = L::slow_lane();
  const u64 first = __cvta_generic_to_global(x.data) + (fast_start + fast_lane) * fast_step +
                    (slow_start + slow_lane) * slow_step;
  const int fast_left = left_of(x.template size<fast>(), fast_start, L::fast_size) - fast_lane;
  const int slow_left = left_of(x.template size<slow>(), slow_start, L::slow_size) - slow_lane;
  if (fast_start >= 0 && slow_start >= 0 && fast_start % L::vector == 0) {
#pragma unroll
    for (int r = 0; r < L::slow_repeats; ++r)
#pragma unroll
      for (int k = 0; k < L::fast_repeats; ++k)
#pragma unroll
        for (int a = 0; a < L::adjacent; ++a)
          visit.template access<L::vector>(((r * L::fast_repeats + k) * L::adjacent + a) * L::vector,
                                           first + k * fast_pitch * fast_step + (r * slow_pitch + a) * slow_step,
                                           k * fast_pitch < fast_left && r * slow_pitch + a < slow_left);
  } else {
#pragma unroll
    for (int i = 0; i < L::registers; ++i) {
      const int f = L::fast_offset(i), s = L::slow_offset(i);
      visit.template access<1>(i, first + f * fast_step + s * slow_step,
                               f < fast_left && s < slow_left && fast_start + fast_lane + f >= 0 &&
                                   slow_start + slow_lane + s >= 0);
    }
  }
}

template <class T>
struct load_to {
  T* v;
  template <int COUNT>
  __device__ __forceinline__ void access(int i, u64 address, bool on) const { load_vector<COUNT>(v + i, address, on); }
};
template <class T>
struct store_from {
  const T* v;
  template <int COUNT>
  __device__ __forceinline__ void access(int i, u64 address, bool on) const { store_vector<COUNT>(v + i, address, on); }
};

template <class View, int M, int N, class L>
__device__ __forceinline__ void load_into(tile<typename View::type, L>& t, const View& x, range<M> rows, range<N> cols) {
  static_assert(View::rank == 2, "two ranges want a tensor of two axes");
  each_access<View, L>(x, L::fast_axis ? cols.start : rows.start, L::fast_axis ? rows.start : cols.start,
                       load_to<typename View::type>{t.v});
}
template <class View, int M, int N>
__device__ __forceinline__ auto load(const View& x, range<M> rows, range<N> cols) {
  tile<typename View::type, layout_of<View, M, N>> t{};
  load_into(t, x, rows, cols);
  return t;
}
template <class View, int M, int N>
__device__ __forceinline__ auto load(const View& x, range<M> rows, range<N> cols, typename View::type other) {
  auto t = full<typename View::type, layout_of<View, M, N>>(other);
  load_into(t, x, rows, cols);
  return t;
}

template <class View, int M, int N, class T, class L>
__device__ __forceinline__ void store(const View& y, range<M> rows, range<N> cols, const tile<T, L>& value) {
  static_assert(View::rank == 2, "two ranges want a tensor of two axes");
  static_assert(View::writable, "the template declares this tensor as read");
  using To = layout_of<View, M, N>;
  if constexpr (is_same<L, To> && is_same<T, typename View::type>) {
    each_access<View, To>(y, To::fast_axis ? cols.start : rows.start, To::fast_axis ? rows.start : cols.start,
                          store_from<T>{value.v});
  } else {
    store(y, rows, cols, convert<To>(cast<typename View::type>(value)));
  }
}
