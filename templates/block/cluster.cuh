#pragma once
// Programs of one cluster, which run at once and reach each other's shared memory.
//   cluster_rank()                                  this program's place in its cluster
//   cluster_sync()                                  waits for all of them
//   cluster_begin<T, PROGRAMS, CALLS>()             first in a kernel that calls from_cluster so often, with values of T
//   from_cluster<T, PROGRAMS, CALLS, CALL>(value)   each program's value, by rank; CALL is 0, then 1, ... What is
//                                                 returned lies in shared memory, and stays
// Of one PROGRAM, whose threads all give the same value, it is that value, and costs nothing.
#include "block/mbarrier.cuh"

__device__ __forceinline__ u32 cluster_rank() {
  u32 rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
__device__ __forceinline__ void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release.aligned;\n\tbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

template <class T, int PROGRAMS>
struct cluster_values {
  T v[PROGRAMS];
};

// Where the programs of a cluster leave their values for this one, and what counts the bytes that have come.
template <class T, int PROGRAMS, int CALLS>
struct cluster_mail {
  cluster_values<T, PROGRAMS> received[CALLS];
  u64 barriers[CALLS];

  __device__ __forceinline__ static cluster_mail& own() {
    __shared__ __align__(16) cluster_mail mail;
    return mail;
  }
};

// Memory of a program that does not run yet must not be written: the first call waits for what is said here.
template <class T, int PROGRAMS, int CALLS>
__device__ __forceinline__ void cluster_begin() {
  if constexpr (PROGRAMS == 1) return;
  if (threadIdx.x == 0) {
    auto& mail = cluster_mail<T, PROGRAMS, CALLS>::own();
#pragma unroll
    for (int i = 0; i < CALLS; ++i) mbarrier_init(shared_address(&mail.barriers[i]), 1);
    mbarrier_init_done();
#pragma unroll
    for (int i = 0; i < CALLS; ++i) mbarrier_expect(shared_address(&mail.barriers[i]), PROGRAMS * sizeof(T));
  }
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}

// A word to a place in another program's shared memory; its bytes are counted at a barrier there.
__device__ __forceinline__ void send(u32 to, u32 barrier, u32 value) {
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(to), "r"(value),
               "r"(barrier)
               : "memory");
}
__device__ __forceinline__ u32 address_at(u32 address, u32 rank) {
  u32 there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
  return there;
}

// One thread a program sends, and all wait for what comes: no program reads another one's memory, so that each may end
// when it likes, and none waits for its own loads and stores, as it would at a barrier of the cluster.
template <class T, int PROGRAMS, int CALLS, int CALL>
__device__ __forceinline__ const cluster_values<T, PROGRAMS>& from_cluster(T value) {
  static_assert(CALL < CALLS && sizeof(T) % 4 == 0, "a call that cluster_begin knows, whole words");
  auto& mail = cluster_mail<T, PROGRAMS, CALLS>::own();
  const u32 barrier = shared_address(&mail.barriers[CALL]);
  if constexpr (CALL == 0) asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
  if (threadIdx.x < PROGRAMS) {
    const u32 place = address_at(shared_address(&mail.received[CALL].v[cluster_rank()]), threadIdx.x);
    const u32 counted = address_at(barrier, threadIdx.x);
#pragma unroll
    for (int i = 0; i < int(sizeof(T) / 4); ++i) send(place + 4 * i, counted, reinterpret_cast<const u32*>(&value)[i]);
  }
  u32 ended = 0;
  while (!ended)
    asm volatile(
        "{\n\t.reg .pred ended;\n\tmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 ended, [%1], 0;\n\t"
        "selp.u32 %0, 1, 0, ended;\n\t}"
        : "=r"(ended)
        : "r"(barrier)
        : "memory");
  return mail.received[CALL];
}
template <class T, int PROGRAMS, int CALLS, int CALL>
  requires(PROGRAMS == 1)
__device__ __forceinline__ cluster_values<T, 1> from_cluster(T value) { return {{value}}; }
