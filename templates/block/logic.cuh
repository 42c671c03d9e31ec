#pragma once
// Comparisons, where and logical operators on tiles. A comparison makes a tile of bool; operands are promoted and meet as
// in block/elementwise.cuh. NaN compares as in IEEE 754: only != holds.
//   where(mask, a, b)   a where the mask holds, else b; both are evaluated, in the type that a + b would have
//   &&, ||, !           of masks and of numbers (not 0 is true); both sides are evaluated
#include "block/elementwise.cuh"

TILEJIT_BINARY(op_equal, operator==, x == y)
TILEJIT_BINARY(op_differs, operator!=, x != y)
TILEJIT_BINARY(op_less, operator<, x < y)
TILEJIT_BINARY(op_at_most, operator<=, x <= y)
TILEJIT_BINARY(op_greater, operator>, x > y)
TILEJIT_BINARY(op_at_least, operator>=, x >= y)

template <class T>
__device__ __forceinline__ bool truth(T x) { return promote(x) != promote(T{}); }

TILEJIT_BINARY(op_both, operator&&, bool(truth(x) & truth(y)))
TILEJIT_BINARY(op_either, operator||, bool(truth(x) | truth(y)))
template <class A, class L>
__device__ __forceinline__ auto operator!(const tile<A, L>& a) {
  return map([](A x) { return !truth(x); }, a);
}

template <class M, class K, class A, class B>
__device__ __forceinline__ auto where(const tile<M, K>& mask, const A& a, const B& b) {
  using T = element_of<A>;
  using U = element_of<B>;
  if constexpr (is_tile<A> && is_tile<B>) {
    return map([](M on, T x, U y) { return truth(on) ? promote(x) : promote(y); }, mask, a, b);
  } else if constexpr (is_tile<A>) {
    return map([y = beside<T>(b)](M on, T x) { return truth(on) ? promote(x) : y; }, mask, a);
  } else if constexpr (is_tile<B>) {
    return map([x = beside<U>(a)](M on, U y) { return truth(on) ? x : promote(y); }, mask, b);
  } else {
    return map([x = promote(a), y = beside<T>(b)](M on) { return truth(on) ? x : y; }, mask);
  }
}
