#pragma once
// One predicated access of BYTES bytes to global memory. A lane whose predicate is false keeps what it held, or stores
// nothing. `address` is a global one, aligned to BYTES.
#include "block/dtype.cuh"

template <int BYTES>
struct access;

template <>
struct access<16> {
  struct alignas(16) bits { u32 x, y, z, w; };
  __device__ __forceinline__ static void load(bits& b, u64 address, bool on) {
    asm volatile(
        "{ .reg .pred p; setp.ne.u32 p, %5, 0; @p ld.global.v4.b32 {%0, %1, %2, %3}, [%4]; }"
        : "+r"(b.x), "+r"(b.y), "+r"(b.z), "+r"(b.w) : "l"(address), "r"((u32)on));
  }
  __device__ __forceinline__ static void store(const bits& b, u64 address, bool on) {
    asm volatile(
        "{ .reg .pred p; setp.ne.u32 p, %5, 0; @p st.global.v4.b32 [%4], {%0, %1, %2, %3}; }"
        :: "r"(b.x), "r"(b.y), "r"(b.z), "r"(b.w), "l"(address), "r"((u32)on) : "memory");
  }
};

template <>
struct access<8> {
  struct alignas(8) bits { u32 x, y; };
  __device__ __forceinline__ static void load(bits& b, u64 address, bool on) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p ld.global.v2.b32 {%0, %1}, [%2]; }"
                 : "+r"(b.x), "+r"(b.y) : "l"(address), "r"((u32)on));
  }
  __device__ __forceinline__ static void store(const bits& b, u64 address, bool on) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p st.global.v2.b32 [%2], {%0, %1}; }"
                 :: "r"(b.x), "r"(b.y), "l"(address), "r"((u32)on) : "memory");
  }
};

template <>
struct access<4> {
  struct bits { u32 x; };
  __device__ __forceinline__ static void load(bits& b, u64 address, bool on) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.global.b32 %0, [%1]; }"
                 : "+r"(b.x) : "l"(address), "r"((u32)on));
  }
  __device__ __forceinline__ static void store(const bits& b, u64 address, bool on) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p st.global.b32 [%1], %0; }"
                 :: "r"(b.x), "l"(address), "r"((u32)on) : "memory");
  }
};

template <>
struct access<2> {
  struct bits { u16 x; };
  __device__ __forceinline__ static void load(bits& b, u64 address, bool on) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.global.b16 %0, [%1]; }"
                 : "+h"(b.x) : "l"(address), "r"((u32)on));
  }
  __device__ __forceinline__ static void store(const bits& b, u64 address, bool on) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p st.global.b16 [%1], %0; }"
                 :: "h"(b.x), "l"(address), "r"((u32)on) : "memory");
  }
};

template <>
struct access<1> {
  struct bits { u8 x; };
  __device__ __forceinline__ static void load(bits& b, u64 address, bool on) {
    u32 wide = b.x;  // no 8-bit registers: the byte travels in a wider one
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.global.u8 %0, [%1]; }"
                 : "+r"(wide) : "l"(address), "r"((u32)on));
    b.x = (u8)wide;
  }
  __device__ __forceinline__ static void store(const bits& b, u64 address, bool on) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p st.global.u8 [%1], %0; }"
                 :: "r"((u32)b.x), "l"(address), "r"((u32)on) : "memory");
  }
};

// COUNT neighbouring elements at once; `elements` is aligned to all of them.
template <int COUNT, class T>
__device__ __forceinline__ void load_vector(T* elements, u64 address, bool on) {
  using io = access<COUNT * sizeof(T)>;
  io::load(*reinterpret_cast<typename io::bits*>(elements), address, on);
}
template <int COUNT, class T>
__device__ __forceinline__ void store_vector(const T* elements, u64 address, bool on) {
  using io = access<COUNT * sizeof(T)>;
  io::store(*reinterpret_cast<const typename io::bits*>(elements), address, on);
}

// What is left of an axis from `start` on, at most a block of it.
__device__ __forceinline__ int left_of(i64 size, i64 start, int block) {
  const i64 left = size - start;
  return (int)(left < 0 ? 0 : left < block ? left : block);
}
