#pragma once
// The product of two tiles, added to a third:
//   auto c = dot_zeros<float>(rows, cols)   an M x N tile in the layout that dot accumulates in
//   c = dot(a, b, c)                        a is M x K, b is K x N, in any layouts; c is converted where it must be
// f16 and bf16 go through tensor cores (mma.sync, m16n8k16: exact products, float sums) where M is a multiple of
// 16 * num_warps, N of 8 and K of 16; all else by fma in c's type, k by k. What was loaded from past a tensor is 0 and
// adds nothing. The result is an ordinary tile: arithmetic, reductions and stores take it.
#include "block/elementwise.cuh"
#include "block/scratch.cuh"

// Four lanes beside each other, two columns each: what mma.sync leaves, a warp's eight rows under those of the warp before.
template <int M, int N>
using dot_layout = blocked<M, N, 1, N % 2 == 0 ? 2 : 1, 4, 1>;
template <class T, int M, int N>
__device__ __forceinline__ auto dot_zeros(range<M>, range<N>) { return full<T, dot_layout<M, N>>(T(0)); }

// A ROWS x COLS matrix in scratch, row after row in chunks of 8. A chunk's place is its number xor its row's, so that the
// eight rows of a matrix meet no bank conflict.
template <int ROWS, int COLS>
struct staged {
  static constexpr int chunks = cdiv(COLS, 8), keys = smaller(8, chunks & -chunks), size = ROWS * chunks * 8;
  __device__ __forceinline__ static int place(int row, int col) {
    return (row * chunks + (col / 8 ^ row % keys)) * 8 + col % 8;
  }
  template <class T, class L>
  __device__ __forceinline__ static void put(T* memory, const tile<T, L>& t) {
    constexpr int together = L::fast_axis == 1 ? L::vector : 1;
    struct alignas(together * sizeof(T)) piece { T v[together]; };
#pragma unroll
    for (int i = 0; i < L::registers; i += together) {
      const int f = L::fast_lane() + L::fast_offset(i), s = L::slow_lane() + L::slow_offset(i);
      piece p;
#pragma unroll
      for (int k = 0; k < together; ++k) p.v[k] = t.v[i + k];
      if (L::inside(i)) *reinterpret_cast<piece*>(memory + place(L::fast_axis ? s : f, L::fast_axis ? f : s)) = p;
    }
  }
};

__device__ __forceinline__ void load_matrices(u32 (&r)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"((u32)__cvta_generic_to_shared(row)) : "memory");
}
__device__ __forceinline__ void load_turned_matrices(u32 (&r)[2], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1]) : "r"((u32)__cvta_generic_to_shared(row)) : "memory");
}
#define TILEJIT_MMA(TYPE)                                                                                       \
  __device__ __forceinline__ void multiply(float* c, float* d, const u32 (&a)[4], const u32 (&b)[2], TYPE) {    \
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." #TYPE "." #TYPE                                       \
                 ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"                         \
                 : "+f"(c[0]), "+f"(c[1]), "+f"(d[0]), "+f"(d[1])                                               \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));                           \
  }
TILEJIT_MMA(f16)
TILEJIT_MMA(bf16)
#undef TILEJIT_MMA

template <class A, class LA, class B, class LB, class C, class LC>
__device__ __forceinline__ auto dot(const tile<A, LA>& a, const tile<B, LB>& b, const tile<C, LC>& c) {
  constexpr int M = LA::rows, K = LA::cols, N = LB::cols;
  static_assert(LB::rows == K && LC::rows == M && LC::cols == N, "dot takes M x K, K x N and M x N");
  using L = dot_layout<M, N>;
  using left = staged<M, K>;
  using right = staged<K, N>;
  auto result = convert<L>(c);
  u8* const memory = scratch<u8, left::size * sizeof(A) + right::size * sizeof(B)>();
  A* const as = reinterpret_cast<A*>(memory);
  B* const bs = reinterpret_cast<B*>(memory + left::size * sizeof(A));
  __syncthreads();
  left::put(as, a);
  right::put(bs, b);
  __syncthreads();
  constexpr bool narrow = is_same<A, B> && (is_same<A, f16> || is_same<A, bf16>) && is_same<C, float>;
  if constexpr (narrow && M % (16 * num_warps) == 0 && N % 8 == 0 && K % 16 == 0) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (int m = 0; m < L::slow_repeats; m += 2)
#pragma unroll
      for (int k = 0; k < K; k += 16) {
        // Lanes 0 to 7 name the rows of the first of four matrices, 8 to 15 those of the second: eight rows further.
        u32 x[4], y[2];
        load_matrices(x, as + left::place((m + lane / 8 % 2) * L::across + 8 * warp + lane % 8, k + lane / 16 * 8));
#pragma unroll
        for (int n = 0; n < L::fast_repeats; ++n) {
          load_turned_matrices(y, bs + right::place(k + lane % 16, 8 * n));
          multiply(result.v + (m * L::fast_repeats + n) * 2, result.v + ((m + 1) * L::fast_repeats + n) * 2, x, y, A{});
        }
      }
  } else {
#pragma unroll 1
    for (int k = 0; k < K; ++k)
#pragma unroll
      for (int i = 0; i < L::registers; ++i) {
        const int row = L::slow_lane() + L::slow_offset(i), col = L::fast_lane() + L::fast_offset(i);
        if (!L::inside(i)) continue;
        const C x = cast<C>(as[left::place(row, k)]), y = cast<C>(bs[right::place(k, col)]);
        if constexpr (is_float<C>) result.v[i] = fma_of(x, y, result.v[i]);
        else result.v[i] += x * y;
      }
  }
  return result;
}
