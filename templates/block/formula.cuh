#pragma once
// The functions that a formula may call, for one value of float, double or i64. min and max give NaN where either is;
// relu keeps NaN; comparisons with NaN are false; round goes to even.
#include "block/dtype.cuh"

namespace formula {

#define TILEJIT_FLOATING(NAME, OF_FLOAT, OF_DOUBLE)                              \
  __device__ __forceinline__ float NAME(float x) { return OF_FLOAT; }            \
  __device__ __forceinline__ double NAME(double x) { return OF_DOUBLE; }
TILEJIT_FLOATING(exp, ::expf(x), ::exp(x))
TILEJIT_FLOATING(exp2, ::exp2f(x), ::exp2(x))
TILEJIT_FLOATING(log, ::logf(x), ::log(x))
TILEJIT_FLOATING(log2, ::log2f(x), ::log2(x))
TILEJIT_FLOATING(sqrt, ::sqrtf(x), ::sqrt(x))
TILEJIT_FLOATING(rsqrt, ::rsqrtf(x), ::rsqrt(x))
TILEJIT_FLOATING(tanh, ::tanhf(x), ::tanh(x))
TILEJIT_FLOATING(erf, ::erff(x), ::erf(x))
TILEJIT_FLOATING(sin, ::sinf(x), ::sin(x))
TILEJIT_FLOATING(cos, ::cosf(x), ::cos(x))
TILEJIT_FLOATING(sigmoid, 1.0f / (1.0f + ::expf(-x)), 1.0 / (1.0 + ::exp(-x)))
TILEJIT_FLOATING(silu, x / (1.0f + ::expf(-x)), x / (1.0 + ::exp(-x)))
TILEJIT_FLOATING(gelu, 0.5f * x * (1.0f + ::erff(x * 0.70710678f)), 0.5 * x * (1.0 + ::erf(x * 0.70710678118654752440)))
TILEJIT_FLOATING(floor, ::floorf(x), ::floor(x))
TILEJIT_FLOATING(ceil, ::ceilf(x), ::ceil(x))
TILEJIT_FLOATING(round, ::rintf(x), ::rint(x))
TILEJIT_FLOATING(trunc, ::truncf(x), ::trunc(x))
TILEJIT_FLOATING(abs, ::fabsf(x), ::fabs(x))
#undef TILEJIT_FLOATING
__device__ __forceinline__ float pow(float x, float y) { return ::powf(x, y); }
__device__ __forceinline__ double pow(double x, double y) { return ::pow(x, y); }
__device__ __forceinline__ float fma(float a, float b, float c) { return __fmaf_rn(a, b, c); }
__device__ __forceinline__ double fma(double a, double b, double c) { return __fma_rn(a, b, c); }

__device__ __forceinline__ i64 floor(i64 x) { return x; }
__device__ __forceinline__ i64 ceil(i64 x) { return x; }
__device__ __forceinline__ i64 round(i64 x) { return x; }
__device__ __forceinline__ i64 trunc(i64 x) { return x; }
__device__ __forceinline__ i64 abs(i64 x) { return x < 0 ? -x : x; }
__device__ __forceinline__ i64 fma(i64 a, i64 b, i64 c) { return a * b + c; }

template <class T>
__device__ __forceinline__ T min(T a, T b) { return a != a || a < b ? a : b; }
template <class T>
__device__ __forceinline__ T max(T a, T b) { return a != a || a > b ? a : b; }
template <class T>
__device__ __forceinline__ T relu(T x) { return x < T(0) ? T(0) : x; }
template <class T>
__device__ __forceinline__ T where(T condition, T a, T b) { return condition != T(0) ? a : b; }

}  // namespace formula
