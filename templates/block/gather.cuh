#pragma once
// Loads and stores at places that were computed. A debug build asserts that each lies in its tensor.
//   load(x, offsets), load(x, offsets, mask, other)       tiles of offsets in elements from x's first one, as its strides
//   store(y, offsets, value), store(y, offsets, value, mask)   count; masked lanes hold `other`, or store nothing
//   gather(x, rows, cols, other)      a tile of row numbers and a range of columns: row r of the result is x's row
//   scatter(y, rows, cols, value)     rows[r]; a row or column outside of the tensor is `other`, or is not stored
// Offsets that are not masked must lie in the tensor. Two lanes that store to one place race.
#include "block/debug.cuh"
#include "block/elementwise.cuh"
#include "block/memory.cuh"

// How far a tensor's elements reach from its first one: the lowest and the highest offset.
template <bool HIGHEST, int AXIS = 0, class View>
__device__ __forceinline__ i64 reach(const View& x) {
  if constexpr (AXIS == View::rank) {
    return 0;
  } else {
    const i64 far = (x.template size<AXIS>() - 1) * x.template stride<AXIS>();
    return reach<HIGHEST, AXIS + 1>(x) + ((far > 0) == HIGHEST ? far : 0);
  }
}

template <class View, class I, class L, class M, class K>
__device__ __forceinline__ auto load(const View& x, const tile<I, L>& offsets, const tile<M, K>& mask,
                                     typename View::type other = {}) {
  using T = typename View::type;
  const auto& on = beside_layout<L>(mask);
  auto t = full<T, L>(other);
  const u64 data = __cvta_generic_to_global(x.data);
#pragma unroll
  for (int i = 0; i < L::registers; ++i) {
    const bool counts = L::inside(i) && element_at<L>(on, i);
    block_check(!counts || (offsets.v[i] >= reach<false>(x) && offsets.v[i] <= reach<true>(x)),
                "load: an offset outside of the tensor");
    load_vector<1>(t.v + i, data + (i64)offsets.v[i] * (i64)sizeof(T), counts);
  }
  return t;
}
template <class View, class I, class L>
__device__ __forceinline__ auto load(const View& x, const tile<I, L>& offsets) {
  return load(x, offsets, full<bool, L>(true));
}

template <class View, class I, class L, class T, class H, class M, class K>
__device__ __forceinline__ void store(const View& y, const tile<I, L>& offsets, const tile<T, H>& value,
                                      const tile<M, K>& mask) {
  static_assert(View::writable, "the template declares this tensor as read");
  using E = typename View::type;
  const auto& on = beside_layout<L>(mask);
  const auto& from = beside_layout<L>(value);
  const u64 data = __cvta_generic_to_global(y.data);
#pragma unroll
  for (int i = 0; i < L::registers; ++i) {
    bool counts = L::inside(i) && element_at<L>(on, i);
    if constexpr (L::rank == 1) counts = counts && L::owner();
    block_check(!counts || (offsets.v[i] >= reach<false>(y) && offsets.v[i] <= reach<true>(y)),
                "store: an offset outside of the tensor");
    const E element = cast<E>(element_at<L>(from, i));
    store_vector<1>(&element, data + (i64)offsets.v[i] * (i64)sizeof(E), counts);
  }
}
template <class View, class I, class L, class T, class H>
__device__ __forceinline__ void store(const View& y, const tile<I, L>& offsets, const tile<T, H>& value) {
  store(y, offsets, value, full<bool, L>(true));
}

// ---- rows by number ---------------------------------------------------------------------------------------------------
// Vectors lie along the columns, whatever the rows' numbers are.
template <class View, int M, int N>
using row_layout = typename layout_choice<View::unit_axis == 1 ? 1 : -1, sizeof(typename View::type), View::align, M, N>::type;

template <bool STORE, class L, class View, class I, class K, class T>
__device__ __forceinline__ void transfer_rows(const View& x, const tile<I, K>& rows, i64 col, T* v) {
  static_assert(View::rank == 2 && K::rank == 1 && K::size == L::rows, "one row number for each row of the tile");
  const auto number = beside_layout<L>(as_column(rows));
  const i64 step = x.template stride<1>() * (i64)sizeof(T), first = col + L::fast_lane();
  const u64 data = __cvta_generic_to_global(x.data) + first * step;
  constexpr int width = L::vector;
  const bool whole = col % width == 0;
#pragma unroll
  for (int i = 0; i < L::registers; i += width) {
    const i64 row = element_at<L>(number, i);
    const int f = L::fast_offset(i);
    const bool valid = row >= 0 && row < x.template size<0>();
    block_check(valid || !L::inside(i), "gather, scatter: a row number outside of the tensor");
    const u64 address = data + row * x.template stride<0>() * (i64)sizeof(T) + f * step;
    const auto on = [&](int j) {
      return valid && L::inside(i + j) && first + f + j >= 0 && first + f + j < x.template size<1>();
    };
    if (whole) {
      if constexpr (STORE) store_vector<width>(v + i, address, on(0));
      else load_vector<width>(v + i, address, on(0));
    } else {
#pragma unroll
      for (int j = 0; j < width; ++j) {
        if constexpr (STORE) store_vector<1>(v + i + j, address + j * step, on(j));
        else load_vector<1>(v + i + j, address + j * step, on(j));
      }
    }
  }
}

template <class View, class I, class K, int N>
__device__ __forceinline__ auto gather(const View& x, const tile<I, K>& rows, range<N> cols, typename View::type other = {}) {
  using L = row_layout<View, K::size, N>;
  auto t = full<typename View::type, L>(other);
  transfer_rows<false, L>(x, rows, cols.start, t.v);
  return t;
}
template <class View, class I, class K, int N, class T, class H>
__device__ __forceinline__ void scatter(const View& y, const tile<I, K>& rows, range<N> cols, const tile<T, H>& value) {
  static_assert(View::writable, "the template declares this tensor as read");
  using L = row_layout<View, K::size, N>;
  auto t = convert<L>(cast<typename View::type>(value));
  transfer_rows<true, L>(y, rows, cols.start, t.v);
}
