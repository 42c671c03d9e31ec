#pragma once
// Tiles of views with more than two axes, and of several views at once: a tile lies in the last two axes, a program id
// walks through the outer ones, and all operands are held in one layout.
//   const outer_place<OUTER> place(y, program_id<2>())   which index this program has along each of the outer axes
//   const plane_of<Y> p(y, place)                        the last two axes there: a view of rank 2
//   layout_for_all<M, N, P, Q, ...>                      vectors that every plane with unit stride along columns allows
//   load_along<L>(p, row, col)                           in layout L; through scratch where the unit stride is the rows'
//   load_spread<L>(p, row, col)                          where the columns' stride is 0: one load a vector
//   store_along<L>(p, row, col, tile)                    L's own elements, masked by the plane's extents
// Each thread loads and stores the same elements of planes that lie equally, so a plane may be loaded and stored in place.
#include "block/cast.cuh"
#include "block/memory.cuh"

template <int OUTER>
struct outer_place {
  i64 index[OUTER > 0 ? OUTER : 1];

  template <class View>
  __device__ __forceinline__ outer_place(const View& x, i64 id) {
    static_assert(View::rank == OUTER + 2, "a place of another rank");
    walk<OUTER - 1>(x, id);
  }

 private:
  template <int AXIS, class View>
  __device__ __forceinline__ void walk(const View& x, i64 id) {
    if constexpr (AXIS > 0) {
      const i64 rest = id / x.template size<AXIS>();
      index[AXIS] = id - rest * x.template size<AXIS>();
      walk<AXIS - 1>(x, rest);
    } else {
      index[0] = id;
    }
  }
};

template <class View>
struct plane_of {
  using type = typename View::type;
  static constexpr int outer = View::rank - 2;
  static constexpr int rank = 2, align = View::align;
  static constexpr int unit_axis = View::unit_axis >= outer ? View::unit_axis - outer : -1;
  static constexpr bool writable = View::writable;
  decltype(View::data) data;
  i64 row_count, col_count, row_step, col_step;

  __device__ __forceinline__ plane_of(const View& x, const outer_place<outer>& place)
      : data(x.data + offset<outer - 1>(x, place)),
        row_count(x.template size<outer>()),
        col_count(x.template size<outer + 1>()),
        row_step(x.template stride<outer>()),
        col_step(x.template stride<outer + 1>()) {}
  template <int AXIS>
  __device__ __forceinline__ i64 size() const { return AXIS == 0 ? row_count : col_count; }
  template <int AXIS>
  __device__ __forceinline__ i64 stride() const {
    if constexpr (AXIS == unit_axis) return 1;
    else return AXIS == 0 ? row_step : col_step;
  }

 private:
  template <int AXIS>
  __device__ __forceinline__ static i64 offset(const View& x, const outer_place<outer>& place) {
    if constexpr (AXIS < 0) return 0;
    else return place.index[AXIS] * x.template stride<AXIS>() + offset<AXIS - 1>(x, place);
  }
};

template <class... Planes>
__host__ __device__ constexpr int widest_element() {
  int most = 1;
  ((most = larger(most, (int)sizeof(typename Planes::type))), ...);
  return most;
}
// The longest vector along columns that every plane with its unit stride there allows; 1 where there is none.
template <int M, int N, class... Planes>
__host__ __device__ constexpr int shared_vector() {
  int least = 0;
  ((least = Planes::unit_axis != 1 ? least
            : least == 0 ? vector_for(sizeof(typename Planes::type), Planes::align, N, M * N)
                         : smaller(least, vector_for(sizeof(typename Planes::type), Planes::align, N, M * N))),
   ...);
  return larger(1, least);
}

// As layout_choice in block/layout.cuh, for several planes.
template <int M, int N, class... Planes>
struct layout_for_all_choice {
  static constexpr int bytes = widest_element<Planes...>();
  static constexpr int v = shared_vector<M, N, Planes...>();
  static constexpr int line = smaller(32, larger(1, line_bytes / (v * bytes)));
  static constexpr int needed = larger(1, num_threads / pow2_ceil(M));
  static constexpr int t = smaller(num_threads, smaller(larger(line, needed), pow2_ceil(cdiv(N, v))));
  using type = blocked<M, N, 1, v, t, 1>;
};
template <int M, int N, class... Planes>
using layout_for_all = typename layout_for_all_choice<M, N, Planes...>::type;

template <class L, class P>
inline constexpr bool has_vectors = P::unit_axis == 1 && L::vector * (int)sizeof(typename P::type) <= P::align;

// f(register, address, whether it is inside) for each element of L.
template <class L, class P, class F>
__device__ __forceinline__ void each_element(const P& p, i64 row, i64 col, F f) {
  const i64 down = p.template stride<0>() * (i64)sizeof(typename P::type);
  const i64 right = p.template stride<1>() * (i64)sizeof(typename P::type);
  const int rows_left = left_of(p.template size<0>(), row, L::slow_size) - L::slow_lane();
  const int cols_left = left_of(p.template size<1>(), col, L::fast_size) - L::fast_lane();
  const u64 first = __cvta_generic_to_global(p.data) + (row + L::slow_lane()) * down + (col + L::fast_lane()) * right;
#pragma unroll
  for (int i = 0; i < L::registers; ++i)
    f(i, first + L::slow_offset(i) * down + L::fast_offset(i) * right,
      L::slow_offset(i) < rows_left && L::fast_offset(i) < cols_left);
}

template <class L, class P>
__device__ __forceinline__ auto load_along(const P& p, i64 row, i64 col) {
  static_assert(L::fast_axis == 1, "a layout along columns");
  using T = typename P::type;
  if constexpr (P::unit_axis == 0) {
    return convert<L>(load(p, range<L::rows>{row}, range<L::cols>{col}));
  } else {
    tile<T, L> t{};
    if constexpr (has_vectors<L, P>) transfer<false, L>(p, row, col, t.v);
    else each_element<L>(p, row, col, [&](int i, u64 address, bool on) { load_vector<1>(t.v + i, address, on); });
    return t;
  }
}

template <class L, class P>
__device__ __forceinline__ auto load_spread(const P& p, i64 row, i64 col) {
  tile<typename P::type, L> t{};
  each_element<L>(p, row, col, [&](int i, u64 address, bool on) {
    if (i % L::vector == 0) load_vector<1>(t.v + i, address, on);
    else t.v[i] = t.v[i - i % L::vector];
  });
  return t;
}

template <class L, class P, class T>
__device__ __forceinline__ void store_along(const P& p, i64 row, i64 col, const tile<T, L>& value) {
  static_assert(P::writable && is_same<T, typename P::type>, "a tile of the tensor's own dtype, to be written");
  if constexpr (P::unit_axis == 0) store(p, range<L::rows>{row}, range<L::cols>{col}, value);
  else if constexpr (has_vectors<L, P>) transfer<true, L>(p, row, col, value.v);
  else each_element<L>(p, row, col, [&](int i, u64 address, bool on) { store_vector<1>(value.v + i, address, on); });
}
