#pragma once
// load and store of 2-D tiles by tensor and ranges, masked by the tensor's own extents.
//   load(x, rows, cols)          what lies outside x is `other` (0 unless given as a last argument)
//   store(y, rows, cols, value)  what lies outside y is not written; values are cast to y's dtype
// A range whose start is negative or off a vector's boundary is right too: it goes element by element.
#include "block/access.cuh"
#include "block/convert.cuh"

// Tiles of such a view begin at no negative index and at a vector's boundary, which its maker promises: what is for other
// starts is not compiled.
template <class View>
concept starts_whole = requires { requires View::starts_whole; };

// Moves a tile between this thread's registers and a view: whole vectors where the starts allow it, else single elements.
// One function for both ways, and no calls inside, because its compile time is paid by every template.
template <bool STORE, class L, class View, class T>
__device__ __forceinline__ void transfer(const View& x, i64 row, i64 col, T* v) {
  constexpr int fast = L::fast_axis, slow = 1 - fast;
  constexpr int fast_pitch = L::vector * L::lanes, slow_pitch = L::adjacent * L::across;
  constexpr i64 bytes = sizeof(typename View::type);
  using io = access<L::vector * bytes>;
  const i64 fast_start = fast ? col : row, slow_start = fast ? row : col;
  const i64 fast_step = x.template stride<fast>() * bytes, slow_step = x.template stride<slow>() * bytes;
  const int fast_lane = L::fast_lane(), slow_lane = L::slow_lane();
  const u64 first = __cvta_generic_to_global(x.data) + (fast_start + fast_lane) * fast_step +
                    (slow_start + slow_lane) * slow_step;
  int fast_left = left_of(x.template size<fast>(), fast_start, L::fast_size) - fast_lane;
  const int slow_left = left_of(x.template size<slow>(), slow_start, L::slow_size) - slow_lane;
  if constexpr (STORE && L::vector == 1) asm("" : "+r"(fast_left));  // else a mask an element is kept from load to store
  // Where starts are whole the branch is there for ptxas, which without it uses what a first load brings before it starts
  // the next one.
  if (starts_whole<View> ? fast_left > 0 : fast_start >= 0 && slow_start >= 0 && fast_start % L::vector == 0) {
#pragma unroll
    for (int r = 0; r < L::slow_repeats; ++r)
#pragma unroll
      for (int k = 0; k < L::fast_repeats; ++k)
#pragma unroll
        for (int a = 0; a < L::adjacent; ++a) {
          T* const vector = v + ((r * L::fast_repeats + k) * L::adjacent + a) * L::vector;
          const u64 address = first + k * fast_pitch * fast_step + (r * slow_pitch + a) * slow_step;
          const bool on = k * fast_pitch < fast_left && r * slow_pitch + a < slow_left;
          if constexpr (STORE) io::store(*reinterpret_cast<const typename io::bits*>(vector), address, on);
          else io::load(*reinterpret_cast<typename io::bits*>(vector), address, on);
        }
  } else if constexpr (!starts_whole<View>) {
#pragma unroll
    for (int i = 0; i < L::registers; ++i) {
      const int k = i / L::vector, f = k / L::adjacent % L::fast_repeats * fast_pitch + i % L::vector;
      const int s = k / L::adjacent / L::fast_repeats * slow_pitch + k % L::adjacent;
      if (f < fast_left && s < slow_left && fast_start + fast_lane + f >= 0 && slow_start + slow_lane + s >= 0) {
        const u64 address = first + f * fast_step + s * slow_step;
        if constexpr (STORE) *reinterpret_cast<typename View::type*>(address) = v[i];
        else v[i] = *reinterpret_cast<const T*>(address);
      }
    }
  }
}

template <class View, int M, int N>
__device__ __forceinline__ auto load(const View& x, range<M> rows, range<N> cols) {
  static_assert(View::rank == 2, "two ranges want a tensor of two axes");
  tile<typename View::type, layout_of<View, M, N>> t{};
  transfer<false, layout_of<View, M, N>>(x, rows.start, cols.start, t.v);
  return t;
}
template <class View, int M, int N>
__device__ __forceinline__ auto load(const View& x, range<M> rows, range<N> cols, typename View::type other) {
  static_assert(View::rank == 2, "two ranges want a tensor of two axes");
  auto t = full<typename View::type, layout_of<View, M, N>>(other);
  transfer<false, layout_of<View, M, N>>(x, rows.start, cols.start, t.v);
  return t;
}

template <class View, int M, int N, class T, class L>
__device__ __forceinline__ void store(const View& y, range<M> rows, range<N> cols, const tile<T, L>& value) {
  static_assert(View::rank == 2, "two ranges want a tensor of two axes");
  static_assert(View::writable, "the template declares this tensor as read");
  using To = layout_of<View, M, N>;
  if constexpr (is_same<L, To> && is_same<T, typename View::type>) {
    transfer<true, To>(y, rows.start, cols.start, value.v);
  } else {
    store(y, rows, cols, convert<To>(cast<typename View::type>(value)));
  }
}
