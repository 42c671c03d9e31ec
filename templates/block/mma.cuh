#pragma once
// Tensor cores by mma.sync: operands in shared memory, fragments of them in a warp's registers, products.
//   mma(c, a, b, half, T)   c (16 x 8, float) += a times the half (0, 1: eight columns) of b; T is f16, bf16 or float, which
//                           is rounded to tf32
//   operand<View, K_AXIS, WIDTH, DEPTH>   DEPTH steps of K by WIDTH rows of a (or columns of b) in shared memory, as they lie in
//                           memory: lines along K where x's unit stride is there (or there is none), else along the rows
//     fill(memory, k)       starts copying the steps from k on; what lies outside of x is 0. The caller commits and waits
//     fragment<SECOND>(r, memory, row, k)   a fragment from row `row` and step k on. SECOND: as b wants it
// Lines are 16 bytes longer than what they hold, so that ldmatrix meets no bank conflict. Copies are as wide as alignment
// allows; elements of 2 bytes that nothing aligns go through registers.
#include "block/async.cuh"
#include "block/line.cuh"

__device__ __forceinline__ void mma(float (&c)[4], const u32 (&a)[4], const u32 (&b)[4], int half, f16) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[2 * half]), "r"(b[2 * half + 1]));
}
__device__ __forceinline__ void mma(float (&c)[4], const u32 (&a)[4], const u32 (&b)[4], int half, bf16) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[2 * half]), "r"(b[2 * half + 1]));
}
__device__ __forceinline__ void mma(float (&c)[4], const u32 (&a)[4], const u32 (&b)[4], int half, float) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[2 * half]), "r"(b[2 * half + 1]));
}

template <bool TURNED>
__device__ __forceinline__ void load_matrices(u32 (&r)[4], u32 address) {
  if constexpr (TURNED)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address) : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address) : "memory");
}
__device__ __forceinline__ u32 rounded_to_tf32(u32 x) {
  u32 y;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(y) : "f"(__uint_as_float(x)));
  return y;
}

template <class View, int K_AXIS, int WIDTH, int DEPTH>
struct operand {
  using type = typename View::type;
  static constexpr int axis = 1 - K_AXIS, bytes = sizeof(type);
  static constexpr bool along_k = View::unit_axis != axis;
  static constexpr int line_axis = along_k ? K_AXIS : axis;  // what a line runs along
  static constexpr int length = along_k ? DEPTH : WIDTH, lines = along_k ? WIDTH : DEPTH;
  static constexpr int chunk = 16 / bytes;  // elements of 16 bytes; a fragment has two of them along K
  // Lanes that read words of 32-bit elements across lines want those eight banks apart.
  static constexpr bool by_words = bytes == 4 && !along_k;
  static constexpr int pitch = length + (by_words ? 8 : chunk), size = lines * pitch;

  static constexpr int vector = View::unit_axis == line_axis ? (View::align < 16 ? View::align : 16) / bytes : 1;
  static constexpr int wide = length / vector;  // accesses a line
  static constexpr int lanes = wide < num_threads ? wide : num_threads, rows = num_threads / lanes;
  static constexpr int rounds = cdiv(lines, rows), repeats = cdiv(wide, lanes);

  const View x;
  i64 first;  // row of x
  u64 from;   // this thread's first element at k = 0
  int line0, along0;

  __device__ __forceinline__ operand(const View& view, i64 first_row) : x(view), first(first_row) {
    line0 = threadIdx.x / lanes;
    along0 = threadIdx.x % lanes * vector;
    const i64 row = first + (along_k ? line0 : along0), k = along_k ? along0 : line0;
    from = __cvta_generic_to_global(x.data) +
           (row * x.template stride<axis>() + k * x.template stride<K_AXIS>()) * bytes;
  }

  __device__ __forceinline__ void fill(type* memory, i64 k) const {
    if constexpr (vector * bytes >= 4) {
      each(memory, k, [](int, type* to, u64 address, bool on) { copy_async<vector * bytes>(shared_address(to), address, on); });
    } else {
      type held[rounds * repeats] = {};  // all loads before the first store
      each(memory, k, [&](int i, type*, u64 address, bool on) { load_vector<1>(held + i, address, on); });
      each(memory, k, [&](int i, type* to, u64, bool) { *to = held[i]; });
    }
  }

  // Of the four 8 x 8 matrices (8 x 4 words of 32-bit elements) the second lies eight rows further, the third a chunk of K;
  // the other way round for SECOND.
  template <bool SECOND>
  __device__ __forceinline__ static void fragment(u32 (&r)[4], const type* memory, int row, int k) {
    const int lane = threadIdx.x % 32;
    if constexpr (by_words) {
      const u32* const words = reinterpret_cast<const u32*>(memory + (k + lane % 4) * pitch + row + lane / 4);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int down = SECOND ? i / 2 : i % 2, deep = SECOND ? i % 2 : i / 2;
        r[i] = words[deep * chunk * pitch + down * 8];
      }
    } else {
      const int down = SECOND ? lane / 16 : lane / 8 % 2, deep = SECOND ? lane / 8 % 2 : lane / 16;
      row += down * 8;
      k += deep * chunk;
      const int place = along_k ? (row + lane % 8) * pitch + k : (k + lane % 8) * pitch + row;
      load_matrices<!along_k>(r, shared_address(memory + place));
    }
    if constexpr (bytes == 4) {
#pragma unroll
      for (int i = 0; i < 4; ++i) r[i] = rounded_to_tf32(r[i]);
    }
  }

 private:
  // move(number, place in memory, address, whether that is inside of x) for each of this thread's accesses.
  template <class Move>
  __device__ __forceinline__ void each(type* memory, i64 k, Move move) const {
    const i64 along = x.template stride<line_axis>() * (lanes * vector * bytes);
    const i64 across = x.template stride<1 - line_axis>() * (rows * bytes);
    const i64 left = x.template size<line_axis>() - (along_k ? k : first) - along0;
    const i64 lines_left = x.template size<1 - line_axis>() - (along_k ? first : k) - line0;
    const u64 start = from + k * x.template stride<K_AXIS>() * bytes;
#pragma unroll
    for (int r = 0; r < rounds; ++r)
#pragma unroll
      for (int i = 0; i < repeats; ++i) {
        const bool here = (lines % rows == 0 || line0 + r * rows < lines) &&
                          (wide % lanes == 0 || along0 + i * lanes * vector < length);
        const bool on = r * rows < lines_left && i * lanes * vector < left;
        if (here)
          move(r * repeats + i, memory + (line0 + r * rows) * pitch + along0 + i * lanes * vector,
               start + r * across + i * along, on);
      }
  }
};
