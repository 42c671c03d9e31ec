#pragma once
// How operands meet, element by element, as NumPy broadcasts: map(f, x, y, ...) of tiles and plain numbers.
//   Tiles of different layouts meet in that of the one with more elements, of equals in the first one's.
//   A tile of one axis is a row of one with two: it spreads over all rows. as_column(t) makes it a column.
//   What a reduction left spreads along the axis that it lost, and so does an axis of extent 1.
//   A column and a row make a tile of both axes.
#include "block/convert.cuh"
#include "block/slice.cuh"

template <class X>
inline constexpr bool is_tile = false;
template <class T, class L>
inline constexpr bool is_tile<tile<T, L>> = true;

// A layout of one axis that spreads along another axis than it would by itself.
template <class L, int LOST>
struct placed : L {
  static constexpr int lost_axis = LOST;
};
template <class T, class L, int LOST>
__device__ __forceinline__ auto place(const tile<T, L>& t) {
  static_assert(L::rank == 1, "only a tile of one axis can be made a row or a column");
  tile<T, placed<L, LOST>> result;
#pragma unroll
  for (int i = 0; i < L::registers; ++i) result.v[i] = t.v[i];
  return result;
}
template <class T, class L>
__device__ __forceinline__ auto as_column(const tile<T, L>& t) { return place<T, L, 1>(t); }
template <class T, class L>
__device__ __forceinline__ auto as_row(const tile<T, L>& t) { return place<T, L, 0>(t); }

template <class X>
struct layout_in { using type = void; };
template <class T, class L>
struct layout_in<tile<T, L>> { using type = L; };

// A column and a row: of one layout, else in one that suits no access in particular.
template <class L, class K>
struct crossing {
  static constexpr bool column_first = L::lost_axis == 1;
  using type =
      typename layout_choice<-1, 4, 4, column_first ? L::size : K::size, column_first ? K::size : L::size>::type;
};
template <class P, int A, int B>
struct crossing<slice<P, A>, slice<P, B>> { using type = P; };

// The layout in which operands meet; void stands for a number's.
template <class T>
struct is { using type = T; };
template <class L, class K>
__device__ constexpr auto meet() {
  if constexpr (is_same<K, void> || is_same<L, K>) return is<L>{};
  else if constexpr (is_same<L, void>) return is<K>{};
  else if constexpr (L::rank > K::rank) return is<L>{};
  else if constexpr (L::rank < K::rank) return is<K>{};
  else if constexpr (L::rank == 2) {
    if constexpr (K::rows * K::cols > L::rows * L::cols) return is<K>{};
    else return is<L>{};
  } else {
    if constexpr (L::lost_axis != K::lost_axis) return is<typename crossing<L, K>::type>{};
    else return is<L>{};
  }
}
template <class L, class... More>
struct meeting { using type = L; };
template <class L, class K, class... More>
struct meeting<L, K, More...> : meeting<typename decltype(meet<L, K>())::type, More...> {};

// x in a form in which each thread has what its elements of layout L need.
template <class L, class N>
__device__ __forceinline__ const N& beside_layout(const N& number) { return number; }
template <class L, class T, class K>
__device__ __forceinline__ decltype(auto) beside_layout(const tile<T, K>& t) {
  if constexpr (is_same<K, L> || is_slice_of<K, L>) {
    return (t);
  } else if constexpr (K::rank == 1 && L::rank == 2) {
    static_assert(K::size == slice<L, K::lost_axis>::size, "a row's size must be the tile's columns, a column's its rows");
    return convert<slice<L, K::lost_axis>>(t);
  } else if constexpr (K::rank == 1) {
    return convert<L>(t);
  } else if constexpr (K::rows == L::rows && K::cols == L::cols) {
    return convert<L>(t);
  } else {
    static_assert((K::rows == 1 && K::cols == L::cols) || (K::cols == 1 && K::rows == L::rows),
                  "tiles of different shapes meet only where one has extent 1");
    constexpr int lost = K::rows == 1 ? 0 : 1;
    tile<T, slice<K, lost>> line;  // the same registers
#pragma unroll
    for (int i = 0; i < K::registers; ++i) line.v[i] = t.v[i];
    return convert<slice<L, lost>>(line);
  }
}
template <class L, class N>
__device__ __forceinline__ const N& element_at(const N& number, int) { return number; }
template <class L, class T, class K>
__device__ __forceinline__ const T& element_at(const tile<T, K>& t, int i) {
  if constexpr (is_same<K, L>) return t.v[i];
  else return t.v[K::slot(i)];
}

template <class L, class F, class... X>
__device__ __forceinline__ auto map_in(F f, const X&... x) {
  tile<decltype(f(element_at<L>(x, 0)...)), L> result;
#pragma unroll
  for (int i = 0; i < L::registers; ++i) result.v[i] = f(element_at<L>(x, i)...);
  return result;
}
// f of each element; at least one of x is a tile.
template <class F, class... X>
__device__ __forceinline__ auto map(F f, const X&... x) {
  using L = typename meeting<typename layout_in<X>::type...>::type;
  return map_in<L>(f, beside_layout<L>(x)...);
}
