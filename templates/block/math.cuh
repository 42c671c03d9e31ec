#pragma once
// Functions of tiles, element by element. Elements are promoted first: narrow floats are computed in float, f64 in
// double, integers in float.
//   exp exp2 expm1 log log2 log1p sqrt rsqrt tanh erf sin cos sigmoid   within a few units of the last place, CUDA's own
//                          bounds; special values as in C; the emulated device's last bits may differ
//   exp_as<E>(t)           exp for results kept as E: of floats, if E is narrow, by an instruction alone, exact to far less
//                          than E's last place; 0 below float's normal numbers
//   pow(a, b)              as in C
//   gelu silu             the former through erf
#include "block/elementwise.cuh"

// The type that functions compute in.
template <class T>
__device__ __forceinline__ auto real(T x) {
  if constexpr (is_float<promoted<T>>) return promote(x);
  else return (float)promote(x);
}

__device__ __forceinline__ float rsqrt_of(float x) { return rsqrtf(x); }
__device__ __forceinline__ double rsqrt_of(double x) { return rsqrt(x); }
__device__ __forceinline__ float sqrt_of(float x) { return __fsqrt_rn(x); }
__device__ __forceinline__ double sqrt_of(double x) { return __dsqrt_rn(x); }
__device__ __forceinline__ float exp_of(float x) { return expf(x); }
__device__ __forceinline__ double exp_of(double x) { return exp(x); }
template <class T>
__device__ __forceinline__ T sigmoid_of(T x) { return T(1) / (T(1) + exp_of(-x)); }

#define TILEJIT_FUNCTION(NAME, EXPRESSION)                           \
  template <class T, class L>                                        \
  __device__ __forceinline__ auto NAME(const tile<T, L>& t) {        \
    return map(                                                      \
        [](T element) {                                              \
          const auto x = real(element);                              \
          return EXPRESSION;                                         \
        },                                                           \
        t);                                                          \
  }
TILEJIT_FUNCTION(exp, exp_of(x))
TILEJIT_FUNCTION(exp2, ::exp2(x))
TILEJIT_FUNCTION(expm1, ::expm1(x))
TILEJIT_FUNCTION(log, ::log(x))
TILEJIT_FUNCTION(log2, ::log2(x))
TILEJIT_FUNCTION(log1p, ::log1p(x))
TILEJIT_FUNCTION(sqrt, sqrt_of(x))
TILEJIT_FUNCTION(rsqrt, rsqrt_of(x))
TILEJIT_FUNCTION(tanh, ::tanh(x))
TILEJIT_FUNCTION(erf, ::erf(x))
TILEJIT_FUNCTION(sin, ::sin(x))
TILEJIT_FUNCTION(cos, ::cos(x))
TILEJIT_FUNCTION(sigmoid, sigmoid_of(x))
#undef TILEJIT_FUNCTION
TILEJIT_BINARY(op_power, pow, ::pow(real(x), real(y)))

// x / 2 * (1 + erf(x / sqrt(2))), and x * sigmoid(x).
template <class T, class L>
__device__ __forceinline__ auto gelu(const tile<T, L>& t) {
  return map(
      [](T element) {
        const auto x = real(element);
        using R = decltype(real(element));
        return R(0.5) * x * (R(1) + ::erf(x * R(0.70710678118654752440)));
      },
      t);
}
template <class T, class L>
__device__ __forceinline__ auto silu(const tile<T, L>& t) {
  return map(
      [](T element) {
        const auto x = real(element);
        return x * sigmoid_of(x);
      },
      t);
}

template <class E, class T, class L>
__device__ __forceinline__ auto exp_as(const tile<T, L>& t) {
  if constexpr (is_narrow_float<E> && is_same<T, float>) {
    return map(
        [](float x) {
          float e;
          asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"(x * 1.44269504f));
          return e;
        },
        t);
  } else {
    return exp(t);
  }
}
