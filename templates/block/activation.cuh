#pragma once
// What is done to a product's sum x before it is stored as Out: activated<ACTIVATION, Out>(x), ACTIVATION being the constant that
// runtime/ops/matmul.h sets: 0 none, 1 relu, 2 gelu (through erf), 3 silu; integers have relu alone. gelu and silu of a float
// that is stored as a narrower type take half the instructions: their relative error is below 5e-5, but what is smaller than
// 1e-36 may be 0. -inf gives NaN, but for that gelu 0.
#include "block/cast.cuh"
#include "block/extremes.cuh"

__device__ __forceinline__ float gelu_of(float x) { return 0.5f * x * (1.0f + ::erff(x * 0.70710678118654752440f)); }
__device__ __forceinline__ double gelu_of(double x) { return 0.5 * x * (1.0 + ::erf(x * 0.70710678118654752440)); }
__device__ __forceinline__ float silu_of(float x) { return x / (1.0f + ::expf(-x)); }
__device__ __forceinline__ double silu_of(double x) { return x / (1.0 + ::exp(-x)); }

// Exact to two units of float's last place; what is below its normal numbers is 0.
__device__ __forceinline__ float quick_reciprocal(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ __forceinline__ float quick_exp2(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// max(x, 0) - |x| / 2 * erfc(|x| / sqrt(2)), and erfc(a) = exp(-a * a) * t * q(t) where t = 1 / (1 + 0.53 a). q is the polynomial
// of degree 4 whose greatest relative error over 0 <= a <= 9, 2.6e-5, is least (fitted by weighted least squares). At 13.5,
// and so beyond, exp is below float's normal numbers, that is 0.
__device__ __forceinline__ float quick_gelu(float x) {
  const float size = fminf(fabsf(x), 13.5f);
  const float t = quick_reciprocal(__fmaf_rn(size, 0.53f * 0.70710678f, 1.0f));
  const float e = quick_exp2(size * size * (-0.5f * 1.44269504f));
  float q = __fmaf_rn(t, -0.18299889f, 0.40532536f);
  q = __fmaf_rn(q, t, 0.16344625f);
  q = __fmaf_rn(q, t, 0.31638180f);
  q = __fmaf_rn(q, t, 0.29782001f);
  return __fmaf_rn(size * -0.5f, q * t * e, greater_of(x, 0.0f));
}
__device__ __forceinline__ float quick_silu(float x) { return x * quick_reciprocal(1.0f + quick_exp2(x * -1.44269504f)); }

template <int ACTIVATION, class Out, class T>
__device__ __forceinline__ T activated(T x) {
  static_assert(0 <= ACTIVATION && ACTIVATION <= 3, "0 none, 1 relu, 2 gelu, 3 silu");
  static_assert(ACTIVATION < 2 || is_float<T>, "integers have relu alone");
  constexpr bool quick = is_narrow_float<Out> && is_same<T, float>;
  if constexpr (ACTIVATION == 1) return greater_of(x, T(0));
  else if constexpr (ACTIVATION == 2 && quick) return quick_gelu(x);
  else if constexpr (ACTIVATION == 2) return gelu_of(x);
  else if constexpr (ACTIVATION == 3 && quick) return quick_silu(x);
  else if constexpr (ACTIVATION == 3) return silu_of(x);
  else return x;
}
