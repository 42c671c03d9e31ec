#pragma once
// Copies of elements of 1 or 2 bytes between rows that begin at any address, by 8 aligned bytes a lane. Only the tensors'
// own elements are read or written: where 8 bytes may reach past a row's ends, elements go one by one.
//   copy_rows<M, N>(x, y, p, q)     rows p * M on, columns q * N on; both have unit stride along the columns
//   copy_singly<M, N>(x, y, p, q)   the same element by element, whatever the strides
// In each row, but for the last, a program of copy_rows writes the aligned 8 bytes that begin 1 to 8 bytes before the first of
// those columns, and those behind them: cdiv(columns + 8 bytes, N) programs write each element once.
#include "block/access.cuh"
#include "block/layout.cuh"

using eight_bytes = access<8>::bits;

// The 8 bytes from byte `skipped` of 16 on, below 8.
__device__ __forceinline__ eight_bytes between(const eight_bytes& a, const eight_bytes& b, u32 skipped) {
  const bool far = skipped & 4;
  const u32 x = far ? a.y : a.x, y = far ? b.x : a.y, z = far ? b.y : b.x;
  return {__funnelshift_r(x, y, skipped * 8), __funnelshift_r(y, z, skipped * 8)};
}

// A view's rows by address; its columns have unit stride.
template <class View>
struct byte_rows {
  static constexpr int bytes = sizeof(typename View::type);
  u64 first;
  i64 step;
  __device__ __forceinline__ explicit byte_rows(const View& view)
      : first(__cvta_generic_to_global(view.data)), step(view.template stride<0>() * bytes) {}
  __device__ __forceinline__ u64 at(i64 row, i64 col) const { return first + row * step + col * bytes; }
};

// The 8 bytes from any address on: they lie in two aligned accesses.
struct across {
  eight_bytes a, b;
  u32 skipped;
  __device__ __forceinline__ void load(u64 address, bool on = true) {
    skipped = (u32)address & 7;
    access<8>::load(a, address - skipped, on);
    access<8>::load(b, address - skipped + 8, on);
  }
  __device__ __forceinline__ eight_bytes bytes() const { return between(a, b, skipped); }
};

template <int M, int N, class X, class Y>
__device__ __forceinline__ void copy_rows(const X& x, const Y& y, i64 p, i64 q) {
  const byte_rows<X> from(x);
  const byte_rows<Y> to(y);
  constexpr int bytes = byte_rows<X>::bytes, v = 8 / bytes, lanes = smaller(num_threads, N / v);
  constexpr int rows = num_threads / lanes, along = N / v / lanes, count = M / rows * along;
  static_assert(X::unit_axis == 1 && Y::unit_axis == 1, "columns have unit stride");
  static_assert(num_threads % lanes == 0 && M % rows == 0 && N % (v * lanes) == 0, "each thread has as many 8 bytes of a tile");
  const i64 first_row = p * M + threadIdx.x / lanes, first_col = q * N + threadIdx.x % lanes * v;
  const i64 height = y.template size<0>(), width = y.template size<1>();
  const auto row = [&](int i) { return first_row + i / along * rows; };
  const auto col = [&](int i) {
    const i64 c = first_col + i % along * lanes * v;
    return c - v + (int)(-to.at(row(i), c) & 7) / bytes;
  };
  const auto whole = [&](int i) { return row(i) < height && col(i) >= v && col(i) + 2 * v <= width; };
  across in[count];
#pragma unroll
  for (int i = 0; i < count; ++i) in[i].load(from.at(row(i), col(i)), whole(i));
#pragma unroll
  for (int i = 0; i < count; ++i) access<8>::store(in[i].bytes(), to.at(row(i), col(i)), whole(i));
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    if (whole(i) || row(i) >= height || col(i) >= width) continue;
    const auto has = [&](int k) { return col(i) + k >= 0 && col(i) + k < width; };
    typename access<bytes>::bits held[v];
#pragma unroll
    for (int k = 0; k < v; ++k) access<bytes>::load(held[k], from.at(row(i), col(i) + k), has(k));
#pragma unroll
    for (int k = 0; k < v; ++k) access<bytes>::store(held[k], to.at(row(i), col(i) + k), has(k));
  }
}

template <int M, int N, class X, class Y>
__device__ __forceinline__ void copy_singly(const X& x, const Y& y, i64 p, i64 q) {
#pragma unroll 4
  for (int n = threadIdx.x; n < M * N; n += num_threads) {
    const i64 row = p * M + n / N, col = q * N + n % N;
    if (row < y.template size<0>() && col < y.template size<1>())
      y.data[row * y.template stride<0>() + col * y.template stride<1>()] =
          x.data[row * x.template stride<0>() + col * x.template stride<1>()];
  }
}
