#pragma once
// Reductions of a tile, along one axis of two or whole: registers, then lanes, then warps through scratch. All threads
// that own a row (or column) hold its result, and all threads a whole tile's, the same bits in each, in an order that
// depends on nothing but the layout. What lies past the tile (a block's padding) does not count; what lies past a tensor
// counts as the `other` that it was loaded with.
//   sum<AXIS>(t), sum(t)                 accumulated in float for narrow floats, i32 for narrow integers and bool; an
//                                        i32 sum wraps
//   reduce<AXIS>(t, op, identity)        any op, commutative and associative up to rounding; elements may be structs
//   reduce_all(t, op, identity)
#include "block/elementwise.cuh"
#include "block/scratch.cuh"

// What lane `lane` xor `distance` holds. Structs travel word by word.
template <class T>
__device__ __forceinline__ T shuffle_xor(T value, int distance) {
  if constexpr (!__is_class(T)) {
    return __shfl_xor_sync(~0u, value, distance);
  } else {
    static_assert(sizeof(T) % 4 == 0, "a struct of whole words");
    T result;
#pragma unroll
    for (int i = 0; i < sizeof(T) / 4; ++i)
      reinterpret_cast<u32*>(&result)[i] = __shfl_xor_sync(~0u, reinterpret_cast<const u32*>(&value)[i], distance);
    return result;
  }
}

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

// What each thread has of a row (or column), put together.
template <int AXIS, class T, class L, class Op>
__device__ __forceinline__ auto reduce_registers(const tile<T, L>& t, Op op, T identity) {
  static_assert(L::rank == 2 && (AXIS == 0 || AXIS == 1), "a reduction along an axis takes a tile of two, and axis 0 or 1");
  using S = slice<L, AXIS>;
  tile<T, S> result;
#pragma unroll
  for (int i = 0; i < L::registers; ++i) {
    const bool first = (S::along_fast ? L::fast_offset(i) : L::slow_offset(i)) == 0;
    const T value = L::inside(i) ? t.v[i] : identity;
    T& slot = result.v[S::slot(i)];
    slot = first ? value : op(slot, value);
  }
  return result;
}

// What the threads have of a row (or column), put together; all of them get it.
template <class T, class L, int AXIS, class Op>
__device__ __forceinline__ void reduce_threads(tile<T, slice<L, AXIS>>& t, Op op) {
  using S = slice<L, AXIS>;
  // Threads that differ along AXIS alone: `from` and its doubles below `to` are their ids' differences.
  constexpr int from = S::along_fast ? 1 : L::lanes, to = S::along_fast ? L::lanes : num_threads;
#pragma unroll
  for (int i = 0; i < S::registers; ++i)
#pragma unroll
    for (int d = from; d < smaller(to, 32); d *= 2) t.v[i] = op(t.v[i], shuffle_xor(t.v[i], d));
  if constexpr (to > 32 && to > from) reduce_warps<S, L>(t, op);
}

template <int AXIS, class T, class L, class Op>
__device__ __forceinline__ auto reduce(const tile<T, L>& t, Op op, T identity) {
  auto result = reduce_registers<AXIS>(t, op, identity);
  reduce_threads(result, op);
  return result;
}

// Each element once, whichever threads hold it.
template <class T, class L, class Op>
__device__ __forceinline__ T reduce_all(const tile<T, L>& t, Op op, T identity) {
  T result = identity;
#pragma unroll
  for (int i = 0; i < L::registers; ++i) {
    bool counts = L::inside(i);
    if constexpr (L::rank == 1) counts = counts && L::owner();
    result = op(result, counts ? t.v[i] : identity);
  }
#pragma unroll
  for (int d = 1; d < 32; d *= 2) result = op(result, shuffle_xor(result, d));
  if constexpr (num_warps > 1) {
    T* const partial = scratch<T, num_warps * sizeof(T)>();
    __syncthreads();
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = result;
    __syncthreads();
    result = partial[0];
#pragma unroll
    for (int w = 1; w < num_warps; ++w) result = op(result, partial[w]);
  }
  return result;
}

template <int AXIS, class T, class L>
__device__ __forceinline__ auto sum(const tile<T, L>& t) {
  using P = promoted<T>;
  return reduce<AXIS>(cast<P>(t), [](P a, P b) { return a + b; }, P(0));
}
template <class T, class L>
__device__ __forceinline__ auto sum(const tile<T, L>& t) {
  using P = promoted<T>;
  return reduce_all(cast<P>(t), [](P a, P b) { return a + b; }, P(0));
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
