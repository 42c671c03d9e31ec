#pragma once
// Views of parts of a tensor. What is known of strides and alignment when this is compiled stays known.
//   view_at(x, i)            what lies at index i of the first axis: an axis less
//   view_at<AXIS>(x, i)      ... of axis AXIS. i must be one of its indices (a debug build checks it)
//   view_first<AXIS>(x, n)   the first n indices of an axis. Along the unit-stride axis n must leave vectors whole: a
//                            multiple of 16, or the extent itself
#include "block/debug.cuh"
#include "block/tensor.cuh"

template <class View, int AT>
struct view_without {
  using type = typename View::type;
  static constexpr bool present = true, writable = View::writable;
  static constexpr int rank = View::rank - 1;
  static constexpr int unit_axis = View::unit_axis == AT ? -1 : View::unit_axis - (View::unit_axis > AT);
  static constexpr int align = View::align;
  decltype(View::data) data;
  View whole;
  template <int AXIS>
  __device__ __forceinline__ constexpr i64 size() const { return whole.template size<AXIS + (AXIS >= AT)>(); }
  template <int AXIS>
  __device__ __forceinline__ constexpr i64 stride() const { return whole.template stride<AXIS + (AXIS >= AT)>(); }
};

template <int AXIS = 0, class View>
__device__ __forceinline__ view_without<View, AXIS> view_at(const View& x, i64 index) {
  static_assert(AXIS < View::rank, "the tensor does not have that axis");
  block_check(index >= 0 && index < x.template size<AXIS>(), "view_at: the index lies outside the tensor");
  return {x.data + index * x.template stride<AXIS>(), x};
}

template <class View, int AT>
struct view_cut : View {
  i64 count;
  template <int AXIS>
  __device__ __forceinline__ constexpr i64 size() const {
    if constexpr (AXIS == AT) return count;
    else return View::template size<AXIS>();
  }
};

template <int AXIS, class View>
__device__ __forceinline__ view_cut<View, AXIS> view_first(const View& x, i64 count) {
  block_check(count >= 0 && count <= x.template size<AXIS>(), "view_first: more indices than the tensor has");
  return {x, count};
}
