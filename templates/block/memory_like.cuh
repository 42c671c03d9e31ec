#pragma once
// Loads whose tiles lie where another tile does, so that operands meet without going through shared memory.
//   load_like(t, x, rows, cols)       x's tile, laid out as the tile t
//   load_beside(y, x, rows, cols)     laid out as y's tiles, where x loses nothing by it; else as x's own
//   load_along<1>(t, v, cols)         a tensor of one axis: one element for each column of t (0: for each row)
// A last argument is `other`, as in block/memory.cuh. An axis of stride 0 along a vector is read once for all of it.
#include "block/memory.cuh"
#include "block/slice.cuh"

template <class View>
extern const View some_view;  // of no memory: only for what does not depend on its members
template <i64>
struct literal {};
// The view has stride 0 along AXIS, and the compiler knows.
template <class View, int AXIS>
concept repeats = requires { typename literal<1 / (some_view<View>.template stride<AXIS>() == 0)>; };

// The widest access that COUNT neighbours along AXIS can be cut into.
template <class View, int AXIS, int COUNT>
inline constexpr int width_along =
    View::unit_axis == AXIS ? smaller(COUNT, larger(1, smaller(View::align, vector_bytes) / (int)sizeof(typename View::type)))
                            : 1;

template <class L, class View>
__device__ __forceinline__ auto load_as(const View& x, i64 row, i64 col, typename View::type other) {
  static_assert(View::rank == 2, "two ranges want a tensor of two axes");
  using T = typename View::type;
  constexpr int fast = L::fast_axis, slow = 1 - fast, width = width_along<View, fast, L::vector>;
  const i64 fast_start = fast ? col : row, slow_start = fast ? row : col;
  const i64 fast_step = x.template stride<fast>() * (i64)sizeof(T), slow_step = x.template stride<slow>() * (i64)sizeof(T);
  const i64 f0 = fast_start + L::fast_lane(), s0 = slow_start + L::slow_lane();
  const u64 first = __cvta_generic_to_global(x.data) + f0 * fast_step + s0 * slow_step;
  const int fast_left = left_of(x.template size<fast>(), fast_start, L::fast_size) - L::fast_lane();
  const int slow_left = left_of(x.template size<slow>(), slow_start, L::slow_size) - L::slow_lane();
  auto t = full<T, L>(other);
  const auto inside = [&](int f, int s) { return f < fast_left && s < slow_left && f0 + f >= 0 && s0 + s >= 0; };
  const bool whole = width == 1 || fast_start % width == 0;
#pragma unroll
  for (int i = 0; i < L::registers; i += width) {
    const int f = L::fast_offset(i), s = L::slow_offset(i);
    const u64 address = first + f * fast_step + s * slow_step;
    if constexpr (repeats<View, fast>) {
      if (i % L::vector == 0 || fast_start < 0) load_vector<1>(t.v + i, address, inside(f, s));
      else if (inside(f, s)) t.v[i] = t.v[i - i % L::vector];
    } else if (whole) {
      load_vector<width>(t.v + i, address, inside(f, s));
    } else {
#pragma unroll
      for (int j = 0; j < width; ++j) load_vector<1>(t.v + i + j, address + j * fast_step, inside(f + j, s));
    }
  }
  return t;
}

template <class T, class L, class View, int M, int N>
__device__ __forceinline__ auto load_like(const tile<T, L>&, const View& x, range<M> rows, range<N> cols,
                                          typename View::type other = {}) {
  static_assert(L::rank == 2 && L::rows == M && L::cols == N, "the tile does not have the ranges' extents");
  if constexpr (is_same<L, layout_of<View, M, N>>) return load(x, rows, cols, other);
  else return load_as<L>(x, rows.start, cols.start, other);
}

template <class Y, class View, int M, int N>
__device__ __forceinline__ auto load_beside(const Y&, const View& x, range<M> rows, range<N> cols,
                                            typename View::type other = {}) {
  using L = layout_of<Y, M, N>;
  using Own = layout_of<View, M, N>;
  if constexpr (is_same<L, Own>) return load(x, rows, cols, other);
  else if constexpr (L::fast_axis == Own::fast_axis || repeats<View, 0> || repeats<View, 1>)
    return load_as<L>(x, rows.start, cols.start, other);
  else return load(x, rows, cols, other);
}

template <int AXIS, class T, class L, class View, int N>
__device__ __forceinline__ auto load_along(const tile<T, L>&, const View& v, range<N> r, typename View::type other = {}) {
  static_assert(View::rank == 1, "one range wants a tensor of one axis");
  using S = slice<L, 1 - AXIS>;
  static_assert(S::size == N, "the range does not have the tile's extent along that axis");
  constexpr int together = AXIS == L::fast_axis ? L::vector : L::adjacent, width = width_along<View, 0, together>;
  const i64 step = v.template stride<0>() * (i64)sizeof(typename View::type);
  const u64 first = __cvta_generic_to_global(v.data) + r.start * step;
  const int left = left_of(v.template size<0>(), r.start, N);
  auto t = full<typename View::type, S>(other);
  const bool whole = width == 1 || r.start % width == 0;
#pragma unroll
  for (int i = 0; i < S::registers; i += width) {
    const int index = S::index(i);
    const auto inside = [&](int j) { return index + j < left && (r.start >= 0 || r.start + index + j >= 0); };
    if (whole) {
      load_vector<width>(t.v + i, first + index * step, inside(0));
    } else {
#pragma unroll
      for (int j = 0; j < width; ++j) load_vector<1>(t.v + i + j, first + (index + j) * step, inside(j));
    }
  }
  return t;
}
