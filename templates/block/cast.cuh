#pragma once
// cast<To>(x) between all element types.
//   to a float type      nearest, ties to even, with one rounding; f16 and bf16 overflow to infinity, the 8-bit ones
//                        saturate: beyond the largest finite value, infinities too, they give it; NaN stays NaN
//   to an integer type   from a float: toward zero, saturating, NaN is 0; from an integer: the low bits
//   to bool_             whether it is not 0 (NaN is not)
#include "block/dtype.cuh"

template <class T>
inline constexpr bool is_narrow_float = is_same<T, f16> || is_same<T, bf16> || is_same<T, f8e4m3> || is_same<T, f8e5m2>;
template <class T>
inline constexpr bool is_float = is_same<T, float> || is_same<T, double> || is_narrow_float<T>;

// ---- narrow to float: exact -------------------------------------------------------------------------------------------
__device__ __forceinline__ float widen(f16 x) {
  float f;
  asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(x.bits));
  return f;
}
__device__ __forceinline__ float widen(bf16 x) { return __uint_as_float((u32)x.bits << 16); }
__device__ __forceinline__ float widen(f8e5m2 x) { return widen(f16{(u16)(x.bits << 8)}); }  // the upper half of an f16
__device__ __forceinline__ float widen(f8e4m3 x) {
#if __CUDA_ARCH__ >= 890
  u32 pair;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(pair) : "h"((u16)x.bits));
  return widen(f16{(u16)pair});
#else
  const u32 magnitude = x.bits & 0x7f, sign = (x.bits & 0x80u) << 24;
  if (magnitude == 0x7f) return __uint_as_float(0x7fffffff);
  return __uint_as_float(__float_as_uint(__uint_as_float(magnitude << 20) * 0x1p120f) | sign);
#endif
}

// ---- float to narrow: one rounding ------------------------------------------------------------------------------------
template <class To>
__device__ __forceinline__ To narrow(float x);
template <>
__device__ __forceinline__ f16 narrow<f16>(float x) {
  f16 h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h.bits) : "f"(x));
  return h;
}
template <>
__device__ __forceinline__ bf16 narrow<bf16>(float x) {
  bf16 h;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(h.bits) : "f"(x));
  return h;
}

// For archs without the instruction: an 8-bit float of MANTISSA bits, exponent bias BIAS, largest finite value LARGEST.
template <int MANTISSA, int BIAS, u32 LARGEST>
__device__ __forceinline__ u8 round_to_byte(float x) {
  constexpr int dropped = 23 - MANTISSA;
  constexpr u32 smallest_normal = (127 - BIAS + 1) << 23;
  const u32 bits = __float_as_uint(x), sign = bits >> 24 & 0x80, magnitude = bits & 0x7fffffff;
  u32 rounded;
  if (magnitude > 0x7f800000) return 0x7f;
  if (magnitude >= smallest_normal) {
    rounded = (magnitude + (1u << (dropped - 1)) - 1 + (magnitude >> dropped & 1)) >> dropped;
    rounded -= (127 - BIAS) << MANTISSA;
  } else {  // a sum whose last place is the smallest subnormal rounds there
    constexpr u32 place = (127 + 1 - BIAS - MANTISSA + 23) << 23;
    rounded = __float_as_uint(__uint_as_float(magnitude) + __uint_as_float(place)) - place;
  }
  return (u8)(sign | (rounded < LARGEST ? rounded : LARGEST));
}
template <>
__device__ __forceinline__ f8e4m3 narrow<f8e4m3>(float x) {
#if __CUDA_ARCH__ >= 890
  u16 pair;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(x));
  return {(u8)pair};
#else
  return {round_to_byte<3, 7, 0x7e>(x)};
#endif
}
template <>
__device__ __forceinline__ f8e5m2 narrow<f8e5m2>(float x) {
#if __CUDA_ARCH__ >= 890
  u16 pair;
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(x));
  return {(u8)pair};
#else
  return {round_to_byte<2, 15, 0x7b>(x)};
#endif
}

// A float that rounds to any narrower type as x itself would: cut off, with the last bit set if anything was lost.
__device__ __forceinline__ float sticky(float cut, bool exact) {
  return __uint_as_float(__float_as_uint(cut) | (exact ? 0u : 1u));
}
__device__ __forceinline__ float to_odd(float x) { return x; }
__device__ __forceinline__ float to_odd(double x) {
  const float cut = __double2float_rz(x);
  return sticky(cut, (double)cut == x);
}
__device__ __forceinline__ float to_odd(i64 x) {
  const float cut = __ll2float_rz(x);
  return sticky(cut, (i64)cut == x);
}
__device__ __forceinline__ float to_odd(i32 x) { return to_odd((i64)x); }

// ---- float to integer: toward zero, saturating ------------------------------------------------------------------------
__device__ __forceinline__ i32 truncate(float x, i32) { return x == x ? __float2int_rz(x) : 0; }
__device__ __forceinline__ i32 truncate(double x, i32) { return x == x ? __double2int_rz(x) : 0; }
__device__ __forceinline__ i64 truncate(float x, i64) { return x == x ? __float2ll_rz(x) : 0; }
__device__ __forceinline__ i64 truncate(double x, i64) { return x == x ? __double2ll_rz(x) : 0; }
template <class From, class To>
__device__ __forceinline__ To truncate(From x, To) {  // i8, u8, i16
  constexpr i32 least = To(-1) < To(0) ? -(1 << (8 * sizeof(To) - 1)) : 0, most = least + (1 << 8 * sizeof(To)) - 1;
  const i32 wide = truncate(x, i32{});
  return (To)(wide < least ? least : wide > most ? most : wide);
}

template <class To, class From>
struct conversion {
  __device__ __forceinline__ static To apply(From x) {
    if constexpr (is_same<From, bool_>) return cast<To>((i32)(x.bits != 0));
    else if constexpr (is_narrow_float<From>) return cast<To>(widen(x));
    else if constexpr (is_same<To, bool_>) return {(u8)(x != From(0))};
    else if constexpr (is_narrow_float<To>) return narrow<To>(to_odd(x));
    else if constexpr (is_float<From> && !is_float<To>) return truncate(x, To{});
    else return (To)x;
  }
};
