#pragma once
// For tiles of one axis that fill most of a thread's registers, 2-byte ones without ever being widened as a whole.
//   piece(t, k)             each thread's vector k of the tile t, as a tile, or 8 of one element; there are pieces<L>, L
//                           being t's layout
//   set_piece(t, k, part)   puts it back
//   piece<L>(indices, k)    the part of t's range where it lies. What is done to a piece at a time holds few registers
//   add_pieces(t, x, row, indices), store_pieces(y, row, indices, t)      t += load(x, row, indices); store
//   keep_packed(t, x)       t of the tensor x, of 2-byte elements: what was computed from them, widened ones above all, is
//                           not kept for what follows, but computed from the packed ones again
#include "block/elementwise.cuh"
#include "block/math.cuh"
#include "block/memory_1d.cuh"

// A thread's registers in a piece: a mask of its own is too much for one element.
template <class L>
inline constexpr int piece_registers = L::vector == 1 && L::registers % 8 == 0 ? 8 : L::vector;
template <class L>
inline constexpr int pieces = L::registers / piece_registers<L>;
template <class L>
using piece_layout = flat<piece_registers<L> * num_threads, L::vector>;

template <class T, class L>
__device__ __forceinline__ auto piece(const tile<T, L>& t, int k) {
  static_assert(L::rank == 1 && L::exact, "the tile has one axis, in whole vectors");
  tile<T, piece_layout<L>> part;
#pragma unroll
  for (int i = 0; i < piece_registers<L>; ++i) part.v[i] = t.v[k * piece_registers<L> + i];
  return part;
}
template <class T, class L>
__device__ __forceinline__ void set_piece(tile<T, L>& t, int k, const tile<T, piece_layout<L>>& part) {
#pragma unroll
  for (int i = 0; i < piece_registers<L>; ++i) t.v[k * piece_registers<L> + i] = part.v[i];
}
template <class L, int N>
__device__ __forceinline__ auto piece(range<N> indices, int k) {
  static_assert(N == L::size, "the range is not the tile's");
  return indices.start + k * piece_layout<L>::size + arange<piece_layout<L>::size>();
}

template <class T, class L, class View, int N>
__device__ __forceinline__ void add_pieces(tile<T, L>& t, const View& x, i64 row, range<N> indices) {
#pragma unroll
  for (int k = 0; k < pieces<L>; ++k) set_piece(t, k, cast<T>(piece(t, k) + load(x, row, piece<L>(indices, k))));
}

template <class View, int N, class T, class L>
__device__ __forceinline__ void store_pieces(const View& y, i64 row, range<N> indices, const tile<T, L>& t) {
#pragma unroll
  for (int k = 0; k < pieces<L>; ++k) store(y, row, piece<L>(indices, k), piece(t, k));
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
