#pragma once
// Atomic updates of a tensor, in no set order: sums of floats then differ in their last bits from run to run. Values are
// cast to the tensor's dtype first. A template asks for these by name; nothing else in the block library uses them.
//   atomic_add(y, rows, cols, value)    f64 f32 f16 bf16 i32 i64; masked by y's extents
//   atomic_max, atomic_min              f32 i32 i64; a NaN wins, as in block/extremes.cuh
//   atomic_add(y, indices, value)       a tensor of one axis
//   atomic_add(y, offsets, value, mask) by offsets and mask, as in block/gather.cuh
// Each element of the tile counts once. y's access is "update".
#include "block/gather.cuh"
#include "block/indices.cuh"
#include "block/logic.cuh"

__device__ __forceinline__ void atomic_add_of(float* p, float v) { atomicAdd(p, v); }
__device__ __forceinline__ void atomic_add_of(double* p, double v) { atomicAdd(p, v); }
__device__ __forceinline__ void atomic_add_of(i32* p, i32 v) { atomicAdd(p, v); }
__device__ __forceinline__ void atomic_add_of(i64* p, i64 v) { atomicAdd(reinterpret_cast<u64*>(p), (u64)v); }
__device__ __forceinline__ void atomic_add_of(f16* p, f16 v) {
  asm volatile("red.global.add.noftz.f16 [%0], %1;" ::"l"(__cvta_generic_to_global(p)), "h"(v.bits) : "memory");
}
__device__ __forceinline__ void atomic_add_of(bf16* p, bf16 v) {
  asm volatile("red.global.add.noftz.bf16 [%0], %1;" ::"l"(__cvta_generic_to_global(p)), "h"(v.bits) : "memory");
}

__device__ __forceinline__ void atomic_max_of(i32* p, i32 v) { atomicMax(p, v); }
__device__ __forceinline__ void atomic_max_of(i64* p, i64 v) { atomicMax(p, v); }
__device__ __forceinline__ void atomic_min_of(i32* p, i32 v) { atomicMin(p, v); }
__device__ __forceinline__ void atomic_min_of(i64* p, i64 v) { atomicMin(p, v); }
// Bits of floats of one sign are ordered as integers; a NaN takes the end of the order that wins.
__device__ __forceinline__ void atomic_max_of(float* p, float v) {
  const i32 bits = v != v ? 0x7fffffff : __float_as_int(v);
  if (bits >= 0) atomicMax(reinterpret_cast<i32*>(p), bits);
  else atomicMin(reinterpret_cast<u32*>(p), (u32)bits);
}
__device__ __forceinline__ void atomic_min_of(float* p, float v) {
  const i32 bits = v != v ? -1 : __float_as_int(v);
  if (bits >= 0) atomicMin(reinterpret_cast<i32*>(p), bits);
  else atomicMax(reinterpret_cast<u32*>(p), (u32)bits);
}

template <class Op, class View, class I, class L, class T, class H, class M, class K>
__device__ __forceinline__ void update(const View& y, const tile<I, L>& offsets, const tile<T, H>& value,
                                       const tile<M, K>& mask) {
  static_assert(View::writable, "the template declares this tensor as read");
  using E = typename View::type;
  const auto& on = beside_layout<L>(mask);
  const auto& from = beside_layout<L>(value);
#pragma unroll
  for (int i = 0; i < L::registers; ++i) {
    bool counts = L::inside(i) && element_at<L>(on, i);
    if constexpr (L::rank == 1) counts = counts && L::owner();
    block_check(!counts || (offsets.v[i] >= reach<false>(y) && offsets.v[i] <= reach<true>(y)),
                "an atomic update outside of the tensor");
    if (counts) Op::of(y.data + offsets.v[i], cast<E>(element_at<L>(from, i)));
  }
}
template <class Op, class View, int M, int N, class T, class L>
__device__ __forceinline__ void update(const View& y, range<M> rows, range<N> cols, const tile<T, L>& value) {
  static_assert(View::rank == 2 && L::rank == 2 && L::rows == M && L::cols == N, "a tile of the ranges' extents");
  const auto row = indices<0>(value, rows);
  const auto col = indices<1>(value, cols);
  const auto inside = row >= 0 && row < y.template size<0>() && col >= 0 && col < y.template size<1>();
  const auto offsets = row * y.template stride<0>() + col * y.template stride<1>();
  update<Op>(y, offsets, value, inside);
}
template <class Op, class View, int N, class T, class L>
__device__ __forceinline__ void update(const View& y, range<N> r, const tile<T, L>& value) {
  static_assert(View::rank == 1 && L::rank == 1 && L::size == N, "a tile of the range's extent");
  tile<i64, L> offsets;
  tile<bool, L> inside;
#pragma unroll
  for (int i = 0; i < L::registers; ++i) {
    const i64 index = r.start + L::index(i);
    offsets.v[i] = index * y.template stride<0>();
    inside.v[i] = index >= 0 && index < y.template size<0>();
  }
  update<Op>(y, offsets, value, inside);
}

#define TILEJIT_ATOMIC(NAME)                                                                                           \
  struct NAME##_op {                                                                                                   \
    template <class T>                                                                                                 \
    __device__ __forceinline__ static void of(T* place, T value) {                                                     \
      NAME##_of(place, value);                                                                                         \
    }                                                                                                                  \
  };                                                                                                                   \
  template <class View, class... X>                                                                                    \
  __device__ __forceinline__ void NAME(const View& y, const X&... x) {                                                 \
    update<NAME##_op>(y, x...);                                                                                        \
  }
TILEJIT_ATOMIC(atomic_add)
TILEJIT_ATOMIC(atomic_max)
TILEJIT_ATOMIC(atomic_min)
#undef TILEJIT_ATOMIC
