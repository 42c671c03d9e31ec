#pragma once
// Arithmetic on tiles, element by element. As C++ does with small integers, operands are promoted first: f16, bf16 and fp8
// to float, i8, u8, i16 and bool to i32; the result keeps the promoted type until it is cast or stored. A plain number
// takes the tile's type, but a fraction with an integer tile makes floats. No multiply-add is formed unless fma says so.
// Tiles of different layouts meet in the left one's. A reduced tile spreads along the axis that it lost.
#include "block/cast.cuh"
#include "block/convert.cuh"

template <class T>
__device__ __forceinline__ auto promote(T x) {
  if constexpr (is_narrow_float<T>) return widen(x);
  else if constexpr (is_same<T, bool_>) return (i32)(x.bits != 0);
  else return +x;
}
template <class T>
using promoted = decltype(promote(T{}));

template <class T, class L, class F>
__device__ __forceinline__ auto map(const tile<T, L>& a, F f) {
  tile<decltype(f(a.v[0])), L> result;
#pragma unroll
  for (int i = 0; i < L::registers; ++i) result.v[i] = f(a.v[i]);
  return result;
}

template <class K, class L>
inline constexpr bool is_slice_of = false;  // block/reduce.cuh adds its slices

template <class A, class L, class B, class K, class F>
__device__ __forceinline__ auto zip(const tile<A, L>& a, const tile<B, K>& b, F f) {
  if constexpr (is_same<L, K> || is_slice_of<K, L>) {
    tile<decltype(f(a.v[0], b.v[0])), L> result;
#pragma unroll
    for (int i = 0; i < L::registers; ++i) {
      if constexpr (is_same<L, K>) result.v[i] = f(a.v[i], b.v[i]);
      else result.v[i] = f(a.v[i], b.v[K::slot(i)]);
    }
    return result;
  } else if constexpr (is_slice_of<L, K>) {
    return zip(b, a, [f](B y, A x) { return f(x, y); });
  } else {
    return zip(a, convert<L>(b), f);
  }
}

// The type in which a tile of T meets a plain number of type N.
template <class T, class N>
__device__ __forceinline__ auto beside(N number) {
  using P = promoted<T>;
  if constexpr (is_float<N> && !is_float<P>) return (float)number;
  else return (P)number;
}
template <class N>
inline constexpr bool is_number = !__is_class(N);

#define TILEJIT_BINARY(OP)                                                                                  \
  template <class A, class L, class B, class K>                                                             \
  __device__ __forceinline__ auto operator OP(const tile<A, L>& a, const tile<B, K>& b) {                   \
    return zip(a, b, [](A x, B y) { return promote(x) OP promote(y); });                                    \
  }                                                                                                         \
  template <class A, class L, class N>                                                                      \
    requires is_number<N>                                                                                   \
  __device__ __forceinline__ auto operator OP(const tile<A, L>& a, N number) {                              \
    return map(a, [y = beside<A>(number)](A x) { return promote(x) OP y; });                                \
  }                                                                                                         \
  template <class N, class A, class L>                                                                      \
    requires is_number<N>                                                                                   \
  __device__ __forceinline__ auto operator OP(N number, const tile<A, L>& a) {                              \
    return map(a, [y = beside<A>(number)](A x) { return y OP promote(x); });                                \
  }
TILEJIT_BINARY(+)
TILEJIT_BINARY(-)
TILEJIT_BINARY(*)
TILEJIT_BINARY(/)
#undef TILEJIT_BINARY

// In a's own dtype.
template <class A, class L, class B>
__device__ __forceinline__ void operator+=(tile<A, L>& a, const B& b) { a = cast<A>(a + b); }

// a * b + c, rounded once. a may be one number for all.
__device__ __forceinline__ float fma_of(float a, float b, float c) { return __fmaf_rn(a, b, c); }
__device__ __forceinline__ double fma_of(double a, double b, double c) { return __fma_rn(a, b, c); }
template <class A, class B, class C, class L>
__device__ __forceinline__ auto fma(const tile<A, L>& a, const tile<B, L>& b, const tile<C, L>& c) {
  tile<C, L> result;
#pragma unroll
  for (int i = 0; i < L::registers; ++i) result.v[i] = fma_of(cast<C>(a.v[i]), cast<C>(b.v[i]), c.v[i]);
  return result;
}
template <class A, class B, class C, class L>
__device__ __forceinline__ auto fma(A a, const tile<B, L>& b, const tile<C, L>& c) {
  tile<C, L> result;
#pragma unroll
  for (int i = 0; i < L::registers; ++i) result.v[i] = fma_of(cast<C>(a), cast<C>(b.v[i]), c.v[i]);
  return result;
}
