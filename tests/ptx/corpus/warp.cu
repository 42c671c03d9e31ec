// What a warp, a block and the memory system do together.
extern "C" __global__ void shuffled(int* x, float* y) {
  int v = x[threadIdx.x];
  v += __shfl_xor_sync(~0u, v, 16) + __shfl_down_sync(~0u, v, 1) + __shfl_up_sync(0xFFFF, v, 2, 16) + __shfl_sync(~0u, v, x[1]);
  v += __ballot_sync(~0u, v > 3) + __any_sync(~0u, v) + __all_sync(~0u, v) + __activemask() + __match_any_sync(~0u, v);
  int p;
  v += __match_all_sync(~0u, v, &p) + p;
#if __CUDA_ARCH__ >= 800
  v += __reduce_add_sync(~0u, v) + __reduce_max_sync(~0u, v) + __reduce_or_sync(~0u, (unsigned)v);
#endif
  __syncwarp();
  y[threadIdx.x] = __shfl_xor_sync(~0u, y[threadIdx.x], 1);
  x[threadIdx.x] = v;
}

extern "C" __global__ void barred(int* x) {
  int v = x[threadIdx.x];
  __syncthreads();
  v += __syncthreads_count(v) + __syncthreads_and(v) + __syncthreads_or(v);
  asm volatile("bar.arrive 1, 64; barrier.cta.sync.aligned 2, 64; bar.sync 3, %0;" ::"r"(64));
  __threadfence();
  __threadfence_block();
  __threadfence_system();
  x[threadIdx.x] = v;
}

extern "C" __global__ void atomics(int* x, unsigned* u, float* f, double* d, unsigned long long* l) {
  __shared__ int s;
  atomicAdd(x, 1);
  x[1] = atomicAdd(x + 2, 3) + atomicSub(x + 3, 1) + atomicExch(x + 4, 5) + atomicMin(x + 5, 1) + atomicMax(x + 6, 2);
  u[1] = atomicInc(u, 7) + atomicDec(u + 1, 9) + atomicAnd(u + 2, 1) + atomicOr(u + 3, 2) + atomicXor(u + 4, 3);
  x[7] = atomicCAS(x + 8, 1, 2) + atomicAdd_block(x + 9, 1) + atomicAdd_system(x + 10, 1) + atomicAdd(&s, 4);
  f[0] = atomicAdd(f + 1, 1.5f);
  d[0] = atomicAdd(d + 1, 1.5);
  l[0] = atomicAdd(l + 1, 2ull) + atomicCAS(l + 2, 1ull, 2ull) + atomicMax(l + 3, 5ull);
  asm volatile("red.relaxed.gpu.global.add.u32 [%0], 1; ld.acquire.gpu.global.u32 %1, [%0]; st.release.gpu.u32 [%0+4], %1;"
               ::"l"(u), "r"(0));
}

extern "C" __global__ void timed(long long* t, unsigned* u) {
  t[0] = clock64();
  u[0] = clock();
  u[1] = blockIdx.y + gridDim.z + warpSize;
  asm volatile("mov.u32 %0, %%laneid; mov.u64 %1, %%globaltimer;" : "=r"(u[2]), "=l"(t[1]));
}
