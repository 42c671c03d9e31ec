#pragma once
// What products are summed in, and one step of such a sum: fma_of(a, b, c) is a * b + c, rounded once; integers wrap.
#include "block/dtype.cuh"

template <class T>
struct product_sum_of { using type = i32; };  // narrow integers, bool
template <> struct product_sum_of<f16> { using type = float; };
template <> struct product_sum_of<bf16> { using type = float; };
template <> struct product_sum_of<f8e4m3> { using type = float; };
template <> struct product_sum_of<f8e5m2> { using type = float; };
template <> struct product_sum_of<float> { using type = float; };
template <> struct product_sum_of<double> { using type = double; };
template <> struct product_sum_of<i64> { using type = i64; };
template <class T>
using product_sum = typename product_sum_of<T>::type;

__device__ __forceinline__ float fma_of(float a, float b, float c) { return __fmaf_rn(a, b, c); }
__device__ __forceinline__ double fma_of(double a, double b, double c) { return __fma_rn(a, b, c); }
__device__ __forceinline__ i32 fma_of(i32 a, i32 b, i32 c) { return (i32)((u32)a * (u32)b + (u32)c); }
__device__ __forceinline__ i64 fma_of(i64 a, i64 b, i64 c) { return (i64)((u64)a * (u64)b + (u64)c); }
