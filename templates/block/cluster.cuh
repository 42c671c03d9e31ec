#pragma once
// Programs of one cluster, which run at once and reach each other's shared memory.
//   cluster_rank()                         this program's place in its cluster
//   cluster_sync()                         waits for all of them
//   cluster_begin()                        first in a kernel that calls from_cluster: says that this program runs
//   from_cluster<PROGRAMS, CALL>(value)    each program's value, by rank, in every thread; each call of it has its own CALL
#include "block/dtype.cuh"

__device__ __forceinline__ u32 cluster_rank() {
  u32 rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
__device__ __forceinline__ void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ __forceinline__ void cluster_begin() { asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); }

template <class T, int PROGRAMS>
struct cluster_values {
  T v[PROGRAMS];
};

// One thread a program sends: no program reads another one's memory, so that each may end when it likes. Memory of a
// program that does not run yet must not be written: the first call waits for what cluster_begin() said.
template <int PROGRAMS, int CALL, class T>
__device__ __forceinline__ cluster_values<T, PROGRAMS> from_cluster(T value) {
  static_assert(sizeof(T) % 4 == 0, "whole words");
  __shared__ cluster_values<T, PROGRAMS> received;
  if constexpr (CALL == 0) asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  if (threadIdx.x < PROGRAMS) {
    const u32 mine = u32(__cvta_generic_to_shared(&received.v[cluster_rank()]));
#pragma unroll
    for (int i = 0; i < int(sizeof(T) / 4); ++i)
      asm volatile(
          "{\n\t.reg .b32 there;\n\tmapa.shared::cluster.u32 there, %0, %1;\n\t"
          "st.shared::cluster.b32 [there], %2;\n\t}" ::"r"(mine + 4 * i),
          "r"(threadIdx.x), "r"(reinterpret_cast<const u32*>(&value)[i])
          : "memory");
  }
  cluster_sync();
  return received;
}
