#pragma once
// A panel: DEPTH steps of K by WIDTH rows of a (or columns of b) in shared memory, as the accumulator's type, the rows of one
// step of K side by side. A step's line is 16 bytes longer than its elements, so that lanes that write down a column of the
// panel meet other banks.
//   panel<View, K_AXIS, WIDTH, DEPTH> p(x, first);    x's axis K_AXIS is K; the panel covers [first, first + WIDTH) of the other
//   p.fill(memory);                                   starts copying the next DEPTH steps, from 0 on; what lies outside of x is 0
//   p.line(memory, k)                                 the first element of step k
// Elements of 4 bytes and more go there by copy_async, in vectors where x has its unit stride along the panel; narrower ones
// through registers. The caller commits, waits and synchronises.
#include "block/async.cuh"
#include "block/fma.cuh"
#include "block/line.cuh"

// An addition that the compiler does not merge with others: it would give each address a chain of its own.
__device__ __forceinline__ u64 sum_as_it_stands(u64 a, u64 b) {
  u64 sum;
  asm("add.u64 %0, %1, %2;" : "=l"(sum) : "l"(a), "l"(b));
  return sum;
}

template <class View, int K_AXIS, int WIDTH, int DEPTH>
struct panel {
  using type = typename View::type;
  using element = product_sum<type>;
  static constexpr int axis = 1 - K_AXIS;
  static constexpr int pitch = WIDTH + 16 / (int)sizeof(element), size = DEPTH * pitch;
  // Lanes that run along K read whole sectors where the unit stride is there.
  static constexpr bool along_k = View::unit_axis == K_AXIS;
  static constexpr int bytes = sizeof(type);
  static constexpr int vector = View::unit_axis == axis && bytes >= 4 ? (View::align < 16 ? View::align : 16) / bytes : 1;
  static constexpr int k_lanes = along_k ? (DEPTH < 8 ? DEPTH : 8) : 1;
  static constexpr int wide = WIDTH / vector;                                  // vectors a step
  static constexpr int lanes = num_threads / k_lanes < wide ? num_threads / k_lanes : wide;
  static constexpr int steps = num_threads / lanes;                            // of K at once
  static constexpr int rounds = cdiv(DEPTH, steps), repeats = cdiv(wide, lanes);

  const View x;
  int left;       // of the panel's axis, from this thread's first element on
  u64 from;       // its address at the next step
  i32 deep;       // steps left from there on
  int k0, w0;     // this thread's place

  __device__ __forceinline__ panel(const View& view, i64 first) : x(view) {
    k0 = along_k ? threadIdx.x % steps : threadIdx.x / lanes;
    w0 = (along_k ? threadIdx.x / steps : threadIdx.x % lanes) * vector;
    left = left_of(x.template size<axis>(), first, WIDTH) - w0;
    deep = i32(x.template size<K_AXIS>()) - k0;
    from = __cvta_generic_to_global(x.data) +
           ((first + w0) * x.template stride<axis>() + k0 * x.template stride<K_AXIS>()) * bytes;
  }

  __device__ __forceinline__ void fill(element* memory) {
    const u64 right = x.template stride<axis>() * (lanes * vector * bytes), down = x.template stride<K_AXIS>() * (steps * bytes);
    element* const to = memory + k0 * pitch + w0;
    // Along the axis whose stride is not known when this is compiled an address serves all of the other.
    constexpr int outer = along_k ? repeats : rounds, inner = along_k ? rounds : repeats;
    u64 start = from;
#pragma unroll
    for (int o = 0; o < outer; ++o) {
      if (o > 0) start = sum_as_it_stands(start, along_k ? right : down);
#pragma unroll
      for (int n = 0; n < inner; ++n) {
        const int r = along_k ? n : o, i = along_k ? o : n;
        const bool on = r * steps < deep && i * lanes * vector < left;
        const u64 address = start + n * (along_k ? down : right);
        element* const place = to + r * steps * pitch + i * lanes * vector;
        if ((DEPTH % steps != 0 && k0 + r * steps >= DEPTH) || (wide % lanes != 0 && w0 + i * lanes * vector >= WIDTH)) continue;
        if constexpr (bytes >= 4) {
          copy_async<vector * bytes>(shared_address(place), address, on);
        } else {
          type narrow{};
          load_vector<1>(&narrow, address, on);
          *place = cast<element>(narrow);
        }
      }
    }
    from += x.template stride<K_AXIS>() * (DEPTH * bytes);
    deep -= DEPTH;
  }
  __device__ __forceinline__ static const element* line(const element* memory, int k) { return memory + k * pitch; }
};
