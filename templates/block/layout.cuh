#pragma once
// Layouts: types that say which element of a tile each register of each thread holds. Everything but the thread's own
// place is a compile-time constant.
#include "block/index.cuh"
#include "block/tensor.cuh"

static_assert((num_warps & (num_warps - 1)) == 0, "tiles want a power of two of warps; 12 are for warp groups");

inline constexpr int vector_bytes = 16;  // the widest access
inline constexpr int line_bytes = 128;   // what neighbouring lanes should cover together

__host__ __device__ constexpr int smaller(int a, int b) { return a < b ? a : b; }
__host__ __device__ constexpr int larger(int a, int b) { return a > b ? a : b; }
__host__ __device__ constexpr int pow2_floor(int x) { return x < 2 ? 1 : 2 * pow2_floor(x / 2); }
__host__ __device__ constexpr int pow2_ceil(int x) { return x < 2 ? 1 : 2 * pow2_ceil((x + 1) / 2); }

// A ROWS x COLS tile. Lanes run and vectors lie along the axis FAST (0 rows, 1 columns), the other one is the slow axis.
// A thread's vector has V elements; T threads stand side by side along FAST, the others along the slow axis, where each
// takes S neighbours. What the threads do not cover at once they repeat; elements past the tile are padding.
template <int ROWS, int COLS, int FAST, int V, int T, int S>
struct blocked {
  static constexpr int rank = 2;
  static constexpr int rows = ROWS, cols = COLS;
  static constexpr int fast_axis = FAST, vector = V, lanes = T, adjacent = S, across = num_threads / T;
  static constexpr int fast_size = FAST ? COLS : ROWS, slow_size = FAST ? ROWS : COLS;
  static constexpr int fast_repeats = cdiv(fast_size, V * T), slow_repeats = cdiv(slow_size, S * across);
  static constexpr int registers = fast_repeats * slow_repeats * S * V;
  static constexpr bool fast_exact = fast_size % (V * T) == 0, slow_exact = slow_size % (S * across) == 0;

  __device__ __forceinline__ static int fast_lane() { return threadIdx.x % T * V; }
  __device__ __forceinline__ static int slow_lane() { return threadIdx.x / T * S; }
  // Register i of a thread lies this far from its first one.
  __host__ __device__ static constexpr int fast_offset(int i) { return i / V / S % fast_repeats * (V * T) + i % V; }
  __host__ __device__ static constexpr int slow_offset(int i) {
    return i / V / S / fast_repeats * (S * across) + i / V % S;
  }
  __device__ __forceinline__ static bool inside(int i) {  // false: padding
    return (fast_exact || fast_lane() + fast_offset(i) < fast_size) &&
           (slow_exact || slow_lane() + slow_offset(i) < slow_size);
  }
};

// N elements in a row.
template <int N, int V>
struct flat {
  static constexpr int rank = 1, lost_axis = 0;  // beside a tile of two axes it is a row
  static constexpr int size = N, vector = V;
  static constexpr int repeats = cdiv(N, V * num_threads), registers = repeats * V;
  static constexpr bool exact = N % (V * num_threads) == 0;

  __device__ __forceinline__ static int lane() { return threadIdx.x * V; }
  __host__ __device__ static constexpr int offset(int i) { return i / V * (V * num_threads) + i % V; }
  __device__ __forceinline__ static int index(int i) { return lane() + offset(i); }
  __device__ __forceinline__ static bool inside(int i) { return exact || index(i) < N; }
  __device__ __forceinline__ static bool owner() { return true; }  // of those that hold the same elements, the first
};

// A tile's elements, spread over the block's threads.
template <class T, class L>
struct tile {
  using type = T;
  using layout = L;
  alignas(vector_bytes) T v[L::registers];
};

template <class To, class T, class L>
__device__ __forceinline__ auto cast(const tile<T, L>& from) {
  if constexpr (is_same<To, T>) {
    return from;
  } else {
    tile<To, L> to;
#pragma unroll
    for (int i = 0; i < L::registers; ++i) to.v[i] = cast<To>(from.v[i]);
    return to;
  }
}

// Elements in one access along the unit axis: what alignment allows, the block's extent can be cut into, and leaves no
// thread without work.
__host__ __device__ constexpr int vector_for(int bytes, int align, int unit_size, int tile_size) {
  int v = larger(1, smaller(align, vector_bytes) / bytes);
  v = smaller(v, pow2_floor(tile_size / num_threads));
  return smaller(v, unit_size & -unit_size);
}

// The layout in which a tile is loaded and stored: lanes side by side cover whole lines, and there are as many of them as
// the slow axis leaves.
template <int UNIT_AXIS, int BYTES, int ALIGN, int ROWS, int COLS>
struct layout_choice {
  static constexpr int fast = UNIT_AXIS == 0 ? 0 : 1;
  static constexpr int fast_size = fast ? COLS : ROWS, slow_size = fast ? ROWS : COLS;
  static constexpr int v = UNIT_AXIS < 0 ? 1 : vector_for(BYTES, ALIGN, fast_size, ROWS * COLS);
  static constexpr int line = smaller(32, larger(1, line_bytes / (v * BYTES)));
  static constexpr int needed = larger(1, num_threads / pow2_ceil(slow_size));
  static constexpr int t = smaller(num_threads, smaller(larger(line, needed), pow2_ceil(cdiv(fast_size, v))));
  static constexpr int s = smaller(larger(1, 4 / BYTES), pow2_floor(slow_size / (num_threads / t)));
  using type = blocked<ROWS, COLS, fast, v, t, s>;
};
template <class View, int ROWS, int COLS>
using layout_of =
    typename layout_choice<View::unit_axis, sizeof(typename View::type), View::align, ROWS, COLS>::type;

// A tile of layout L, all of one value.
template <class T, class L>
__device__ __forceinline__ tile<T, L> full(T value) {
  tile<T, L> result;
#pragma unroll
  for (int i = 0; i < L::registers; ++i) result.v[i] = value;
  return result;
}

// Zeros laid out as load(x, rows, cols) lays out its tile.
template <class T, class View, int M, int N>
__device__ __forceinline__ auto zeros(const View&, range<M>, range<N>) {
  return full<T, layout_of<View, M, N>>(T(0));
}
