#pragma once
// Reductions of a 2-D tile along one axis: registers, then lanes, then warps through scratch. All threads that own a row
// (or column) hold its result, the same bits in each, in an order that depends on nothing but the layout.
#include "block/elementwise.cuh"

// What is left of layout L without its axis AXIS.
template <class L, int AXIS>
struct slice {
  static constexpr int rank = 1;
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
  __device__ __forceinline__ static int index(int i) {
    constexpr int together = along_fast ? L::adjacent : L::vector, threads = along_fast ? L::across : L::lanes;
    return (along_fast ? L::slow_lane() : L::fast_lane()) + i / together * (together * threads) + i % together;
  }
  __device__ __forceinline__ static bool inside(int i) { return exact || index(i) < size; }
  __device__ __forceinline__ static bool owner() {
    return along_fast ? threadIdx.x % L::lanes == 0 : threadIdx.x / L::lanes == 0;
  }
};
template <class L, int AXIS>
inline constexpr bool is_slice_of<slice<L, AXIS>, L> = true;

// Across the warps that share rows: each leaves its values in scratch, partial[member][index]. Where that is little, all
// owners sum it up for themselves; else one thread an index does, and the owners read its result.
template <class S, class L, class T, class Op>
__device__ __forceinline__ void reduce_warps(tile<T, S>& t, Op op) {
  constexpr int distinct = S::along_fast ? 1 : smaller(L::lanes, 32);  // lanes of a warp with different results
  constexpr int stride = S::along_fast ? 1 : larger(1, L::lanes / 32);
  constexpr int members = S::along_fast ? L::lanes / 32 : num_warps / stride;
  const int warp = threadIdx.x / 32, member = S::along_fast ? warp % members : warp / stride;
  T* const partial = scratch<T, members * S::reach * sizeof(T)>();
  const auto all = [&](int index) {
    T sum = partial[index];
#pragma unroll
    for (int k = 1; k < members; ++k) sum = op(sum, partial[k * S::reach + index]);
    return sum;
  };
  __syncthreads();
  if (threadIdx.x % 32 < distinct) {
#pragma unroll
    for (int i = 0; i < S::registers; ++i) partial[member * S::reach + S::index(i)] = t.v[i];
  }
  __syncthreads();
  if constexpr (members * S::registers <= 16) {
#pragma unroll
    for (int i = 0; i < S::registers; ++i) t.v[i] = all(S::index(i));
  } else {
#pragma unroll 1
    for (int j = threadIdx.x; j < S::reach; j += num_threads) partial[j] = all(j);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < S::registers; ++i) t.v[i] = partial[S::index(i)];
  }
}

// op must be commutative and associative up to rounding; identity stands for what lies past the tile.
template <int AXIS, class T, class L, class Op>
__device__ __forceinline__ auto reduce(const tile<T, L>& t, Op op, T identity) {
  static_assert(L::rank == 2 && (AXIS == 0 || AXIS == 1), "reduce takes a tile of two axes and axis 0 or 1");
  using S = slice<L, AXIS>;
  tile<T, S> result;
#pragma unroll
  for (int i = 0; i < L::registers; ++i) {
    const bool first = (S::along_fast ? L::fast_offset(i) : L::slow_offset(i)) == 0;
    const T value = L::inside(i) ? t.v[i] : identity;
    T& slot = result.v[S::slot(i)];
    slot = first ? value : op(slot, value);
  }
  // Threads that differ along AXIS alone: `from` and its doubles below `to` are their ids' differences.
  constexpr int from = S::along_fast ? 1 : L::lanes, to = S::along_fast ? L::lanes : num_threads;
#pragma unroll
  for (int i = 0; i < S::registers; ++i)
#pragma unroll
    for (int d = from; d < smaller(to, 32); d *= 2) result.v[i] = op(result.v[i], __shfl_xor_sync(~0u, result.v[i], d));
  if constexpr (to > 32 && to > from) reduce_warps<S, L>(result, op);
  return result;
}

// The sum along AXIS, accumulated in the promoted type: float for narrow floats, i32 for narrow integers and bool.
template <int AXIS, class T, class L>
__device__ __forceinline__ auto sum(const tile<T, L>& t) {
  using P = promoted<T>;
  return reduce<AXIS>(cast<P>(t), [](P a, P b) { return a + b; }, P(0));
}

// What a sum of X is accumulated in when it is kept as Y: nothing that Y can show is lost to a narrower sum.
template <class X, class Y>
__device__ constexpr auto accumulator_for() {
  constexpr bool narrow_result = is_same<Y, i8> || is_same<Y, u8> || is_same<Y, i16> || is_same<Y, i32>;
  if constexpr (is_float<X>) {
    if constexpr (is_same<X, double> || is_same<Y, double>) return double{};
    else return float{};
  } else if constexpr (narrow_result) {
    return i32{};  // sums wrap as Y does
  } else {
    return i64{};
  }
}
template <class X, class Y>
using accumulator = decltype(accumulator_for<X, Y>());
