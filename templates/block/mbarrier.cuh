#pragma once
// Barriers in shared memory that threads and asynchronous copies arrive at. A barrier turns into its next phase when the
// arrivals it was made for and the bytes it expects have come; the phases' parities are 0, 1, 0, ...
#include "block/dtype.cuh"

__device__ __forceinline__ u32 shared_address(const void* pointer) { return u32(__cvta_generic_to_shared(pointer)); }

__device__ __forceinline__ void mbarrier_init(u32 barrier, u32 arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

// After the last mbarrier_init: makes them seen by the other programs of the cluster and by asynchronous copies.
__device__ __forceinline__ void mbarrier_init_done() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ __forceinline__ void mbarrier_arrive(u32 barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

// At the barrier that lies at the same place in program RANK of the cluster.
__device__ __forceinline__ void mbarrier_arrive_at(u32 barrier, u32 rank) {
  asm volatile(
      "{\n\t.reg .b32 remote;\n\t"
      "mapa.shared::cluster.u32 remote, %0, %1;\n\t"
      "mbarrier.arrive.shared::cluster.b64 _, [remote];\n\t}" ::"r"(barrier),
      "r"(rank)
      : "memory");
}

// One arrival, and `bytes` that copies will bring before this phase ends.
__device__ __forceinline__ void mbarrier_expect(u32 barrier, u32 bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

// Until the phase of this parity has ended. The phase before the first counts as ended, with parity 1.
__device__ __forceinline__ void mbarrier_wait(u32 barrier, u32 parity) {
  u32 ended = 0;
  while (!ended)
    asm volatile(
        "{\n\t.reg .pred ended;\n\t"
        "mbarrier.try_wait.parity.shared::cta.b64 ended, [%1], %2;\n\t"
        "selp.u32 %0, 1, 0, ended;\n\t}"
        : "=r"(ended)
        : "r"(barrier), "r"(parity)
        : "memory");
}
