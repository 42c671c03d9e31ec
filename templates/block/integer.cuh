#pragma once
// Operators of integers on tiles. Operands are promoted and meet as in block/elementwise.cuh.
//   %, <<, >>           as in C: % has the dividend's sign, >> of a negative number keeps the sign
//   &, |, ^, ~          bit by bit; of two masks they are masks
//   floor_div, floor_mod  as Python's // and %: rounded down, the remainder has the divisor's sign
// A division by 0 is undefined, a fault on the emulated device.
#include "block/elementwise.cuh"

TILEJIT_BINARY(op_remainder, operator%, x % y)
TILEJIT_BINARY(op_shifted_left, operator<<, x << y)
TILEJIT_BINARY(op_shifted_right, operator>>, x >> y)

TILEJIT_BINARY(op_floor_quotient, floor_div, x / y - (x % y != 0 && (x < 0) != (y < 0)))
TILEJIT_BINARY(op_floor_remainder, floor_mod, x % y + (x % y != 0 && (x < 0) != (y < 0) ? y : 0))

template <class Op, class A, class B>
__device__ __forceinline__ auto bitwise(const A& a, const B& b) {
  if constexpr (is_tile<A> && is_tile<B> && is_same<element_of<A>, bool> && is_same<element_of<B>, bool>)
    return map([](bool x, bool y) { return bool(Op::of(x, y)); }, a, b);
  else return binary<Op>(a, b);
}
#define TILEJIT_BITWISE(NAME, OP)                                        \
  struct NAME {                                                          \
    template <class X, class Y>                                          \
    __device__ __forceinline__ static auto of(X x, Y y) {                \
      return x OP y;                                                     \
    }                                                                    \
  };                                                                     \
  template <class A, class B>                                            \
    requires any_tile<A, B>                                              \
  __device__ __forceinline__ auto operator OP(const A& a, const B& b) {  \
    return bitwise<NAME>(a, b);                                          \
  }
TILEJIT_BITWISE(op_bits_and, &)
TILEJIT_BITWISE(op_bits_or, |)
TILEJIT_BITWISE(op_bits_xor, ^)
#undef TILEJIT_BITWISE

template <class A, class L>
__device__ __forceinline__ auto operator~(const tile<A, L>& a) {
  if constexpr (is_same<A, bool>) return map([](bool x) { return !x; }, a);
  else return map([](A x) { return ~promote(x); }, a);
}
