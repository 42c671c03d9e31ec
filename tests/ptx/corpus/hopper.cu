// sm_90a: mbarriers, bulk and tensor copies, wgmma, clusters.
using u32 = unsigned;
using u64 = unsigned long long;
struct alignas(64) Map { char bytes[128]; };

#if __CUDA_ARCH_FEAT_SM90_ALL
extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(256) warpgroups(const __grid_constant__ Map map, float* out, u64* source) {
  extern __shared__ __align__(1024) char tile[];
  __shared__ u64 barrier[2];
  u32 at = (u32)__cvta_generic_to_shared(tile), full = (u32)__cvta_generic_to_shared(barrier), remote;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(full), "r"(1));
    asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;");
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map));
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(full), "r"(16384));
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(at), "l"(&map), "r"(0), "r"(64), "r"(full) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];" ::"r"(at + 16384), "l"(source), "r"(full));
  }
  asm volatile("{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n@P1 bra DONE;\nbra LAB_WAIT;\nDONE:\n}" ::"r"(full), "r"(0));
  asm volatile("{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1, 0x989680;\n@P1 bra DONE;\nbra LAB_WAIT;\nDONE:\n}" ::"r"(full + 8), "r"(1));
  float c[4] = {};
  asm volatile("wgmma.fence.sync.aligned;");
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %6, 0;\nwgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 1;\n}" : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "l"((u64)at >> 4), "l"((u64)at >> 5), "r"(1));
  asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;");
  asm volatile("{ .reg .pred P; .reg .b32 lane; elect.sync lane|P, 0xffffffff; elect.sync _|P, -1; @P mapa.shared::cluster.u32 %0, %1, 1; }" : "=r"(remote) : "r"(at));
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;");
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(remote), "r"(7), "r"(full));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(1), "r"(2), "r"(3), "r"(4));
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(0), "r"(0), "r"(at));
  asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;");
  asm volatile("setmaxnreg.dec.sync.aligned.u32 40; griddepcontrol.wait; griddepcontrol.launch_dependents; nanosleep.u32 100;");
  out[threadIdx.x] = c[0] + c[3];
}
#endif
