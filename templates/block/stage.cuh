#pragma once
// A warp's rows of wgmma results on their way out: from registers (a quad of lanes holds 8 columns of a row) through shared
// memory to whole lines of global memory; as boxes that the TMA unit stores, or as lines with an epilogue on the way.
#include "block/epilogue.cuh"
#include "block/tma.cuh"

template <class T>
__device__ __forceinline__ u32 packed(float low, float high) {
  u32 pair;
  if constexpr (is_same<T, bf16>) asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  else asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}

// A buffer of 2 KB holds 16 rows of 128 bytes as a TMA swizzle of 128 bytes does:
//
//        16 bytes
//      +--+--+- -+--+
// row 0| 0| 1|   | 7|    chunk c of row r lies at place c xor r % 8: neither the columns that are written
//     1| 1| 0|   | 6|    nor the rows that are read meet in one bank
//      +--+--+- -+--+
struct unchanged {
  template <int V>
  __device__ __forceinline__ void apply(float (&)[V]) const {}
};
struct stage_buffer {
  static constexpr int rows = 16, bytes = rows * 128;
  template <class T>
  static constexpr int columns = 128 / sizeof(T);
  u32 shared;  // aligned to 1024

  __device__ __forceinline__ u32 place(u32 row, u32 chunk) const { return shared + row * 128 + (chunk ^ row % 8) * 16; }

  // The warp's 16 rows of 16 columns of an accumulator, as 2-byte T from `chunk` on.
  template <class T>
  __device__ __forceinline__ void write_16(const float (&v)[8], int chunk, u32 lane = threadIdx.x % 32) const {
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(place(lane % 16, chunk + lane / 16)),
                 "r"(packed<T>(v[0], v[1])), "r"(packed<T>(v[2], v[3])), "r"(packed<T>(v[4], v[5])), "r"(packed<T>(v[6], v[7]))
                 : "memory");
  }

  // The warp's 16 rows of an accumulator, columns<T> of them from register d[0] on, finished and as T.
  template <class T, class Epilogue = unchanged>
  __device__ __forceinline__ void write(const float* d, const Epilogue& epilogue = {}, u32 lane = threadIdx.x % 32) const {
    if constexpr (sizeof(T) == 2) {
#pragma unroll
      for (int i = 0; i < 4; ++i, d += 8) {
        float v[8] = {d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]};
        epilogue.apply(v);
        write_16<T>(v, 2 * i, lane);
      }
    } else {
#pragma unroll
      for (int i = 0; i < 4; ++i, d += 4) {
        const u32 at = place(lane / 4, 2 * i + lane % 4 / 2) + lane % 2 * 8;  // eight rows below lies in the same place
        float v[4] = {d[0], d[1], d[2], d[3]};
        epilogue.apply(v);
        asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(at), "f"(v[0]), "f"(v[1]) : "memory");
        asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(at + 8 * 128), "f"(v[2]), "f"(v[3]) : "memory");
      }
    }
  }

  // V neighbours of row `row`, from `column` on, a multiple of V.
  template <int V>
  __device__ __forceinline__ void read(float (&v)[V], int row, int column) const {
    if constexpr (V >= 4) {
#pragma unroll
      for (int k = 0; k < V; k += 4)
        asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(v[k]), "=f"(v[k + 1]), "=f"(v[k + 2]), "=f"(v[k + 3])
                     : "r"(place(row, (column + k) / 4))
                     : "memory");
    } else {
#pragma unroll
      for (int k = 0; k < V; ++k)
        asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v[k]) : "r"(place(row, column / 4) + (column + k) % 4 * 4) : "memory");
    }
  }

  // 16 bytes of a row of T, from element `from` of `chunk` on; the chunk behind the last is the first one again.
  template <class T>
  __device__ __forceinline__ access<16>::bits read_across(int row, int chunk, int from) const {
    u32 w[8];
#pragma unroll
    for (int k = 0; k < 2; ++k)
      asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(w[4 * k]), "=r"(w[4 * k + 1]), "=r"(w[4 * k + 2]), "=r"(w[4 * k + 3])
                   : "r"(place(row, (chunk + k) % 8))
                   : "memory");
    const int skipped = from * (int)sizeof(T);
#pragma unroll
    for (int k = 0; k < 6; ++k) w[k] = skipped & 8 ? w[k + 2] : w[k];
#pragma unroll
    for (int k = 0; k < 5; ++k) w[k] = skipped & 4 ? w[k + 1] : w[k];
    if constexpr (sizeof(T) == 2)
#pragma unroll
      for (int k = 0; k < 4; ++k) w[k] = __funnelshift_r(w[k], w[k + 1], (skipped & 2) * 8);
    return {w[0], w[1], w[2], w[3]};
  }
  template <class T>
  __device__ __forceinline__ typename access<sizeof(T)>::bits read_one(int row, int column) const {
    typename access<sizeof(T)>::bits one;
    const u32 at = place(row, column * sizeof(T) / 16) + column * sizeof(T) % 16;
    if constexpr (sizeof(T) == 2) asm volatile("ld.shared.b16 %0, [%1];" : "=h"(one.x) : "r"(at) : "memory");
    else asm volatile("ld.shared.b32 %0, [%1];" : "=r"(one.x) : "r"(at) : "memory");
    return one;
  }
};

// Both take ROWS accumulators of 64 rows of c each, the first one's warp rows at (row, column) of c on, and BUFFERS stage
// buffers, one after the other from `shared` on; they store what lies inside. Every lane calls.

// The first column of box i of those that cover ALL columns; where they do not cut them evenly, the last one writes some again.
template <int ALL, int COLUMNS>
__device__ constexpr int box_column(int i) {
  constexpr int across = cdiv(ALL, COLUMNS);
  return i % across == across - 1 ? ALL - COLUMNS : i % across * COLUMNS;
}

// Converted alone, as boxes of 16 rows and 128 bytes.
template <int BUFFERS, int FIRST = 0, int ROWS, int COUNT, class C>
__device__ __forceinline__ void store_boxes(const C& c, i64 row, i64 column, const float (&d)[ROWS][COUNT], u32 shared) {
  using T = typename C::type;
  constexpr int columns = stage_buffer::columns<T>, across = cdiv(2 * COUNT, columns), all = ROWS * across;
  constexpr int now = all - FIRST < BUFFERS ? all - FIRST : BUFFERS;
  static_assert(2 * COUNT >= columns);
  const bool starts = threadIdx.x % 32 == 0;
  if (starts) wait_stores_read();
  __syncwarp();
#pragma unroll
  for (int i = 0; i < now; ++i)
    stage_buffer{shared + i * stage_buffer::bytes}.write<T>(d[(FIRST + i) / across] + box_column<2 * COUNT, columns>(FIRST + i) / 2);
  fence_async_copies();
  __syncwarp();
  if (starts) {
#pragma unroll
    for (int i = 0; i < now; ++i)
      store_box(c, i32(row) + (FIRST + i) / across * 64, i32(column) + box_column<2 * COUNT, columns>(FIRST + i),
                shared + i * stage_buffer::bytes);
    commit_stores();
  }
  if constexpr (FIRST + now < all) store_boxes<BUFFERS, FIRST + now>(c, row, column, d, shared);
}

// The same boxes, finished in registers, 16 columns at a time, which a loop moves to the same few: less code, and nothing but the
// results goes through shared memory. For 2-byte elements and nothing but a bias to add: it comes in pairs of neighbours,
// which would be slow for whole matrices. One buffer is used.
template <int ROWS, int COUNT, class C, class Epilogue>
__device__ __forceinline__ void store_finished(const C& c, i64 row, i64 column, const float (&d)[ROWS][COUNT], u32 shared,
                                               const Epilogue& epilogue) {
  using T = typename C::type;
  constexpr int columns = stage_buffer::columns<T>, across = cdiv(2 * COUNT, columns), parts = columns / 16;
  static_assert(sizeof(T) == 2 && 2 * COUNT >= columns);
  const stage_buffer buffer{shared};
  const int lane = threadIdx.x % 32;
#pragma unroll 1
  for (int i = 0; i < ROWS * across * parts; ++i) {
    const int box = i / parts, part = i % parts;
    float v[8];
#pragma unroll
    for (int k = 0; k < ROWS * across * parts; ++k)  // which registers is known when this is compiled
      if (i == k)
#pragma unroll
        for (int j = 0; j < 8; ++j) v[j] = d[k / parts / across][box_column<2 * COUNT, columns>(k / parts) / 2 + k % parts * 8 + j];

    // v: two rows of 8 columns, 8 apart, then the same of the next 8 columns; a lane has pairs of neighbours.
    const i64 first_row = row + box / across * 64 + lane / 4;
    const i64 first_column = column + box_column<2 * COUNT, columns>(box) + part * 16 + lane % 4 * 2;
    typename Epilogue::template addends<2> more[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const i64 at_row = first_row + k % 2 * 8, at_column = first_column + k / 2 * 8;
      const int count = at_row < c.template size<0>() ? left_of(c.template size<1>(), at_column, 2) : 0;
      more[k] = epilogue.template load<2>(at_row, at_column, count);
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      float pair[2] = {v[2 * k], v[2 * k + 1]};
      epilogue.apply(pair, more[k]);
      v[2 * k] = pair[0], v[2 * k + 1] = pair[1];
    }

    if (part == 0) {
      if (lane == 0) wait_stores_read();
      __syncwarp();
    }
    buffer.write_16<T>(v, 2 * part);
    if (part == parts - 1) {
      fence_async_copies();
      __syncwarp();
      if (lane == 0) {
        store_box(c, i32(row) + box / across * 64, i32(column) + box_column<2 * COUNT, columns>(box), shared);
        commit_stores();
      }
    }
  }
}

// A row of c that begins anywhere between two multiples of 16 bytes, `count` elements from (row, column) on, by 8 lanes:
//
//   |head|16 bytes|16 bytes| - |16 bytes|tail|    head and tail an element a lane: of a whole row 16 bytes together
template <class C>
__device__ __forceinline__ void store_row(const C& c, i64 row, i64 column, int count, const stage_buffer& buffer, int buffer_row) {
  using T = typename C::type;
  constexpr int one = sizeof(T), vector = 16 / one;
  const int lane = threadIdx.x % 8;
  const u64 to = address_in(c, row, column);
  const int head = (0 - (int)(to / one)) & (vector - 1), first = head + vector * lane;
  access<16>::store(buffer.read_across<T>(buffer_row, lane, head), to + first * one, first + vector <= count);
  const int tail = (count - head) / vector * vector;  // less head
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const int at = k == 0 && lane < head ? lane : tail + vector * k + lane;
    const bool on = lane < vector && at < count;
    if (k == 0 || count < stage_buffer::columns<T>) access<one>::store(buffer.read_one<T>(buffer_row, on ? at : 0), to + at * one, on);
  }
}

template <int ROWS, int COUNT, class C, class Epilogue>
__device__ __forceinline__ void store_rows(const C& c, i64 row, i64 column, const float (&d)[ROWS][COUNT], u32 shared,
                                           const Epilogue& epilogue) {
  using T = typename C::type;
  constexpr int columns = stage_buffer::columns<T>, across = cdiv(2 * COUNT, columns);
  static_assert(2 * COUNT >= columns);
  const stage_buffer buffer{shared};
#pragma unroll 1
  for (int i = 0; i < ROWS * across; ++i) {
    __syncwarp();
    Epilogue here = epilogue;
    u32 lane = threadIdx.x % 32;
    asm volatile("" : "+f"(here.alpha), "+r"(lane));  // else all products and places are formed before the loop, beside d
#pragma unroll
    for (int k = 0; k < ROWS * across; ++k)  // which registers is known when this is compiled
      if (i == k) buffer.write<T>(d[k / across] + box_column<2 * COUNT, columns>(k) / 2, here, lane);
    __syncwarp();
    const i64 first_row = row + i / across * 64, first_column = column + box_column<2 * COUNT, columns>(i);
    const int count = left_of(c.template size<1>(), first_column, columns);
#pragma unroll 1
    for (int r = threadIdx.x % 32 / 8; r < stage_buffer::rows; r += 4)
      store_row(c, first_row + r, first_column, first_row + r < c.template size<0>() ? count : 0, buffer, r);
  }
}

// Through the epilogue: in rows at any address where it is local, else in lines as wide as c's alignment class allows. One
// buffer is used.
template <int ROWS, int COUNT, class C, class Epilogue>
__device__ __forceinline__ void store_lines(const C& c, i64 row, i64 column, const float (&d)[ROWS][COUNT], u32 shared,
                                            const Epilogue& epilogue) {
  if constexpr (Epilogue::local && C::unit_axis == 1 && C::align < 16) return store_rows(c, row, column, d, shared, epilogue);
  constexpr int columns = stage_buffer::columns<float>, across = 2 * COUNT / columns;
  constexpr int V = line_access<C, 8>(), lanes = columns / V;  // a row
  const stage_buffer buffer{shared};
#pragma unroll 1
  for (int i = 0; i < ROWS * across; ++i) {
    __syncwarp();
    u32 lane = threadIdx.x % 32;
    asm volatile("" : "+r"(lane));  // else all places are formed before the loop
#pragma unroll
    for (int k = 0; k < ROWS * across; ++k)  // which registers is known when this is compiled
      if (i == k) buffer.write<float>(d[k / across] + k % across * (columns / 2), unchanged{}, lane);
    __syncwarp();
    const int place = threadIdx.x % lanes * V;
    const i64 first_row = row + i / across * 64, k = column + i % across * columns + place;
    const int count = left_of(c.template size<1>(), k, V);
#pragma unroll 1
    for (int r = threadIdx.x % 32 / lanes; r < stage_buffer::rows; r += 32 / lanes) {
      const int inside = first_row + r < c.template size<0>() ? count : 0;
      float v[V];
      buffer.read(v, r, place);
      epilogue.apply(v, epilogue.template load<V>(first_row + r, k, inside));
      store_line(c, first_row + r, k, v, inside);
    }
  }
}
