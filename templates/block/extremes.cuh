#pragma once
// The greater and the lesser of two promoted numbers. NaN where either is NaN, as NumPy and PyTorch have it; -0 counts as
// less than 0. What stands for nothing in a maximum is lowest<T>(), in a minimum highest<T>(), of any element type.
#include "block/cast.cuh"

template <class T>
__device__ __forceinline__ constexpr T highest() {
  if constexpr (is_same<T, float>) return __builtin_bit_cast(float, 0x7f800000);
  else if constexpr (is_same<T, double>) return __builtin_bit_cast(double, 0x7ff0000000000000);
  else if constexpr (is_same<T, f16>) return {0x7c00};
  else if constexpr (is_same<T, bf16>) return {0x7f80};
  else if constexpr (is_same<T, f8e4m3>) return {0x7e};  // 448: there is no infinity
  else if constexpr (is_same<T, f8e5m2>) return {0x7c};
  else if constexpr (is_same<T, bool_>) return {1};
  else if constexpr (T(-1) < T(0)) return T((1ull << (8 * sizeof(T) - 1)) - 1);
  else return T(-1);
}
template <class T>
__device__ __forceinline__ constexpr T lowest() {
  if constexpr (is_same<T, float> || is_same<T, double>) return -highest<T>();
  else if constexpr (is_same<T, bool_>) return {0};
  else if constexpr (is_narrow_float<T>) return {(decltype(T{}.bits))(highest<T>().bits | 1u << (8 * sizeof(T) - 1))};
  else return T(~highest<T>());
}

template <class T>
__device__ __forceinline__ T greater_of(T a, T b) {
  if constexpr (is_same<T, float>) {
    float c;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
    return c;
  } else if constexpr (is_same<T, double>) {
    return a != a ? a : b != b ? b : ::fmax(a, b);
  } else {
    return a > b ? a : b;
  }
}
template <class T>
__device__ __forceinline__ T lesser_of(T a, T b) {
  if constexpr (is_same<T, float>) {
    float c;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
    return c;
  } else if constexpr (is_same<T, double>) {
    return a != a ? a : b != b ? b : ::fmin(a, b);
  } else {
    return a < b ? a : b;
  }
}
