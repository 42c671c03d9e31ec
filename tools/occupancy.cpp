#include <tilejit/tools/occupancy.h>

#include <algorithm>
#include <array>
#include <limits>

namespace tilejit::tool {

namespace {

constexpr int kb = 1024;
constexpr int lanes = 32;
constexpr int partitions = 4;     // of a multiprocessor, each with its share of the registers
constexpr int registers = 65536;  // a multiprocessor, and at most a block
constexpr int registers_a_thread = 255;
constexpr int register_unit = 256;  // a warp's registers come in units of
constexpr int threads_a_block = 1024;
constexpr int unlimited = std::numeric_limits<int>::max();

// CUDA C++ Programming Guide, technical specifications per compute capability.
constexpr std::array multiprocessors = {
    Multiprocessor{75, 32, 16, 64 * kb},   Multiprocessor{80, 64, 32, 164 * kb},  Multiprocessor{86, 48, 16, 100 * kb},
    Multiprocessor{87, 48, 16, 164 * kb},  Multiprocessor{89, 48, 24, 100 * kb},  Multiprocessor{90, 64, 32, 228 * kb},
    Multiprocessor{100, 64, 32, 228 * kb}, Multiprocessor{103, 64, 32, 228 * kb}, Multiprocessor{110, 48, 24, 228 * kb},
    Multiprocessor{120, 48, 24, 100 * kb}, Multiprocessor{121, 48, 24, 100 * kb},
};

std::int64_t rounded_up(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; }
bool is_turing(const Multiprocessor& m) { return m.number < 80; }
int shared_unit(const Multiprocessor& m) { return is_turing(m) ? 256 : 128; }
int shared_reserved(const Multiprocessor& m) { return is_turing(m) ? 0 : kb; }

int blocks_by_registers(int used, int block_warps) {
  if (used > registers_a_thread) return 0;
  if (used <= 0) return unlimited;
  const std::int64_t warp = rounded_up(std::int64_t{used} * lanes, register_unit);
  // A launch is checked as if each partition took the same number of the block's warps.
  if (warp * rounded_up(block_warps, partitions) > registers) return 0;
  return static_cast<int>(registers / partitions / warp * partitions / block_warps);
}

int blocks_by_shared(const Multiprocessor& m, std::int64_t bytes) {
  if (bytes > m.shared) return 0;
  const std::int64_t allocated = rounded_up(bytes + shared_reserved(m), shared_unit(m));
  return allocated == 0 ? unlimited : static_cast<int>(m.shared / allocated);
}

}  // namespace

std::optional<Multiprocessor> multiprocessor_of(std::string_view arch) {
  const std::size_t digits = arch.find('_');
  if (digits == std::string_view::npos) return std::nullopt;
  int number = 0;
  for (const char c : arch.substr(digits + 1, 3)) {
    if (c < '0' || c > '9') break;
    number = 10 * number + (c - '0');
  }
  const auto* found = std::find_if(multiprocessors.begin(), multiprocessors.end(),
                                   [&](const Multiprocessor& m) { return m.number == number; });
  return found == multiprocessors.end() ? std::nullopt : std::optional(*found);
}

Occupancy occupancy_of(const Multiprocessor& m, int used, int threads, std::int64_t shared) {
  const int block_warps = (std::max(threads, 1) + lanes - 1) / lanes;
  Occupancy result;
  result.most_warps = m.warps;
  result.by_registers = blocks_by_registers(used, block_warps);
  result.by_shared = blocks_by_shared(m, shared);
  result.by_warps = threads > threads_a_block ? 0 : m.warps / block_warps;
  result.by_blocks = m.blocks;
  result.blocks = std::min({result.by_registers, result.by_shared, result.by_warps, result.by_blocks});
  result.warps = result.blocks * block_warps;
  result.limit = result.by_registers == result.blocks ? "registers"
                 : result.by_shared == result.blocks  ? "shared memory"
                 : result.by_warps == result.blocks   ? "warps"
                                                      : "blocks";
  if (result.by_warps == result.blocks) result.limit = "warps";  // full: nothing else could make it fuller
  const int more = result.blocks + 1;
  if (more <= std::min({result.by_shared, result.by_warps, result.by_blocks})) {
    for (int fewer = used - 1; fewer > 0 && result.registers_for_one_more == 0; --fewer)
      if (blocks_by_registers(fewer, block_warps) >= more) result.registers_for_one_more = fewer;
  }
  if (more <= std::min({result.by_registers, result.by_warps, result.by_blocks})) {
    const std::int64_t bytes = m.shared / more / shared_unit(m) * shared_unit(m) - shared_reserved(m);
    if (bytes > 0 && bytes < shared) result.shared_for_one_more = bytes;
  }
  return result;
}

}  // namespace tilejit::tool
