#pragma once
// What the TMA unit copies: boxes of a tensor map into shared memory. One thread starts a copy; what lies beyond the
// tensor arrives as zeros.
#include "block/mbarrier.cuh"

// Dynamic shared memory for boxes: a swizzle of 128 bytes repeats every 1024.
extern __shared__ __align__(1024) u8 tma_bytes[];

template <class X>
__device__ __forceinline__ void prefetch_map(const X& x) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(x.map) : "memory");
}

// The box of x whose first element is (axis_0, axis_1), to `shared`; its bytes count at `barrier`.
template <class X>
__device__ __forceinline__ void load_box(const X& x, i32 axis_0, i32 axis_1, u32 shared, u32 barrier) {
  static_assert(X::rank == 2, "a box of two axes");
  const i32 inner = X::unit_axis == 1 ? axis_1 : axis_0, outer = X::unit_axis == 1 ? axis_0 : axis_1;
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          shared),
      "l"(x.map), "r"(inner), "r"(outer), "r"(barrier)
      : "memory");
}

// The same to the same place in each program of the cluster whose bit is set, counted at each one's own barrier.
template <class X>
__device__ __forceinline__ void load_box_to(const X& x, i32 axis_0, i32 axis_1, u32 shared, u32 barrier, u16 programs) {
  static_assert(X::rank == 2, "a box of two axes");
  const i32 inner = X::unit_axis == 1 ? axis_1 : axis_0, outer = X::unit_axis == 1 ? axis_0 : axis_1;
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
      " [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared),
      "l"(x.map), "r"(inner), "r"(outer), "r"(barrier), "h"(programs)
      : "memory");
}

// Shared memory to the box of x whose first element is (axis_0, axis_1), what lies inside; part of this thread's open group.
template <class X>
__device__ __forceinline__ void store_box(const X& x, i32 axis_0, i32 axis_1, u32 shared) {
  static_assert(X::rank == 2, "a box of two axes");
  const i32 inner = X::unit_axis == 1 ? axis_1 : axis_0, outer = X::unit_axis == 1 ? axis_0 : axis_1;
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(x.map), "r"(inner),
               "r"(outer), "r"(shared)
               : "memory");
}
__device__ __forceinline__ void commit_stores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
// Until what this thread's groups read of shared memory may be written again.
__device__ __forceinline__ void wait_stores_read() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
// What this thread wrote to shared memory is seen by copies that start after.
__device__ __forceinline__ void fence_async_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
