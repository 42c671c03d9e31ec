#pragma once
// Rounding, absolute values and extremes of tiles, element by element, exact. Operands are promoted and meet as in
// block/elementwise.cuh.
//   abs floor ceil round trunc     integers stay as they are; round: ties to even
//   maximum(a, b), minimum(a, b)   NaN where either is NaN; -0 counts as less than 0
//   clamp(x, low, high)            minimum(maximum(x, low), high)
//   relu(x)                        maximum(x, 0)
#include "block/elementwise.cuh"
#include "block/extremes.cuh"

// Integers are whole already.
#define TILEJIT_ROUNDING(NAME, FUNCTION)                             \
  template <class T, class L>                                        \
  __device__ __forceinline__ auto NAME(const tile<T, L>& t) {        \
    return map(                                                      \
        [](T element) {                                              \
          const auto x = promote(element);                           \
          if constexpr (is_float<promoted<T>>) return FUNCTION(x);   \
          else return x;                                             \
        },                                                           \
        t);                                                          \
  }
TILEJIT_ROUNDING(floor, ::floor)
TILEJIT_ROUNDING(ceil, ::ceil)
TILEJIT_ROUNDING(round, ::rint)
TILEJIT_ROUNDING(trunc, ::trunc)
#undef TILEJIT_ROUNDING

template <class T, class L>
__device__ __forceinline__ auto abs(const tile<T, L>& t) {
  return map(
      [](T element) {
        const auto x = promote(element);
        if constexpr (is_float<promoted<T>>) return ::fabs(x);
        else return x < 0 ? -x : x;
      },
      t);
}
TILEJIT_BINARY(op_greatest, maximum, greater_of<decltype(x + y)>(x, y))
TILEJIT_BINARY(op_least, minimum, lesser_of<decltype(x + y)>(x, y))
template <class T, class L, class A, class B>
__device__ __forceinline__ auto clamp(const tile<T, L>& t, const A& low, const B& high) {
  return minimum(maximum(t, low), high);
}
template <class T, class L>
__device__ __forceinline__ auto relu(const tile<T, L>& t) { return maximum(t, 0); }
