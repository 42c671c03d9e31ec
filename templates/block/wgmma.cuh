#pragma once
// Tensor cores fed from shared memory, four warps at a time: D (64 x N, fp32, in registers) += A (64 x 16) B (16 x N).
// Register i of lane l in warp w holds row 16 w + l / 4 + 8 (i / 2 % 2), column 8 (i / 4) + 2 (l % 4) + i % 2.
#include "block/dtype.cuh"

// How wgmma finds an operand: tiles of 64 x 64 elements of 16 bits (8 KB each, 128-byte rows, swizzled by 128 bytes), as
// boxes of 64 x 64 bring them; further tiles along M or N follow each other. The last of b's, along K, may be half a one.
//   rows along K     128 bytes hold 64 k of one m (or n); 8 rows are 1024 bytes; 16 k are 32 bytes further
//   rows along M, N  128 bytes hold 64 m (or n) of one k; 8 k are 1024 bytes; 16 k are 2048 bytes further; next tile 8192
template <bool ALONG_K>
__device__ __forceinline__ u64 wgmma_operand(u32 shared) {
  constexpr u64 swizzle_128 = u64(1) << 62, eight_rows = u64(1024 >> 4) << 32, next_tile = u64(8192 >> 4) << 16;
  return u64((shared & 0x3ffff) >> 4) | (ALONG_K ? u64(1) << 16 : next_tile) | eight_rows | swizzle_128;
}
template <bool ALONG_K>
inline constexpr u64 wgmma_step = (ALONG_K ? 32 : 2048) >> 4;  // from 16 k to the next
inline constexpr u64 wgmma_tile = 8192 >> 4;                   // from one tile to the next

// Registers written before are seen by wgmma.
__device__ __forceinline__ void wgmma_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
// Until at most PENDING groups are under way.
template <int PENDING>
__device__ __forceinline__ void wgmma_wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(PENDING) : "memory"); }
// Keeps the compiler from reading D before a wait that stands above.
template <int COUNT>
__device__ __forceinline__ void wgmma_settled(float (&d)[COUNT]) {
#pragma unroll
  for (int i = 0; i < COUNT; ++i) asm volatile("" : "+f"(d[i])::"memory");
}

#define TILEJIT_TEN(T) "%" #T "0, %" #T "1, %" #T "2, %" #T "3, %" #T "4, %" #T "5, %" #T "6, %" #T "7, %" #T "8, %" #T "9, "
#define TILEJIT_FIFTY TILEJIT_TEN() TILEJIT_TEN(1) TILEJIT_TEN(2) TILEJIT_TEN(3) TILEJIT_TEN(4)
#define TILEJIT_D4(I) "+f"(d[I]), "+f"(d[I + 1]), "+f"(d[I + 2]), "+f"(d[I + 3])
#define TILEJIT_D16(I) TILEJIT_D4(I), TILEJIT_D4(I + 4), TILEJIT_D4(I + 8), TILEJIT_D4(I + 12)
#define TILEJIT_D32(I) TILEJIT_D16(I), TILEJIT_D16(I + 16)
#define TILEJIT_WGMMA(N, TYPE, REGISTERS, A, B, ADD, TRANS_A, TRANS_B, ...)                                              \
  asm volatile("{\n\t.reg .pred add;\n\tsetp.ne.b32 add, " ADD ", 0;\n\t"                                               \
               "wgmma.mma_async.sync.aligned.m64n" #N "k16.f32." TYPE "." TYPE " {" REGISTERS "}, " A ", " B            \
               ", add, 1, 1, " TRANS_A ", " TRANS_B ";\n\t}"                                                            \
               : __VA_ARGS__                                                                                            \
               : "l"(a), "l"(b), "r"(add), "n"(TRANSPOSE_A), "n"(TRANSPOSE_B)                                           \
               : "memory")
#define TILEJIT_WGMMA_TYPES(N, ...)                                                                                     \
  if constexpr (is_same<T, bf16>) TILEJIT_WGMMA(N, "bf16", __VA_ARGS__);                                                \
  else TILEJIT_WGMMA(N, "f16", __VA_ARGS__)

// d = a b, or d + a b where `add` is not 0. Asynchronous: wgmma_fence before the first, wgmma_commit after the last.
template <class T, int N, int TRANSPOSE_A, int TRANSPOSE_B>
__device__ __forceinline__ void wgmma(float (&d)[N / 2], u64 a, u64 b, int add) {
  if constexpr (N == 64) {
    TILEJIT_WGMMA_TYPES(64, TILEJIT_TEN() TILEJIT_TEN(1) TILEJIT_TEN(2) "%30, %31", "%32", "%33", "%34", "%35", "%36",
                        TILEJIT_D32(0));
  } else if constexpr (N == 96) {
    TILEJIT_WGMMA_TYPES(96, TILEJIT_TEN() TILEJIT_TEN(1) TILEJIT_TEN(2) TILEJIT_TEN(3) "%40, %41, %42, %43, %44, %45, %46, %47", "%48",
                        "%49", "%50", "%51", "%52", TILEJIT_D32(0), TILEJIT_D16(32));
  } else if constexpr (N == 128) {
    TILEJIT_WGMMA_TYPES(128, TILEJIT_FIFTY TILEJIT_TEN(5) "%60, %61, %62, %63", "%64", "%65", "%66", "%67", "%68",
                        TILEJIT_D32(0), TILEJIT_D32(32));
  } else if constexpr (N == 160) {
    TILEJIT_WGMMA_TYPES(160, TILEJIT_FIFTY TILEJIT_TEN(5) TILEJIT_TEN(6) "%70, %71, %72, %73, %74, %75, %76, %77, %78, %79", "%80",
                        "%81", "%82", "%83", "%84", TILEJIT_D32(0), TILEJIT_D32(32), TILEJIT_D16(64));
  } else if constexpr (N == 192) {
    TILEJIT_WGMMA_TYPES(192, TILEJIT_FIFTY TILEJIT_TEN(5) TILEJIT_TEN(6) TILEJIT_TEN(7) TILEJIT_TEN(8) "%90, %91, %92, %93, %94, %95",
                        "%96", "%97", "%98", "%99", "%100", TILEJIT_D32(0), TILEJIT_D32(32), TILEJIT_D32(64));
  } else if constexpr (N == 224) {
    TILEJIT_WGMMA_TYPES(224, TILEJIT_FIFTY TILEJIT_TEN(5) TILEJIT_TEN(6) TILEJIT_TEN(7) TILEJIT_TEN(8) TILEJIT_TEN(9)
                        TILEJIT_TEN(10) "%110, %111", "%112", "%113", "%114", "%115", "%116",
                        TILEJIT_D32(0), TILEJIT_D32(32), TILEJIT_D32(64), TILEJIT_D16(96));
  } else {
    static_assert(N == 256, "64, 96, 128, 160, 192, 224 or 256 columns");
    TILEJIT_WGMMA_TYPES(256,
                        TILEJIT_FIFTY TILEJIT_TEN(5) TILEJIT_TEN(6) TILEJIT_TEN(7) TILEJIT_TEN(8) TILEJIT_TEN(9)
                        TILEJIT_TEN(10) TILEJIT_TEN(11) "%120, %121, %122, %123, %124, %125, %126, %127",
                        "%128", "%129", "%130", "%131", "%132", TILEJIT_D32(0), TILEJIT_D32(32), TILEJIT_D32(64), TILEJIT_D32(96));
  }
}
#undef TILEJIT_WGMMA_TYPES
#undef TILEJIT_WGMMA
#undef TILEJIT_D32
#undef TILEJIT_D16
#undef TILEJIT_D4
#undef TILEJIT_FIFTY
#undef TILEJIT_TEN

// Registers of a warp group that gives some up, and of one that takes them; a multiple of 8.
template <int COUNT>
__device__ __forceinline__ void give_registers() { asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(COUNT)); }
template <int COUNT>
__device__ __forceinline__ void take_registers() { asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(COUNT)); }
