#pragma once
#include <tilejit/runtime/emulator/ops/lanes.h>

/// Where a warp's registers hold the elements of mma.sync's matrices. A lane's group is lane / 4: a row of A and C, a
/// column of B. Registers of A and C go down eight rows first, then along; what a register holds lies side by side.
/// Matrices are taken out with rows innermost, as [k][row], [k][column] and [column][row].
namespace tilejit::emulator::TILEJIT_ISA {

constexpr int tile_rows = 16, tile_columns = 8;

/// Parts: elements a register.
template <int Parts>
TILEJIT_INLINE void take_a(Warp& w, const Place* registers, int count, std::uint32_t (*a)[tile_rows]) {
  constexpr int bits = 32 / Parts;
  for (int r = 0; r < count; ++r) {
    const std::uint32_t* words = at<const std::uint32_t>(w, registers[r]);
    const int row = r % 2 * 8, k = r / 2 * 4 * Parts;
    for (int g = 0; g < 8; ++g) {
      for (int t = 0; t < 4; ++t) {
        for (int p = 0; p < Parts; ++p)
          a[k + t * Parts + p][row + g] = words[g * 4 + t] << (32 - bits - p * bits) >> (32 - bits);
      }
    }
  }
}

template <int Parts>
TILEJIT_INLINE void take_b(Warp& w, const Place* registers, int count, std::uint32_t (*b)[tile_columns]) {
  constexpr int bits = 32 / Parts;
  for (int r = 0; r < count; ++r) {
    const std::uint32_t* words = at<const std::uint32_t>(w, registers[r]);
    for (int g = 0; g < 8; ++g) {
      for (int t = 0; t < 4; ++t) {
        for (int p = 0; p < Parts; ++p)
          b[(r * 4 + t) * Parts + p][g] = words[g * 4 + t] << (32 - bits - p * bits) >> (32 - bits);
      }
    }
  }
}

/// Calls f(bits of the word in C's registers, column, row, shift) for each element; of f16 two share a word.
template <int Parts, class F>
TILEJIT_INLINE void each_of_c(Warp& w, const Place* registers, F f) {
  for (int r = 0; r < 4 / Parts; ++r) {
    std::uint32_t* words = at<std::uint32_t>(w, registers[r]);
    const int row = r * Parts / 2 * 8;
    for (int g = 0; g < 8; ++g) {
      for (int t = 0; t < 4; ++t) {
        for (int p = 0; p < Parts; ++p) f(words[g * 4 + t], 2 * t + (Parts == 1 ? r % 2 : p), row + g, 16 * p);
      }
    }
  }
}

template <int Parts>
TILEJIT_INLINE void take_c(Warp& w, const Place* registers, std::uint32_t (*c)[tile_rows]) {
  each_of_c<Parts>(w, registers, [&](std::uint32_t& word, int column, int row, int shift) {
    c[column][row] = Parts == 1 ? word : word >> shift & 0xFFFF;
  });
}

template <int Parts>
TILEJIT_INLINE void give_d(Warp& w, const Place* registers, const std::uint32_t (*d)[tile_rows]) {
  each_of_c<Parts>(w, registers, [&](std::uint32_t& word, int column, int row, int shift) {
    if constexpr (Parts == 1)
      word = d[column][row];
    else
      word = (word & ~(0xFFFFu << shift)) | d[column][row] << shift;
  });
}

}  // namespace tilejit::emulator::TILEJIT_ISA
