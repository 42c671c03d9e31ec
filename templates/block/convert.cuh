#pragma once
// A tile from one layout to another, through scratch: scalars in (packed to words where they are narrower), a barrier,
// whole vectors out. Scratch holds the tile as the destination's rows along its fast axis. It is cut into chunks, and a
// chunk's place is its number xor a key of its row, so that neither side meets bank conflicts.
#include "block/layout.cuh"
#include "block/scratch.cuh"

template <class T, class From, class To>
struct exchange {
  static_assert(From::rows == To::rows && From::cols == To::cols, "tiles of different shapes");
  static constexpr int bytes = sizeof(T);
  static constexpr bool turned = From::fast_axis != To::fast_axis;
  // Elements that From's threads hold side by side along To's fast axis, and write at once.
  static constexpr int held = turned ? From::adjacent : From::vector;
  static constexpr int lanes = turned ? smaller(From::lanes, 32) : 32;
  static constexpr int least_bytes = larger(To::vector * bytes, 4);
  static constexpr int row_bytes = smaller(line_bytes, larger(least_bytes, pow2_ceil(To::fast_size * bytes)));
  static constexpr int chunk_bytes = smaller(larger(least_bytes, turned ? line_bytes / lanes : vector_bytes), row_bytes);
  static constexpr int chunk = larger(1, chunk_bytes / bytes);
  static constexpr int keys = turned ? larger(1, row_bytes / chunk_bytes) : 1;
  static constexpr int packed = smaller(held, turned ? larger(1, 4 / bytes) : chunk);
  static constexpr int rows_a_key = turned ? From::vector : 1;
  // Chunks a row: a key must not change within a group of `keys` chunks.
  static constexpr int filled = cdiv(To::fast_size, chunk);
  static constexpr int row_chunks = filled * rows_a_key % keys == 0 ? filled : cdiv(filled, keys) * keys;
  static constexpr int size = cdiv(row_chunks * To::slow_size, keys) * keys * chunk;

  __device__ __forceinline__ static int place(int fast, int slow) {
    return ((slow * row_chunks + fast / chunk) ^ (slow / rows_a_key % keys)) * chunk + fast % chunk;
  }
  // The same for (fast + df, slow + ds), where fast and slow are the thread's own, multiples of FAST and SLOW, and df and
  // ds are known when this is compiled: what leaves the key alone is added behind the xor, so that it costs nothing.
  template <int FAST, int SLOW>
  __device__ __forceinline__ static int place(int fast, int df, int slow, int ds) {
    const bool df_free = keys == 1 || df % (chunk * keys) < smaller(FAST, chunk);
    const bool ds_free = keys == 1 || (ds % (rows_a_key * keys) < (rows_a_key % SLOW == 0 ? SLOW : 1) &&
                                       ds * row_chunks % keys == 0);
    return place(df_free ? fast : fast + df, ds_free ? slow : slow + ds) + (df_free ? df : 0) +
           (ds_free ? ds * row_chunks * chunk : 0);
  }
};

template <class To, class T, class From>
__device__ __forceinline__ tile<T, To> convert(const tile<T, From>& from) {
  static_assert(From::rank == To::rank, "a tile of one axis where one of two is wanted, or the other way round");
  if constexpr (is_same<To, From>) {
    return from;
  } else if constexpr (To::rank == 1) {
    static_assert(From::size == To::size, "tiles of different sizes");
    T* const line = scratch<T, To::size * sizeof(T)>();
    __syncthreads();
#pragma unroll
    for (int i = 0; i < From::registers; ++i)
      if (From::inside(i) && From::owner()) line[From::index(i)] = from.v[i];
    __syncthreads();
    tile<T, To> to;
#pragma unroll
    for (int i = 0; i < To::registers; ++i) to.v[i] = To::inside(i) ? line[To::index(i)] : T{};
    return to;
  } else {
    using by = exchange<T, From, To>;
    struct alignas(by::packed * sizeof(T)) piece { T v[by::packed]; };
    struct alignas(To::vector * sizeof(T)) whole { T v[To::vector]; };
    T* const rows = scratch<T, by::size * sizeof(T)>();
    __syncthreads();
    // Register i begins a piece: its elements are `step` registers apart.
    constexpr int step = by::turned ? From::vector : 1;
#pragma unroll
    for (int i = 0; i < From::registers; ++i) {
      if (i / step % by::packed != 0) continue;
      const int fast = From::fast_lane(), df = From::fast_offset(i), slow = From::slow_lane(), ds = From::slow_offset(i);
      const int place = by::turned ? by::template place<From::adjacent, From::vector>(slow, ds, fast, df)
                                   : by::template place<From::vector, From::adjacent>(fast, df, slow, ds);
      piece p;
#pragma unroll
      for (int k = 0; k < by::packed; ++k) p.v[k] = from.v[i + k * step];
      if (From::inside(i)) *reinterpret_cast<piece*>(rows + place) = p;
    }
    __syncthreads();
    tile<T, To> to;
#pragma unroll
    for (int i = 0; i < To::registers; i += To::vector) {
      const int place = by::template place<To::vector, To::adjacent>(To::fast_lane(), To::fast_offset(i), To::slow_lane(),
                                                                     To::slow_offset(i));
      whole w{};
      if (To::inside(i)) w = *reinterpret_cast<const whole*>(rows + place);
#pragma unroll
      for (int k = 0; k < To::vector; ++k) to.v[i + k] = w.v[k];
    }
    return to;
  }
}
