#pragma once
// What is left of a layout of two axes without one of them: where a reduction's results live, and rows and columns that
// spread over a tile.
#include "block/layout.cuh"

// Layout L without its axis AXIS. All threads that hold a row (or column) of L hold its one value.
template <class L, int AXIS>
struct slice {
  static constexpr int rank = 1;
  static constexpr int lost_axis = AXIS;
  static constexpr bool along_fast = AXIS == L::fast_axis;
  static constexpr int size = along_fast ? L::slow_size : L::fast_size;
  static constexpr int registers = along_fast ? L::slow_repeats * L::adjacent : L::fast_repeats * L::vector;
  static constexpr bool exact = along_fast ? L::slow_exact : L::fast_exact;
  // One past the largest index, padding included.
  static constexpr int reach = along_fast ? L::slow_repeats * L::adjacent * L::across
                                          : L::fast_repeats * L::vector * L::lanes;

  // The register that stands for L's register i.
  __host__ __device__ static constexpr int slot(int i) {
    const int k = i / L::vector;
    return along_fast ? k / L::adjacent / L::fast_repeats * L::adjacent + k % L::adjacent
                      : k / L::adjacent % L::fast_repeats * L::vector + i % L::vector;
  }
  __host__ __device__ static constexpr int offset(int i) {
    constexpr int together = along_fast ? L::adjacent : L::vector, threads = along_fast ? L::across : L::lanes;
    return i / together * (together * threads) + i % together;
  }
  __device__ __forceinline__ static int lane() { return along_fast ? L::slow_lane() : L::fast_lane(); }
  __device__ __forceinline__ static int index(int i) { return lane() + offset(i); }
  __device__ __forceinline__ static bool inside(int i) { return exact || index(i) < size; }
  __device__ __forceinline__ static bool owner() {
    return along_fast ? threadIdx.x % L::lanes == 0 : threadIdx.x / L::lanes == 0;
  }
};

template <class K, class L>
inline constexpr bool is_slice_of = false;
template <class L, int AXIS>
inline constexpr bool is_slice_of<slice<L, AXIS>, L> = true;
