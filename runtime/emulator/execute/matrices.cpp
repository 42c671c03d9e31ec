#include <cstring>

#include <tilejit/runtime/emulator/execute/block.h>
#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/execute/lane_places.h>
#include <tilejit/runtime/emulator/memory/access.h>

/// ldmatrix, stmatrix, movmatrix: 8x8 matrices of 16 bits. Lane i gives the address of row i % 8 of matrix i / 8; a
/// register holds two neighbours of row lane / 4, or where transposed, of column lane / 4.
namespace tilejit::emulator {
namespace {

constexpr int rows_a_matrix = 8;
constexpr std::uint64_t row_bytes = 16;

/// The busiest bank of eight rows: each covers four banks, and rows at one address are read together.
std::uint32_t wavefronts_of(const std::uint64_t* row) {
  std::uint32_t most = 1, count[8] = {};
  for (int i = 0; i < rows_a_matrix; ++i) {
    bool fresh = true;
    for (int j = 0; j < i; ++j) fresh &= row[j] != row[i];
    if (!fresh) continue;
    const std::uint32_t here = ++count[row[i] / row_bytes % 8];
    most = here > most ? here : most;
  }
  return most;
}

std::uint64_t distinct_rows(const std::uint64_t* row, int count) {
  std::uint64_t distinct = 0;
  for (int i = 0; i < count; ++i) {
    bool fresh = true;
    for (int j = 0; j < i; ++j) fresh &= row[j] != row[i];
    distinct += fresh;
  }
  return distinct;
}

/// The host addresses of all rows, checked and counted.
void resolve(const Op* op, Warp& w, std::byte** host) {
  const int matrices = static_cast<int>(op->c), rows = matrices * rows_a_matrix;
  std::uint64_t address[32];
  bool good = true;
  for (int i = 0; i < rows; ++i) {
    const std::uint64_t base =
        op->b == 8 ? lanes_at<const std::uint64_t>(w, op->a)[i] : lanes_at<const std::uint32_t>(w, op->a)[i];
    address[i] = base + static_cast<std::uint64_t>(op->immediate);
    const auto from = static_cast<std::int64_t>(address[i]);
    good &= address[i] % row_bytes == 0 && from >= w.shared_begin &&
            from <= w.shared_end - static_cast<std::int64_t>(row_bytes);
    host[i] = w.shared + address[i];
  }
  w.mask = rows == 32 ? ~0u : (1u << rows) - 1;
  if (!good) check_lanes(op, w, address, true);
  if (w.checking) inspect_access(op, w, static_cast<int>(op->b), true);
  w.mask = ~0u;

  SiteState& s = w.sites[op->site];
  if (s.hits == 0 || std::memcmp(s.pattern.wide, address, static_cast<std::size_t>(rows) * 8) != 0) {
    s.settle();
    std::memcpy(s.pattern.wide, address, static_cast<std::size_t>(rows) * 8);
    s.cost = {};
    s.cost.lanes = static_cast<std::uint32_t>(rows);
    s.cost.unique_bytes = static_cast<std::uint32_t>(distinct_rows(address, rows) * row_bytes);
    s.cost.ideal_wavefronts = static_cast<std::uint32_t>(matrices);
    for (int m = 0; m < matrices; ++m) s.cost.wavefronts += wavefronts_of(address + m * rows_a_matrix);
  }
  ++s.hits;
}

}  // namespace

const Op* run_load_matrices(const Op* op, Warp& w) {
  std::byte* row[32];
  resolve(op, w, row);
  for (int m = 0; m < static_cast<int>(op->c); ++m) {
    auto* d = lanes_at<std::uint32_t>(w, op->list[m]);
    for (int lane = 0; lane < 32; ++lane) std::memcpy(&d[lane], row[m * rows_a_matrix + lane / 4] + lane % 4 * 4, 4);
  }
  return op + 1;
}

const Op* run_load_transposed(const Op* op, Warp& w) {
  std::byte* row[32];
  resolve(op, w, row);
  for (int m = 0; m < static_cast<int>(op->c); ++m) {
    auto* d = lanes_at<std::uint16_t>(w, op->list[m]);
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < 2; ++i)
        std::memcpy(&d[2 * lane + i], row[m * rows_a_matrix + lane % 4 * 2 + i] + lane / 4 * 2, 2);
    }
  }
  return op + 1;
}

const Op* run_store_matrices(const Op* op, Warp& w) {
  std::byte* row[32];
  resolve(op, w, row);
  for (int m = 0; m < static_cast<int>(op->c); ++m) {
    const auto* a = lanes_at<const std::uint32_t>(w, op->list[m]);
    for (int lane = 0; lane < 32; ++lane) std::memcpy(row[m * rows_a_matrix + lane / 4] + lane % 4 * 4, &a[lane], 4);
  }
  return op + 1;
}

const Op* run_store_transposed(const Op* op, Warp& w) {
  std::byte* row[32];
  resolve(op, w, row);
  for (int m = 0; m < static_cast<int>(op->c); ++m) {
    const auto* a = lanes_at<const std::uint16_t>(w, op->list[m]);
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < 2; ++i)
        std::memcpy(row[m * rows_a_matrix + lane % 4 * 2 + i] + lane / 4 * 2, &a[2 * lane + i], 2);
    }
  }
  return op + 1;
}

const Op* run_transpose(const Op* op, Warp& w) {
  std::uint16_t matrix[8][8];
  const auto* a = lanes_at<const std::uint16_t>(w, op->a);
  for (int i = 0; i < 64; ++i) matrix[i / 8][i % 8] = a[i];
  auto* d = lanes_at<std::uint16_t>(w, op->d);
  for (int i = 0; i < 64; ++i) d[i] = matrix[i % 8][i / 8];
  return op + 1;
}

}  // namespace tilejit::emulator
