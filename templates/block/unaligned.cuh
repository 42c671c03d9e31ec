#pragma once
// Copies of elements of 1 or 2 bytes between rows that begin at any address, by 8 aligned bytes a lane. Only the tensors'
// own elements are read or written: where 8 bytes may reach past a row's ends, elements go one by one.
//   copy_straight<M, N>(x, y, p, q)   rows p * M on, columns q * N on; both have unit stride along the columns
//   copy_turned<M, N>(x, y, p, q)     columns q * (N - 8 bytes) on; x has unit stride along the rows, y along the columns
//   copy_singly<M, N>(x, y, p, q)     rows p * M on, columns q * N on, element by element, whatever the strides
// In each row, but for the last, a program writes the aligned 8 bytes that begin 1 to 8 bytes before the first of those columns, and those
// behind them: cdiv(columns + 8 bytes, N or N - 8 bytes) programs write each element once.
#include "block/access.cuh"
#include "block/layout.cuh"
#include "block/scratch.cuh"

using eight_bytes = access<8>::bits;

// The 8 bytes from byte `skipped` of 16 on, below 8.
__device__ __forceinline__ eight_bytes between(const eight_bytes& a, const eight_bytes& b, u32 skipped) {
  const bool far = skipped & 4;
  const u32 x = far ? a.y : a.x, y = far ? b.x : a.y, z = far ? b.y : b.x;
  return {__funnelshift_r(x, y, skipped * 8), __funnelshift_r(y, z, skipped * 8)};
}

// Four words of four bytes, or two of two halves, turned.
__device__ __forceinline__ void turn(u32 (&w)[4]) {
  const u32 a = __byte_perm(w[0], w[1], 0x5140), b = __byte_perm(w[0], w[1], 0x7362);
  const u32 c = __byte_perm(w[2], w[3], 0x5140), d = __byte_perm(w[2], w[3], 0x7362);
  w[0] = __byte_perm(a, c, 0x5410), w[1] = __byte_perm(a, c, 0x7632);
  w[2] = __byte_perm(b, d, 0x5410), w[3] = __byte_perm(b, d, 0x7632);
}
__device__ __forceinline__ void turn(u32 (&w)[2]) {
  const u32 a = __byte_perm(w[0], w[1], 0x5410), b = __byte_perm(w[0], w[1], 0x7632);
  w[0] = a, w[1] = b;
}

// A view's rows along its unit stride, by address.
template <class View>
struct byte_rows {
  static constexpr int bytes = sizeof(typename View::type), fast = View::unit_axis;
  const View& x;
  u64 first;
  i64 step;
  __device__ __forceinline__ explicit byte_rows(const View& view)
      : x(view), first(__cvta_generic_to_global(view.data)), step(view.template stride<1 - fast>() * bytes) {}
  __device__ __forceinline__ u64 at(i64 row, i64 place) const { return first + row * step + place * bytes; }
  __device__ __forceinline__ bool has(i64 row, i64 place) const {
    return row >= 0 && row < x.template size<1 - fast>() && place >= 0 && place < x.template size<fast>();
  }
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
__device__ __forceinline__ void copy_straight(const X& x, const Y& y, i64 p, i64 q) {
  const byte_rows<X> from(x);
  const byte_rows<Y> to(y);
  constexpr int bytes = byte_rows<X>::bytes, v = 8 / bytes, lanes = smaller(num_threads, N / v);
  constexpr int rows = num_threads / lanes, along = N / v / lanes, count = M / rows * along;
  static_assert(X::unit_axis == 1 && Y::unit_axis == 1 && M % rows == 0 && N % (v * lanes) == 0);
  const i64 first_row = p * M + threadIdx.x / lanes, first_col = q * N + threadIdx.x % lanes * v, size = y.template size<1>();
  const auto row = [&](int i) { return first_row + i / along * rows; };
  const auto col = [&](int i) {
    const i64 c = first_col + i % along * lanes * v;
    return c - v + (int)(-to.at(row(i), c) & 7) / bytes;
  };
  const auto whole = [&](int i) { return row(i) < y.template size<0>() && col(i) >= v && col(i) + 2 * v <= size; };
  across in[count];
#pragma unroll
  for (int i = 0; i < count; ++i) in[i].load(from.at(row(i), col(i)), whole(i));
#pragma unroll
  for (int i = 0; i < count; ++i) access<8>::store(in[i].bytes(), to.at(row(i), col(i)), whole(i));
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    if (whole(i) || col(i) >= size) continue;
    typename access<bytes>::bits held[v];
#pragma unroll
    for (int k = 0; k < v; ++k)
      access<bytes>::load(held[k], from.at(row(i), col(i) + k), to.has(row(i), col(i) + k));
#pragma unroll
    for (int k = 0; k < v; ++k)
      access<bytes>::store(held[k], to.at(row(i), col(i) + k), to.has(row(i), col(i) + k));
  }
}

// The tile begins 8 bytes before the first column and lies in scratch as y does, in chunks of 8 bytes, whose place in a row
// is their number xor a key of the row: neither side meets bank conflicts.
template <int M, int N, class X, class Y>
__device__ __forceinline__ void copy_turned(const X& x, const Y& y, i64 p, i64 q) {
  const byte_rows<X> from(x);
  const byte_rows<Y> to(y);
  constexpr int bytes = byte_rows<X>::bytes, v = 8 / bytes, side = 4 / bytes, lanes = 16, groups = num_threads / lanes;
  constexpr int parts = M / (lanes * v), repeats = N / (side * groups), chunks = N / v;
  static_assert(X::unit_axis == 0 && Y::unit_axis == 1);
  static_assert(M % (lanes * v) == 0 && chunks % lanes == 0 && N % (side * groups) == 0 && M % groups == 0 && groups % v == 0);
  using element = typename access<bytes>::bits;
  u8* const tile = scratch<u8, M * N * bytes>();
  const auto place = [](int row, int chunk) { return (row * chunks + (chunk ^ row / v % lanes)) * 8; };
  const i64 row = p * M, col = q * (N - v) - v;
  const int lane = threadIdx.x % lanes, group = threadIdx.x / lanes;
  const bool whole = row >= v && row + M + v <= y.template size<0>() && col >= 0 && col + N <= y.template size<1>();
  if (whole) {
    across in[parts][repeats][side];
    u64 address = from.at(col + group * side, row + lane * v);
#pragma unroll
    for (int r = 0; r < repeats; ++r, address += from.step * ((groups - 1) * side))
#pragma unroll
      for (int s = 0; s < side; ++s, address += from.step)
#pragma unroll
        for (int k = 0; k < parts; ++k) in[k][r][s].load(address + k * lanes * 8);
#pragma unroll
    for (int k = 0; k < parts; ++k)
#pragma unroll
      for (int r = 0; r < repeats; ++r) {
        u32 low[side], high[side];
#pragma unroll
        for (int s = 0; s < side; ++s) {
          const eight_bytes held = in[k][r][s].bytes();
          low[s] = held.x, high[s] = held.y;
        }
        turn(low);
        turn(high);
        u8* const to_row = tile + place((k * lanes + lane) * v, (r * groups + group) / 2) + group % 2 * 4;
#pragma unroll
        for (int s = 0; s < side; ++s) {
          *reinterpret_cast<u32*>(to_row + s * N * bytes) = low[s];
          *reinterpret_cast<u32*>(to_row + (side + s) * N * bytes) = high[s];
        }
      }
  } else {
#pragma unroll 2
    for (int n = threadIdx.x; n < M * N / side; n += num_threads) {
      const int i = n % M, j = n / M * side;
      element held[side] = {};
#pragma unroll
      for (int s = 0; s < side; ++s)
        access<bytes>::load(held[s], from.at(col + j + s, row + i), from.has(col + j + s, row + i));
      u32 word = 0;
#pragma unroll
      for (int s = 0; s < side; ++s) word |= (u32)held[s].x << s * bytes * 8;
      *reinterpret_cast<u32*>(tile + place(i, j / v) + j % v * bytes) = word;
    }
  }
  __syncthreads();
  if (whole) {
    u64 address = to.at(row + group, col + v) + lane * 8 - 8;
#pragma unroll
    for (int i = 0; i < M; i += groups, address += to.step * groups) {
      const u32 skipped = (u32)-address & 7;
      const int key = i / v % lanes ^ group / v;  // of row i + group
#pragma unroll
      for (int k = 0; k < chunks; k += lanes) {
        const bool on = k + lanes < chunks || lane < lanes - 1;
        const u8* const held = tile + ((i + group) * chunks + k) * 8;
        const eight_bytes a = *reinterpret_cast<const eight_bytes*>(held + (lane ^ key) * 8);
        const eight_bytes b = *reinterpret_cast<const eight_bytes*>(held + (lane + on ^ key) * 8);
        access<8>::store(between(a, b, skipped), address + skipped + k * 8, on);
      }
    }
  } else {
#pragma unroll 4
    for (int n = threadIdx.x; n < M * (N - v); n += num_threads) {
      const int i = n / (N - v), j = (int)(-to.at(row + i, col) & 7) / bytes + n % (N - v);
      const element one = *reinterpret_cast<const element*>(tile + place(i, j / v) + j % v * bytes);
      access<bytes>::store(one, to.at(row + i, col + j), to.has(row + i, col + j));
    }
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
