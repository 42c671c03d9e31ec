#pragma once
// Running sums of a tile along one axis:
//   cumsum<AXIS>(t)   each element plus all before it, in the promoted type; integers wrap
// First each thread's neighbours, then lanes, then warps through scratch: an order that depends on nothing but the layout.
#include "block/elementwise.cuh"
#include "block/scratch.cuh"

template <int AXIS, class T, class L>
__device__ __forceinline__ auto cumsum(const tile<T, L>& t) {
  static_assert(L::rank == 2 && (AXIS == 0 || AXIS == 1), "cumsum takes a tile of two axes, and axis 0 or 1");
  using P = promoted<T>;
  using S = slice<L, AXIS>;  // one line along AXIS for each of its elements
  constexpr bool fast = S::along_fast;
  constexpr int repeats = fast ? L::fast_repeats : L::slow_repeats;
  // Threads that differ along AXIS alone: `from` and its doubles below `to` are their ids' differences.
  constexpr int from = fast ? 1 : L::lanes, to = fast ? L::lanes : num_threads, in_warp = smaller(to, 32);
  const auto repeat_of = [](int i) {
    const int k = i / L::vector / L::adjacent;
    return fast ? k % L::fast_repeats : k / L::fast_repeats;
  };

  auto result = cast<P>(t);
  P total[repeats][S::registers];  // of this thread's neighbours
#pragma unroll
  for (int i = 0; i < L::registers; ++i) {
    const bool first = fast ? i % L::vector == 0 : i / L::vector % L::adjacent == 0;
    P& sum = total[repeat_of(i)][S::slot(i)];
    sum = result.v[i] = first ? result.v[i] : result.v[i] + sum;
  }

  P before[repeats][S::registers];  // what the threads before this one have, and all earlier repeats
  const int lane = threadIdx.x % 32;
#pragma unroll
  for (int r = 0; r < repeats; ++r)
#pragma unroll
    for (int s = 0; s < S::registers; ++s) {
      P& sum = total[r][s];
#pragma unroll
      for (int d = from; d < in_warp; d *= 2) {
        const P other = __shfl_up_sync(~0u, sum, d);
        if (lane % in_warp >= d) sum += other;
      }
      before[r][s] = 0;
      if constexpr (from < 32) {
        const P other = __shfl_up_sync(~0u, sum, smaller(from, 31));
        if (lane % in_warp >= from) before[r][s] = other;
      }
    }

  if constexpr (to > 32 && to > from) {
    constexpr int stride = fast ? 1 : larger(1, L::lanes / 32), members = fast ? L::lanes / 32 : num_warps / stride;
    const int warp = threadIdx.x / 32, member = fast ? warp % members : warp / stride;
    P* const sums = scratch<P, repeats * members * S::reach * sizeof(P)>();
    __syncthreads();
    if (from >= 32 || lane >= 32 - from) {
#pragma unroll
      for (int r = 0; r < repeats; ++r)
#pragma unroll
        for (int s = 0; s < S::registers; ++s) sums[(r * members + member) * S::reach + S::index(s)] = total[r][s];
    }
    __syncthreads();
#pragma unroll
    for (int s = 0; s < S::registers; ++s) {
      P sum = 0;
#pragma unroll
      for (int r = 0; r < repeats; ++r) {
        P mine = sum;
#pragma unroll
        for (int m = 0; m < members; ++m) {
          mine = m == member ? sum : mine;
          sum += sums[(r * members + m) * S::reach + S::index(s)];
        }
        before[r][s] += mine;
      }
    }
  } else {
    const int last = fast ? lane / in_warp * in_warp + in_warp - 1 : from < 32 ? lane % from + 32 - from : lane;
#pragma unroll
    for (int s = 0; s < S::registers; ++s) {
      P sum = 0;
#pragma unroll
      for (int r = 0; r < repeats; ++r) {
        before[r][s] += sum;
        sum += __shfl_sync(~0u, total[r][s], last);
      }
    }
  }
#pragma unroll
  for (int i = 0; i < L::registers; ++i) result.v[i] += before[repeat_of(i)][S::slot(i)];
  return result;
}
