#pragma once
// load and store of 1-D tiles: of tensors with one axis, and of a row or a column of one with two.
//   load(x, indices), store(y, indices, value)
//   load(x, row, cols), load(x, rows, col), store(...)    one index in place of a range
//   load(x, row, col)                                     one element; every thread reads it
//   indices(range)                                        the range's own numbers, as a tile
//   zeros<T>(x, indices), zeros<T>(x, row, cols)          laid out as load's tile
// Masks, `other` and casts as in block/memory.cuh.
#include "block/memory.cuh"

template <class View, int N>
using flat_of = flat<N, View::unit_axis == 0 ? vector_for(sizeof(typename View::type), View::align, N, N) : 1>;

// As transfer in block/memory.cuh.
template <bool STORE, class L, class View, class T>
__device__ __forceinline__ void transfer(const View& x, i64 start, T* v) {
  constexpr i64 bytes = sizeof(typename View::type);
  constexpr int pitch = L::vector * num_threads;
  using io = access<L::vector * bytes>;
  const i64 step = x.template stride<0>() * bytes;
  const int lane = L::lane();
  const u64 first = __cvta_generic_to_global(x.data) + (start + lane) * step;
  int left = left_of(x.template size<0>(), start, L::size) - lane;
  if constexpr (STORE && L::vector == 1) asm("" : "+r"(left));
  if (start >= 0 && start % L::vector == 0) {
#pragma unroll
    for (int k = 0; k < L::repeats; ++k) {
      T* const vector = v + k * L::vector;
      const u64 address = first + k * pitch * step;
      if constexpr (STORE) io::store(*reinterpret_cast<const typename io::bits*>(vector), address, k * pitch < left);
      else io::load(*reinterpret_cast<typename io::bits*>(vector), address, k * pitch < left);
    }
  } else {
#pragma unroll
    for (int i = 0; i < L::registers; ++i) {
      const int at = i / L::vector * pitch + i % L::vector;
      if (at < left && start + lane + at >= 0) {
        if constexpr (STORE) *reinterpret_cast<typename View::type*>(first + at * step) = v[i];
        else v[i] = *reinterpret_cast<const T*>(first + at * step);
      }
    }
  }
}

template <class View, int N>
__device__ __forceinline__ auto load(const View& x, range<N> indices, typename View::type other = {}) {
  static_assert(View::rank == 1, "one range wants a tensor of one axis");
  using L = flat_of<View, N>;
  auto t = full<typename View::type, L>(other);
  transfer<false, L>(x, indices.start, t.v);
  return t;
}

template <class T, class View, int N>
__device__ __forceinline__ auto zeros(const View&, range<N>) { return full<T, flat_of<View, N>>(T(0)); }

template <int N>
__device__ __forceinline__ auto indices(range<N> r) {
  using L = flat<N, 1>;
  tile<i64, L> t;
#pragma unroll
  for (int i = 0; i < L::registers; ++i) t.v[i] = r.start + L::index(i);
  return t;
}

// The layout of the value decides: any 1-D layout gives each register's index, and one thread of those that hold it.
template <class View, int N, class T, class L>
__device__ __forceinline__ void store(const View& y, range<N> indices, const tile<T, L>& value) {
  static_assert(View::rank == 1 && L::rank == 1, "one range wants a tensor and a tile of one axis");
  static_assert(View::writable, "the template declares this tensor as read");
  static_assert(L::size == N, "the tile does not have the range's size");
  if constexpr (!is_same<T, typename View::type>) {
    store(y, indices, cast<typename View::type>(value));
  } else if constexpr (is_same<L, flat_of<View, N>>) {
    transfer<true, L>(y, indices.start, value.v);
  } else {
    const u64 data = __cvta_generic_to_global(y.data);
    const i64 step = y.template stride<0>() * (i64)sizeof(T);
#pragma unroll
    for (int i = 0; i < L::registers; ++i) {
      const i64 index = indices.start + L::index(i);
      store_vector<1>(value.v + i, data + index * step,
                      L::inside(i) && L::owner() && index >= 0 && index < y.template size<0>());
    }
  }
}

// ---- an index in place of a range -------------------------------------------------------------------------------------
// The row or the column of a view that runs along AXIS, as a view of rank 1; empty where the index lies outside.
template <class View, int AXIS>
struct line {
  using type = typename View::type;
  static constexpr int rank = 1, align = View::align, unit_axis = View::unit_axis == AXIS ? 0 : -1;
  static constexpr bool writable = View::writable;
  decltype(View::data) data;
  i64 extent, step;

  __device__ __forceinline__ line(const View& x, i64 index)
      : data(x.data + index * x.template stride<1 - AXIS>()),
        extent(index >= 0 && index < x.template size<1 - AXIS>() ? x.template size<AXIS>() : 0),
        step(x.template stride<AXIS>()) {
    static_assert(View::rank == 2, "an index and a range want a tensor of two axes");
  }
  template <int>
  __device__ __forceinline__ i64 size() const { return extent; }
  template <int>
  __device__ __forceinline__ i64 stride() const { return unit_axis == 0 ? 1 : step; }
};

template <class View, int N>
  requires(View::rank == 2)
__device__ __forceinline__ auto load(const View& x, i64 row, range<N> cols, typename View::type other = {}) {
  return load(line<View, 1>(x, row), cols, other);
}
template <class T, class View, int N>
__device__ __forceinline__ auto zeros(const View& x, i64 row, range<N> cols) {
  return zeros<T>(line<View, 1>(x, row), cols);
}
template <class View, int M>
  requires(View::rank == 2)
__device__ __forceinline__ auto load(const View& x, range<M> rows, i64 col, typename View::type other = {}) {
  return load(line<View, 0>(x, col), rows, other);
}
template <class View>
__device__ __forceinline__ auto load(const View& x, i64 row, i64 col, typename View::type other = {}) {
  const line<View, 1> cells(x, row);
  load_vector<1>(&other, __cvta_generic_to_global(cells.data + col * cells.template stride<0>()),
                 col >= 0 && col < cells.extent);
  return other;
}
template <class View, int N, class T, class L>
__device__ __forceinline__ void store(const View& y, i64 row, range<N> cols, const tile<T, L>& value) {
  store(line<View, 1>(y, row), cols, value);
}
template <class View, int M, class T, class L>
__device__ __forceinline__ void store(const View& y, range<M> rows, i64 col, const tile<T, L>& value) {
  store(line<View, 0>(y, col), rows, value);
}
