/*---
summary   = "c = activation(alpha * a b + beta * previous + bias) + residual on Hopper's tensor cores, one program a multiprocessor"
needs     = ["tma", "wgmma", "setmaxnreg", "cluster"]
use       = ["block/cluster.cuh", "block/epilogue.cuh", "block/stage.cuh", "block/tma.cuh", "block/wgmma.cuh"]
default   = { BLOCK_M = 128, BLOCK_N = 256, CLUSTER = 1, GROUP_M = 16, IN_TURN = 0, OUT_PARTS = 2, ACTIVATION = 0, num_warps = 12, num_stages = 4 }
tolerance = { relative = 1e-2, absolute = 1e-2 }
grid      = ["min(sms / CLUSTER, cdiv(cdiv(M, BLOCK_M), CLUSTER) * cdiv(N, BLOCK_N)) * CLUSTER"]
cluster   = ["CLUSTER"]
shared    = "num_stages * (BLOCK_M + BLOCK_N) * 128 + (num_warps - 4) * 2048 * OUT_PARTS + 16 * num_stages + 2 * (num_warps - 4)"
requires  = ["K >= 1", "M < 1073741824", "N < 1073741824", "K < 1073741824"]
where     = [
  "num_warps == 12 && BLOCK_M <= 128 || num_warps == 8 && BLOCK_M == 64 && BLOCK_N <= 128 || num_warps == 16 && BLOCK_M == 192",
  "BLOCK_M >= 128 || num_warps == 8 || BLOCK_N % 128 == 0",
  "BLOCK_M <= 128 || BLOCK_N == 128",
  "BLOCK_N % 64 == 0 || stride(b, 0) == 1 && BLOCK_M == 64 + 64 * (BLOCK_N > 96)",
  "GROUP_M == 16 || K <= 512",
  "IN_TURN == 0 || BLOCK_M == 128 && BLOCK_N <= 192 && BLOCK_N >= 128",
  "CLUSTER == 1 || BLOCK_M >= 128 && BLOCK_N % 128 == 0",
  "BLOCK_N == 192 && OUT_PARTS == 1 || BLOCK_N == 192 && OUT_PARTS == 3 * IN_TURN || BLOCK_N != 192 && OUT_PARTS == 1 + (BLOCK_M <= 128 && BLOCK_M * BLOCK_N >= 16384)",
  "0 <= ACTIVATION && ACTIVATION <= 3",
  "num_stages == min(12, (shared_limit - 1024 - (num_warps - 4) * 2048 * OUT_PARTS) / ((BLOCK_M + BLOCK_N) * 128))",
]
[[arguments]]
name    = "a"
shape   = ["M", "K"]
access  = "read"
dtypes  = ["f16", "bf16"]
via     = "tma"
box     = [64, 64]
swizzle = 128
[[arguments]]
name    = "b"
shape   = ["K", "N"]
access  = "read"
dtype   = "a"
via     = "tma"
box     = [64, "64 - BLOCK_N % 64"]
swizzle = 128
[[arguments]]
name   = "c"
shape  = ["M", "N"]
access = "write"
dtypes = ["f32", "f16", "bf16"]
via    = "either"
box    = [16, "128 / size(c)"]
swizzle = 128
[[arguments]]
name     = "bias"
shape    = ["M", "N"]
access   = "read"
optional = true
[[arguments]]
name     = "previous"
shape    = ["M", "N"]
access   = "read"
optional = true
[[arguments]]
name     = "residual"
shape    = ["M", "N"]
access   = "read"
optional = true
[[arguments]]
name      = "alpha"
dtype     = "f64"
default   = 1
factor_of = "a"
[[arguments]]
name      = "beta"
dtype     = "f64"
default   = 0
factor_of = "a"
[config]
BLOCK_M    = [64, 128, 192]
BLOCK_N    = [64, 96, 128, 160, 192, 224, 256]
CLUSTER    = [1, 2]
GROUP_M    = [2, 16]
IN_TURN    = [0, 1]
OUT_PARTS  = [1, 2, 3]
num_warps  = [8, 12, 16]
num_stages = [4, 5, 6, 8, 9, 10, 12]
[cost]
bytes = "M * K * size(a) + K * N * size(b) + M * N * size(c)"
flops = "2 * M * N * K"
---*/
// Shared memory: num_stages tiles of a and b, OUT_PARTS x 2 KB for each consumer warp's rows of c, barriers.
//
//      a: BLOCK_M x 64   b: 64 x BLOCK_N        warp group 0    one thread loads stages, as far ahead as they are empty
//     +---+---+- -+---+---+---+- -+             warp groups 1.. multiply what is full and store c: rows or columns of a
//     | 0 | 1 |   | 0 | 1 | 2 |   |                             tile each, or (IN_TURN) whole tiles in turn, so that
//     +---+---+- -+---+---+---+- -+                             one stores while the other multiplies
//       boxes of 64 x 64 (b's of 64 x 32 where 64 do not divide BLOCK_N), swizzled
// full[s]: the bytes have come    empty[s]: they have been multiplied    turn[w]: the other group has had its last stage
//
// With CLUSTER = 2 two programs take tiles of c above each other; each loads half of b's boxes for both.
inline constexpr int consumers = num_warps / 4 - 1, BLOCK_K = 64, box_bytes = 8192;
inline constexpr int box_columns = 64 - BLOCK_N % 64;  // of b
inline constexpr int boxes_a = BLOCK_M / 64, boxes_b = BLOCK_N / box_columns, stage_bytes = (BLOCK_M + BLOCK_N) * 128;
inline constexpr int sharers = IN_TURN ? 1 : consumers;                  // warp groups a tile
inline constexpr bool split_columns = boxes_a < sharers;                 // they share its columns, else its rows
inline constexpr int row_tiles = split_columns ? 1 : boxes_a / sharers;  // of 64 rows, a warp group
inline constexpr int own_columns = split_columns ? BLOCK_N / sharers : BLOCK_N;
// Three warp groups get 168 registers a thread; sums of 96 and more want some of the loading group's.
inline constexpr bool moves_registers = consumers == 2 && row_tiles * own_columns >= 192;
static_assert(row_tiles * own_columns <= (consumers == 3 ? 128 : 384), "sums must fit into registers");
static_assert(own_columns % 32 == 0 && (!split_columns || own_columns % 64 == 0) && (split_columns || boxes_a % sharers == 0), "warp groups share a tile evenly");

// The stages in a ring; `parity` is that of the phase which fills this one.
struct ring_place {
  u32 stage = 0, parity = 0;
  __device__ __forceinline__ void next() {
    if (++stage == num_stages) stage = 0, parity ^= 1;
  }
  __device__ __forceinline__ void skip(u32 count) {
    stage += count;
    parity ^= stage / num_stages & 1, stage %= num_stages;
  }
};

// Tiles in bands of GROUP_M, downwards first: those that run at once share their operands in L2.
struct tile_order {
  i32 down, across;
  __device__ __forceinline__ i32 count() const { return down * across; }
  __device__ __forceinline__ void place(i32 tile, i32& m, i32& n) const {
    const i32 band = tile / (GROUP_M * across), in_band = tile - band * (GROUP_M * across);
    const i32 height = down - band * GROUP_M < GROUP_M ? down - band * GROUP_M : GROUP_M;
    n = in_band / height, m = band * GROUP_M + (in_band - n * height);
  }
};

template <class A, class B, class C, class Bias, class Previous, class Residual>
__device__ void matmul_wgmma(A a, B b, C c, Bias bias, Previous previous, Residual residual, double alpha, double beta) {
  using T = typename A::type;
  constexpr bool a_along_k = A::unit_axis == 1, b_along_k = B::unit_axis == 0;
  const u32 warp = __shfl_sync(~0u, threadIdx.x / 32, 0), group = warp / 4;
  const u32 rank = CLUSTER == 1 ? 0 : cluster_rank();
  const u32 tiles = shared_address(tma_bytes), stages = tiles + num_stages * stage_bytes;
  const u32 full = stages + 4 * consumers * OUT_PARTS * stage_buffer::bytes, empty = full + 8 * num_stages, turn = empty + 8 * num_stages;
  if (threadIdx.x == 0) {
    prefetch_map(a), prefetch_map(b);
    if constexpr (C::mapped) prefetch_map(c);
    for (int s = 0; s < num_stages; ++s) {
      mbarrier_init(full + 8 * s, 1);
      mbarrier_init(empty + 8 * s, sharers * CLUSTER);
    }
    for (int w = 0; w < consumers; ++w) mbarrier_init(turn + 8 * w, 1);
    mbarrier_init_done();
  }
  if constexpr (CLUSTER > 1) cluster_sync();
  else __syncthreads();

  const i32 k_tiles = i32((a.template size<1>() + BLOCK_K - 1) / BLOCK_K);
  const tile_order order{i32((c.template size<0>() + BLOCK_M * CLUSTER - 1) / (BLOCK_M * CLUSTER)),
                         i32((c.template size<1>() + BLOCK_N - 1) / BLOCK_N)};
  const i32 first = i32(program_id<0>()) / CLUSTER, step = i32(num_programs<0>()) / CLUSTER;
  ring_place at;
  if (group == 0) {
    if constexpr (moves_registers) give_registers<24>();
    if (threadIdx.x == 0) {
      for (i32 tile = first; tile < order.count(); tile += step) {
        i32 m, n;
        order.place(tile, m, n);
        m = (m * CLUSTER + i32(rank)) * BLOCK_M, n *= BLOCK_N;
        for (i32 k = 0; k < k_tiles * BLOCK_K; k += BLOCK_K, at.next()) {
          const u32 to = tiles + at.stage * stage_bytes, barrier = full + 8 * at.stage;
          mbarrier_wait(empty + 8 * at.stage, at.parity ^ 1);
          mbarrier_expect(barrier, stage_bytes);
#pragma unroll
          for (int i = 0; i < boxes_a; ++i) load_box(a, m + 64 * i, k, to + i * box_bytes, barrier);
#pragma unroll
          for (int i = 0; i < boxes_b / CLUSTER; ++i) {
            const u32 box = i * CLUSTER + rank, place = to + boxes_a * box_bytes + box * box_columns * 128;
            if constexpr (CLUSTER == 1) load_box(b, k, n + box_columns * box, place, barrier);
            else load_box_to(b, k, n + box_columns * box, place, barrier, 3);
          }
        }
      }
    }
  } else {
    if constexpr (moves_registers) take_registers<240>();
    const u32 own = group - 1;
    const u32 row_box = IN_TURN || split_columns ? 0 : own * row_tiles, column_box = split_columns ? own * (own_columns / 64) : 0;
    const u32 stage = stages + (warp - 4) * OUT_PARTS * stage_buffer::bytes;
    const auto release = [&](u32 s) {
      if constexpr (CLUSTER == 1) {
        if (threadIdx.x % 128 == 0) mbarrier_arrive(empty + 8 * s);
      } else {
        if (threadIdx.x % 128 < CLUSTER) mbarrier_arrive_at(empty + 8 * s, threadIdx.x % 128);
      }
    };
    u32 turn_parity = own ^ 1;  // the first turn is group 0's
    if constexpr (IN_TURN) at.skip(own * k_tiles);
    const auto finish = epilogue_of<float, ACTIVATION, typename C::type>(bias, previous, residual, alpha, beta);
    for (i32 tile = IN_TURN ? first + i32(own) * step : first; tile < order.count(); tile += step * (consumers / sharers)) {
      float sums[row_tiles][own_columns / 2];
      u32 before = 0;
      if constexpr (IN_TURN) mbarrier_wait(turn + 8 * own, turn_parity), turn_parity ^= 1;
      for (i32 k = 0; k < k_tiles; ++k, at.next()) {
        mbarrier_wait(full + 8 * at.stage, at.parity);
        const u32 from = tiles + at.stage * stage_bytes;
        u64 left = wgmma_operand<a_along_k>(from + row_box * box_bytes);
        u64 right = wgmma_operand<b_along_k>(from + (boxes_a + column_box) * box_bytes);
        wgmma_fence();
#pragma unroll
        for (int kk = 0; kk < BLOCK_K / 16; ++kk) {
#pragma unroll
          for (int i = 0; i < row_tiles; ++i)
            wgmma<T, own_columns, !a_along_k, !b_along_k>(sums[i], left + i * wgmma_tile, right, k + kk);
          left += wgmma_step<a_along_k>, right += wgmma_step<b_along_k>;
        }
        wgmma_commit();
        if constexpr (sharers > 1) {  // another group keeps the tensor cores busy
          wgmma_wait<0>();
          release(at.stage);
        } else {
          wgmma_wait<1>();
          if (k > 0) release(before);
          before = at.stage;
        }
      }
      if (IN_TURN && threadIdx.x % 128 == 0) mbarrier_arrive(turn + 8 * (own ^ 1));
      wgmma_wait<0>();
#pragma unroll
      for (int i = 0; i < row_tiles; ++i) wgmma_settled(sums[i]);
      if constexpr (sharers == 1) release(before);
      if constexpr (IN_TURN) at.skip(k_tiles);

      i32 m, n;
      order.place(tile, m, n);
      const i64 row = i64(m * CLUSTER + i32(rank)) * BLOCK_M + row_box * 64 + warp % 4 * 16;
      const i64 column = i64(n) * BLOCK_N + column_box * 64;
      constexpr bool plain = finish.tensors == 0 && ACTIVATION == 0;
      constexpr bool in_registers = C::mapped && sizeof(typename C::type) == 2 && !Previous::present && !Residual::present;
      bool stored = false;
      if constexpr (C::mapped && plain)
        if (finish.alpha == 1) store_boxes<OUT_PARTS>(c, row, column, sums, stage), stored = true;
      if (stored) continue;
      if constexpr (in_registers) store_finished(c, row, column, sums, stage, finish);
      else store_lines(c, row, column, sums, stage, finish);
    }
    if (C::mapped && threadIdx.x % 32 == 0) wait_stores_read();
  }
  if constexpr (CLUSTER > 1) cluster_sync();  // no program ends while another one still writes to it
}
