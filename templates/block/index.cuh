#pragma once
// Which program this is, and ranges of indices. Needs from the unit: num_warps, grid_folded.
#include "block/dtype.cuh"

static_assert(num_warps >= 1 && num_warps <= 32 && (num_warps == 12 || (num_warps & (num_warps - 1)) == 0),
              "num_warps must be 1, 2, 4, 8, 12, 16 or 32");
inline constexpr int num_threads = 32 * num_warps;

template <class A, class B>
__device__ __forceinline__ constexpr auto cdiv(A a, B b) { return (a + b - 1) / b; }  // a >= 0, b > 0

// First in every kernel: the launch before it, which may still be ending, has written what it writes; the next may come.
__device__ __forceinline__ void follow_launch() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;\n\tgriddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// ---- programs ---------------------------------------------------------------------------------------------------------
struct grid_place { i64 id[3], count[3]; };

// A folded grid lies along x; each program keeps its unfolded place here. A template, so that only folded units hold it.
template <bool FOLDED>
__device__ __forceinline__ grid_place& folded_place() {
  __shared__ grid_place place;
  return place;
}

__device__ __forceinline__ void unfold_grid(i64 x, i64 y, i64 z) {
  if (threadIdx.x == 0) {
    grid_place& place = folded_place<true>();
    const i64 linear = blockIdx.x;
    place.id[0] = linear % x, place.id[1] = linear / x % y, place.id[2] = linear / x / y;
    place.count[0] = x, place.count[1] = y, place.count[2] = z;
  }
  __syncthreads();
}

template <int AXIS>
__device__ __forceinline__ i64 program_id() {
  if constexpr (grid_folded) return folded_place<true>().id[AXIS];
  else return AXIS == 0 ? blockIdx.x : AXIS == 1 ? blockIdx.y : blockIdx.z;
}

template <int AXIS>
__device__ __forceinline__ i64 num_programs() {
  if constexpr (grid_folded) return folded_place<true>().count[AXIS];
  else return AXIS == 0 ? gridDim.x : AXIS == 1 ? gridDim.y : gridDim.z;
}

// ---- ranges -----------------------------------------------------------------------------------------------------------
// The N indices start, start + 1, ... Symbolic: one start, whatever N.
template <int N>
struct range {
  static constexpr int size = N;
  i64 start;
};

template <int N>
__device__ __forceinline__ range<N> arange() { return {0}; }
template <int N>
__device__ __forceinline__ range<N> operator+(range<N> r, i64 offset) { return {r.start + offset}; }
template <int N>
__device__ __forceinline__ range<N> operator+(i64 offset, range<N> r) { return {r.start + offset}; }
template <int N>
__device__ __forceinline__ range<N> operator-(range<N> r, i64 offset) { return {r.start - offset}; }
