#pragma once
// For tiles of one axis that fill most of a thread's registers, 2-byte ones without ever being widened as a whole.
//   piece(t, k)             each thread's vector k of the tile t, as a tile; there are L::repeats, L being t's layout
//   piece<L>(indices, k)    the part of t's range where it lies. What is done to a piece at a time holds few registers
//   add_pieces(t, x, row, indices), store_pieces(y, row, indices, t)      t += load(x, row, indices); store
//   keep_packed(t, x)       t of the tensor x, of 2-byte elements: what was computed from them, widened ones above all, is
//                           not kept for what follows, but computed from the packed ones again
#include "block/elementwise.cuh"
#include "block/math.cuh"
#include "block/memory_1d.cuh"

template <class L>
using piece_layout = flat<L::vector * num_threads, L::vector>;

template <class T, class L>
__device__ __forceinline__ auto piece(const tile<T, L>& t, int k) {
  static_assert(L::rank == 1 && L::exact, "the tile has one axis, in whole vectors");
  tile<T, piece_layout<L>> part;
#pragma unroll
  for (int i = 0; i < L::vector; ++i) part.v[i] = t.v[k * L::vector + i];
  return part;
}
template <class L, int N>
__device__ __forceinline__ auto piece(range<N> indices, int k) {
  static_assert(N == L::size, "the range is not the tile's");
  return indices.start + k * piece_layout<L>::size + arange<piece_layout<L>::size>();
}

template <class T, class L, class View, int N>
__device__ __forceinline__ void add_pieces(tile<T, L>& t, const View& x, i64 row, range<N> indices) {
#pragma unroll
  for (int k = 0; k < L::repeats; ++k) {
    const auto sum = cast<T>(piece(t, k) + load(x, row, piece<L>(indices, k)));
#pragma unroll
    for (int i = 0; i < L::vector; ++i) t.v[k * L::vector + i] = sum.v[i];
  }
}

template <class View, int N, class T, class L>
__device__ __forceinline__ void store_pieces(const View& y, i64 row, range<N> indices, const tile<T, L>& t) {
#pragma unroll
  for (int k = 0; k < L::repeats; ++k) store(y, row, piece<L>(indices, k), piece(t, k));
}

// No size has that bit, which the assembler does not know: it would see through a move.
template <class T, class L, class View>
__device__ __forceinline__ void keep_packed(tile<T, L>& t, const View& x) {
  if constexpr (sizeof(T) == 2 && L::registers % 2 == 0) {
    const u32 zero = u32(x.template size<0>() >> 62);
#pragma unroll
    for (int i = 0; i < L::registers; i += 2)
      asm volatile("xor.b32 %0, %0, %1;" : "+r"(reinterpret_cast<u32&>(t.v[i])) : "r"(zero));
  }
}
