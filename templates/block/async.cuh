#pragma once
// Copies from global to shared memory that run beside what follows (cp.async; before sm_80, plain ones).
//   copy_async<BYTES>(shared, global, on)   4, 8 or 16 bytes; where `on` is false, zeros, and nothing is read
//   commit_copies()                         ends a group
//   wait_copies<N>()                        until at most the N newest groups of this thread still run
// What other threads copied is there after wait_copies and a barrier.
#include "block/dtype.cuh"

__device__ __forceinline__ u32 shared_address(const void* p) { return (u32)__cvta_generic_to_shared(p); }

template <int BYTES>
__device__ __forceinline__ void copy_async(u32 shared, u64 global, bool on) {
  static_assert(BYTES == 4 || BYTES == 8 || BYTES == 16, "4, 8 or 16 bytes");
#if __CUDA_ARCH__ >= 800
  const int read = on ? BYTES : 0;
  if constexpr (BYTES == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared), "l"(global), "r"(read) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared), "l"(global), "n"(BYTES), "r"(read)
                 : "memory");
#else
#pragma unroll
  for (int i = 0; i < BYTES; i += 4) {
    u32 word = 0;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.global.b32 %0, [%1]; }"
                 : "+r"(word) : "l"(global + i), "r"((u32)on));
    asm volatile("st.shared.b32 [%0], %1;" ::"r"(shared + i), "r"(word) : "memory");
  }
#endif
}
__device__ __forceinline__ void commit_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <int N>
__device__ __forceinline__ void wait_copies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
#endif
}
