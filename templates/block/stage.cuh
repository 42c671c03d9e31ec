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
struct stage_buffer {
  static constexpr int rows = 16, bytes = rows * 128;
  template <class T>
  static constexpr int columns = 128 / sizeof(T);
  u32 shared;  // aligned to 1024

  __device__ __forceinline__ u32 place(u32 row, u32 chunk) const { return shared + row * 128 + (chunk ^ row % 8) * 16; }

  // The warp's 16 rows of an accumulator, columns<T> of them from register d[0] on, as T.
  template <class T>
  __device__ __forceinline__ void write(const float* d) const {
    const u32 lane = threadIdx.x % 32;
    if constexpr (sizeof(T) == 2) {
#pragma unroll
      for (int i = 0; i < 4; ++i, d += 8)
        asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                         place(lane % 16, 2 * i + lane / 16)),
                     "r"(packed<T>(d[0], d[1])), "r"(packed<T>(d[2], d[3])), "r"(packed<T>(d[4], d[5])),
                     "r"(packed<T>(d[6], d[7]))
                     : "memory");
    } else {
#pragma unroll
      for (int i = 0; i < 4; ++i, d += 4) {
        const u32 chunk = 2 * i + lane % 4 / 2, rest = lane % 2 * 8;
        asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(place(lane / 4, chunk) + rest), "f"(d[0]), "f"(d[1])
                     : "memory");
        asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(place(lane / 4 + 8, chunk) + rest), "f"(d[2]), "f"(d[3])
                     : "memory");
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
};

// Both take ROWS accumulators of 64 rows of c each, the first one's warp rows at (row, column) of c on, and BUFFERS stage
// buffers, one after the other from `shared` on; they store what lies inside. Every lane calls.

// Converted alone, as boxes of 16 rows and 128 bytes.
template <int BUFFERS, int FIRST = 0, int ROWS, int COUNT, class C>
__device__ __forceinline__ void store_boxes(const C& c, i64 row, i64 column, const float (&d)[ROWS][COUNT], u32 shared) {
  using T = typename C::type;
  constexpr int columns = stage_buffer::columns<T>, across = 2 * COUNT / columns, all = ROWS * across;
  constexpr int now = all - FIRST < BUFFERS ? all - FIRST : BUFFERS;
  const bool starts = threadIdx.x % 32 == 0;
  if (starts) wait_stores_read();
  __syncwarp();
#pragma unroll
  for (int i = 0; i < now; ++i)
    stage_buffer{shared + i * stage_buffer::bytes}.write<T>(d[(FIRST + i) / across] + (FIRST + i) % across * (columns / 2));
  fence_async_copies();
  __syncwarp();
  if (starts) {
#pragma unroll
    for (int i = 0; i < now; ++i)
      store_box(c, i32(row) + (FIRST + i) / across * 64, i32(column) + (FIRST + i) % across * columns,
                shared + i * stage_buffer::bytes);
    commit_stores();
  }
  if constexpr (FIRST + now < all) store_boxes<BUFFERS, FIRST + now>(c, row, column, d, shared);
}

// Through the epilogue, in lines as wide as c's alignment class allows. One buffer is used.
template <int ROWS, int COUNT, class C, class Epilogue>
__device__ __forceinline__ void store_lines(const C& c, i64 row, i64 column, const float (&d)[ROWS][COUNT], u32 shared,
                                            const Epilogue& epilogue) {
  constexpr int columns = stage_buffer::columns<float>, across = 2 * COUNT / columns, V = line_access<C, 8>();
  const stage_buffer buffer{shared};
#pragma unroll 1
  for (int i = 0; i < ROWS * across; ++i) {
    __syncwarp();
#pragma unroll
    for (int k = 0; k < ROWS * across; ++k)  // which registers is known when this is compiled
      if (i == k) buffer.write<float>(d[k / across] + k % across * (columns / 2));
    __syncwarp();
    const i64 first_row = row + i / across * 64, first_column = column + i % across * columns;
#pragma unroll 1
    for (int at = threadIdx.x % 32 * V; at < stage_buffer::rows * columns; at += 32 * V) {
      const i64 r = first_row + at / columns, k = first_column + at % columns;
      const i64 left = r < c.template size<0>() ? c.template size<1>() - k : 0;
      const int count = left < V ? int(left) : V;
      float v[V];
      buffer.read(v, at / columns, at % columns);
      epilogue.apply(v, epilogue.template load<V>(r, k, count));
      store_line(c, r, k, v, count);
    }
  }
}
