#pragma once
// One dynamic shared array for everything in turn. Each use leaves its size in the PTX; the launch gets the largest.
#include "block/dtype.cuh"

extern __shared__ __align__(128) u8 scratch_bytes[];

// At least BYTES bytes, aligned to 128. Whoever takes it synchronises before the first write and after the last.
template <class T, int BYTES>
__device__ __forceinline__ T* scratch() {
  asm volatile("// tilejit.scratch %0" ::"n"(BYTES));
  return reinterpret_cast<T*>(scratch_bytes);
}
