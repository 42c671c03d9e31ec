// sm_100a: tensor memory, tcgen05; sm_120a: block-scaled mma.
using u32 = unsigned;
using u64 = unsigned long long;

#if __CUDA_ARCH_FEAT_SM100_ALL
extern "C" __global__ void tensor_memory(u32* out, u64 a, u64 b, u32 idesc) {
  __shared__ u32 base;
  __shared__ u64 barrier;
  u32 at = (u32)__cvta_generic_to_shared(&base), bar = (u32)__cvta_generic_to_shared(&barrier), d = 0, v[4];
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 128;" ::"r"(at));
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0; tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p; }" ::"r"(d), "l"(a), "l"(b), "r"(idesc), "r"(1));
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(bar));
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x4.b32 {%0, %1, %2, %3}, [%4];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "r"(d));
  asm volatile("tcgen05.wait::ld.sync.aligned;");
  asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 128;" ::"r"(d));
  out[threadIdx.x] = v[0] + v[1] + v[2] + v[3];
}
#endif

#if __CUDA_ARCH_FEAT_SM120_ALL
extern "C" __global__ void scaled(float* out, u32 s) {
  float c[4] = {};
  asm volatile("mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3}, %4, {0, 0}, %4, {0, 0};" : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(s));
  out[0] = c[0] + c[3];
}
#endif

struct alignas(32) Eight { float v[8]; };
extern "C" __global__ void widest(Eight* __restrict__ y, const Eight* __restrict__ x) { y[threadIdx.x] = x[threadIdx.x]; }
