#pragma once
// In which order programs take the tiles of a matrix: down through bands of `together` rows of tiles, so that those that run
// at the same time share what they read through the L2 cache.
//   const auto [row, col] = banded_tile(program_id<0>(), rows, cols, together);   rows x cols tiles
#include "block/index.cuh"

struct tile_place { i64 row, col; };

__device__ __forceinline__ tile_place banded_tile(i64 id, i64 rows, i64 cols, int together) {
  const i64 band = id / (together * cols), first = band * together;
  const i64 height = rows - first < together ? rows - first : together;
  const i64 within = id - first * cols;
  return {first + within % height, within / height};
}
