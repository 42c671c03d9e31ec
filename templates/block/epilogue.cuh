#pragma once
// What a product becomes before it is stored:
//   c = activation(alpha * product + beta * previous + bias) + residual
// in the accumulator's type T. bias, previous and residual are views of two axes with c's extents (strides of 0 repeat a
// row or a column), or absent ones, which cost nothing: without `previous`, c is not read. alpha and beta come as doubles.
//   const auto e = epilogue_of<T, ACTIVATION, Out>(bias, previous, residual, alpha, beta);   Out: c's type, T if left out
//   const auto more = e.template load<V>(row, col, count);   what is to be added to V neighbours along columns, as load_line
//   e.apply(v, more);                                        T v[V]: products in, results out; without `more` where e.local
//   store_line(c, row, col, v, count);
// Loads of several lines go before the first store, so that they wait for memory together.
#include "block/activation.cuh"
#include "block/fma.cuh"
#include "block/line.cuh"

// A line of a tensor that may be absent.
template <class T, int V, bool PRESENT>
struct line_of {
  T v[V];
};
template <class T, int V>
struct line_of<T, V, false> {};

template <class T, int ACTIVATION, class Out, class Bias, class Previous, class Residual>
struct epilogue {
  Bias bias;
  Previous previous;
  Residual residual;
  T alpha, beta;
  static constexpr int tensors = Bias::present + Previous::present + Residual::present;  // that are added
  static constexpr bool local = tensors == 0 && ACTIVATION <= 1;  // asks for no place, and is short wherever it is put

  template <int V>
  struct addends {  // of one line
    line_of<T, V, Bias::present> bias;
    line_of<T, V, Previous::present> previous;
    line_of<T, V, Residual::present> residual;
  };
  template <int V>
  __device__ __forceinline__ addends<V> load(i64 row, i64 col, int count) const {
    addends<V> more{};
    if constexpr (Bias::present) load_line(more.bias.v, bias, row, col, count);
    if constexpr (Previous::present) load_line(more.previous.v, previous, row, col, count);
    if constexpr (Residual::present) load_line(more.residual.v, residual, row, col, count);
    return more;
  }
  template <int V>
  __device__ __forceinline__ void apply(T (&v)[V], const addends<V>& more) const {
#pragma unroll
    for (int k = 0; k < V; ++k) {
      T x;
      if constexpr (is_float<T>) x = alpha * v[k];
      else x = fma_of(alpha, v[k], T(0));
      if constexpr (Previous::present) x = fma_of(beta, more.previous.v[k], x);
      if constexpr (Bias::present) x = fma_of(T(1), more.bias.v[k], x);
      x = activated<ACTIVATION, Out>(x);
      if constexpr (Residual::present) x = fma_of(T(1), more.residual.v[k], x);
      v[k] = x;
    }
  }
  template <int V>
  __device__ __forceinline__ void apply(T (&v)[V]) const {
    static_assert(local, "what is added is loaded first");
    apply(v, addends<V>{});
  }
};

template <class T, int ACTIVATION, class Out = T, class Bias, class Previous, class Residual>
__device__ __forceinline__ epilogue<T, ACTIVATION, Out, Bias, Previous, Residual> epilogue_of(
    const Bias& bias, const Previous& previous, const Residual& residual, double alpha, double beta) {
  return {bias, previous, residual, cast<T>(alpha), cast<T>(beta)};
}
