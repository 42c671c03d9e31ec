#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace tilejit::emulator {

/// Shared addresses from `low` to below `high`.
struct AddressRange {
  std::uint64_t low = ~std::uint64_t{0}, high = 0;
  void add(std::uint64_t from, std::uint64_t to) {
    low = std::min(low, from);
    high = std::max(high, to);
  }
};

/// Which 64-byte chunks of shared memory were touched, a bit each: says quickly that ranges are far from all others.
class TouchedChunks {
 public:
  void open(std::size_t bytes) { bits_.assign(bytes / word_bytes + 1, 0); }
  void clear() { std::fill(bits_.begin(), bits_.end(), 0); }
  bool meets(const AddressRange& range) const {
    std::uint64_t any = 0;
    each(range, [&](std::size_t word, std::uint64_t mask) { any |= bits_[word] & mask; });
    return any != 0;
  }
  void add(const AddressRange& range) {
    each(range, [&](std::size_t word, std::uint64_t mask) { bits_[word] |= mask; });
  }

 private:
  static constexpr int chunk_bits = 6;
  static constexpr std::uint64_t word_bytes = std::uint64_t{64} << chunk_bits;

  template <class F>
  static void each(const AddressRange& range, F f) {
    const std::uint64_t first = range.low >> chunk_bits, last = (range.high - 1) >> chunk_bits;
    for (std::uint64_t word = first / 64; word <= last / 64; ++word) {
      const std::uint64_t from = word == first / 64 ? first % 64 : 0, to = word == last / 64 ? last % 64 : 63;
      f(word, (~std::uint64_t{0} >> (63 - (to - from))) << from);
    }
  }

  std::vector<std::uint64_t> bits_;
};

}  // namespace tilejit::emulator
