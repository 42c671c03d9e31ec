#pragma once
// Arithmetic on tiles, element by element; operands meet as block/broadcast.cuh says. As C++ does with small integers,
// operands are promoted first: f16, bf16 and fp8 to float, i8, u8, i16 and bool to i32; the result keeps the promoted
// type until it is cast or stored. Between tiles of different types C++'s rules hold. A plain number takes the tile's
// type, but a fraction with an integer tile makes floats, and a 64-bit integer widens a 32-bit tile. Integers wrap; their
// `/` truncates (block/integer.cuh has the rest). No multiply-add is formed unless fma says so.
#include "block/broadcast.cuh"
#include "block/cast.cuh"
#include "block/fma.cuh"

template <class T>
__device__ __forceinline__ auto promote(T x) {
  if constexpr (is_narrow_float<T>) return widen(x);
  else if constexpr (is_same<T, bool_>) return (i32)(x.bits != 0);
  else return +x;
}
template <class T>
using promoted = decltype(promote(T{}));

// A plain number as it meets a tile of T.
template <class T, class N>
__device__ __forceinline__ auto beside(N number) {
  using P = promoted<T>;
  if constexpr (is_narrow_float<N> || is_same<N, bool_>) return beside<T>(promote(number));
  else if constexpr (is_float<N> && !is_float<P>) return (float)number;
  else if constexpr (!is_float<P> && sizeof(N) > sizeof(P)) return number;
  else return (P)number;
}

template <class X>
struct element { using type = X; };
template <class T, class L>
struct element<tile<T, L>> { using type = T; };
template <class X>
using element_of = typename element<X>::type;  // a tile's, or a number's own type

template <class A, class B>
concept any_tile = is_tile<A> || is_tile<B>;

// Op::of the promoted elements of a and b, one of which may be a plain number.
template <class Op, class A, class B>
__device__ __forceinline__ auto binary(const A& a, const B& b) {
  using T = element_of<A>;
  using U = element_of<B>;
  if constexpr (!is_tile<B>) return map([y = beside<T>(b)](T x) { return Op::of(promote(x), y); }, a);
  else if constexpr (!is_tile<A>) return map([x = beside<U>(a)](U y) { return Op::of(x, promote(y)); }, b);
  else return map([](T x, U y) { return Op::of(promote(x), promote(y)); }, a, b);
}

// A function of two operands, of which at least one is a tile: NAME(a, b), or a OP b.
#define TILEJIT_BINARY(NAME, FUNCTION, EXPRESSION)                        \
  struct NAME {                                                           \
    template <class X, class Y>                                           \
    __device__ __forceinline__ static auto of(X x, Y y) {                 \
      return EXPRESSION;                                                  \
    }                                                                     \
  };                                                                      \
  template <class A, class B>                                             \
    requires any_tile<A, B>                                               \
  __device__ __forceinline__ auto FUNCTION(const A& a, const B& b) {      \
    return binary<NAME>(a, b);                                            \
  }
TILEJIT_BINARY(op_plus, operator+, x + y)
TILEJIT_BINARY(op_minus, operator-, x - y)
TILEJIT_BINARY(op_times, operator*, x * y)
TILEJIT_BINARY(op_divided, operator/, x / y)

template <class A, class L>
__device__ __forceinline__ auto operator-(const tile<A, L>& a) {
  return map([](A x) { return -promote(x); }, a);
}

// In a's own dtype and layout.
template <class Op, class A, class L, class B>
__device__ __forceinline__ void assign(tile<A, L>& a, const B& b) {
  if constexpr (is_tile<B>) {
    const auto& other = beside_layout<L>(b);
#pragma unroll
    for (int i = 0; i < L::registers; ++i) a.v[i] = cast<A>(Op::of(promote(a.v[i]), promote(element_at<L>(other, i))));
  } else {
    const auto other = beside<A>(b);
#pragma unroll
    for (int i = 0; i < L::registers; ++i) a.v[i] = cast<A>(Op::of(promote(a.v[i]), other));
  }
}
#define TILEJIT_ASSIGN(OP, NAME)                                                                        \
  template <class A, class L, class B>                                                                  \
  __device__ __forceinline__ void operator OP(tile<A, L>& a, const B& b) { assign<NAME>(a, b); }
TILEJIT_ASSIGN(+=, op_plus)
TILEJIT_ASSIGN(-=, op_minus)
TILEJIT_ASSIGN(*=, op_times)
TILEJIT_ASSIGN(/=, op_divided)

// a * b + c, rounded once, in the type of c, or of the first tile where c is a number. Integers wrap.
template <class X, class... More>
struct first_tile : first_tile<More...> {};
template <class T, class L, class... More>
struct first_tile<tile<T, L>, More...> { using type = T; };
template <class A, class B, class C>
  requires(is_tile<A> || is_tile<B> || is_tile<C>)
__device__ __forceinline__ auto fma(const A& a, const B& b, const C& c) {
  using P = promoted<typename first_tile<C, A, B>::type>;
  return map(
      [](element_of<A> x, element_of<B> y, element_of<C> z) {
        if constexpr (is_float<P>) return fma_of(cast<P>(x), cast<P>(y), cast<P>(z));
        else return cast<P>(x) * cast<P>(y) + cast<P>(z);
      },
      a, b, c);
}
