#pragma once
// A row in parts, one a program: what two-pass reductions share.
//   segment(x, s, count)   where the s-th of `count` segments of x's columns begins, and x up to where it ends
// Segments have cdiv(columns, count) columns, rounded up to a multiple of 32; the last ones may be short or empty. They
// depend on no Config. Tiles of the view begin whole blocks behind `begin`, and whole blocks of rows behind the first.
#include "block/reduce.cuh"
#include "block/view.cuh"

template <class View>
struct segment_view : view_cut<View, 1> {
  static constexpr bool starts_whole = true;
};
template <class View>
struct row_segment {
  i64 begin;
  segment_view<View> view;
};
template <class View>
__device__ __forceinline__ row_segment<View> segment(const View& x, i64 s, i64 count) {
  const i64 size = x.template size<1>(), end_of_32 = cdiv(size, (i64)32);
  const i64 step = (i64)cdiv((u64)end_of_32, (u64)count) * 32, end = (s + 1) * step;
  return {s * step, {view_first<1>(x, end < size ? end : size)}};
}

// What a quotient or a root of sums in A is computed in.
template <class A>
__device__ constexpr auto real_for() {
  if constexpr (is_same<A, float>) return float{};
  else return double{};
}
template <class A>
using real_accumulator = decltype(real_for<A>());
