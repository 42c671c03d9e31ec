#pragma once
#include <cstdint>
#include <cstring>

/// Which bytes of a block's own memory were written, a byte each (1: it was), for the lanes of one access. All inline:
/// one for each access of a kernel.
namespace tilejit::emulator {

template <class T>
constexpr T written_bytes = static_cast<T>(0x0101010101010101);

inline bool is_written(const std::uint8_t* at, std::uint64_t bytes) {
  std::uint64_t together = written_bytes<std::uint64_t>, here;
  for (; bytes >= 8; at += 8, bytes -= 8) {
    std::memcpy(&here, at, 8);
    together &= here;
  }
  for (; bytes > 0; ++at, --bytes) together &= *at * written_bytes<std::uint64_t>;
  return together == written_bytes<std::uint64_t>;
}

template <class T>
bool lanes_are_written_as(const std::uint8_t* all, const std::uint64_t* address, std::uint32_t mask, int bytes) {
  T together = written_bytes<T>;
  for (; mask != 0; mask &= mask - 1) {
    const std::uint8_t* at = all + address[__builtin_ctz(mask)];
    for (int k = 0; k < bytes; k += static_cast<int>(sizeof(T))) {
      T here;
      std::memcpy(&here, at + k, sizeof(T));
      together &= here;
    }
  }
  return together == written_bytes<T>;
}

inline bool lanes_are_written(const std::uint8_t* all, const std::uint64_t* address, std::uint32_t mask, int bytes) {
  if (bytes == 4) return lanes_are_written_as<std::uint32_t>(all, address, mask, 4);
  if (bytes >= 8) return lanes_are_written_as<std::uint64_t>(all, address, mask, bytes);
  return lanes_are_written_as<std::uint8_t>(all, address, mask, bytes);
}

inline void mark_lanes(std::uint8_t* all, const std::uint64_t* address, std::uint32_t mask, int bytes) {
  const auto each = [&](auto ones) {
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
      std::uint8_t* at = all + address[__builtin_ctz(rest)];
      for (int k = 0; k < bytes; k += static_cast<int>(sizeof(ones))) std::memcpy(at + k, &ones, sizeof(ones));
    }
  };
  if (bytes == 4) return each(written_bytes<std::uint32_t>);
  if (bytes >= 8) return each(written_bytes<std::uint64_t>);
  each(written_bytes<std::uint8_t>);
}

/// In local memory, where a lane's next word lies 128 bytes on.
inline bool words_are_written(const std::uint8_t* at, int bytes) {
  std::uint32_t together = written_bytes<std::uint32_t>, here;
  if (bytes < 4) {
    for (int k = 0; k < bytes; ++k) together &= at[k] * written_bytes<std::uint32_t>;
    return together == written_bytes<std::uint32_t>;
  }
  for (int k = 0; k < bytes / 4; ++k) {
    std::memcpy(&here, at + k * 128, 4);
    together &= here;
  }
  return together == written_bytes<std::uint32_t>;
}
inline void mark_words(std::uint8_t* at, int bytes) {
  if (bytes < 4) {
    std::memset(at, 1, static_cast<std::size_t>(bytes));
    return;
  }
  for (int k = 0; k < bytes / 4; ++k) std::memcpy(at + k * 128, &written_bytes<std::uint32_t>, 4);
}

/// Where the first element begins of which no byte was written; negative: each has one. `word` bytes lie together, the
/// next ones `stride` on.
inline int unwritten_element(const std::uint8_t* at, int bytes, int element, int word, int stride) {
  for (int from = 0; from < bytes; from += element) {
    bool any = false;
    for (int k = from; k < from + element; ++k) any |= at[k / word * stride + k % word] != 0;
    if (!any) return from;
  }
  return -1;
}

}  // namespace tilejit::emulator
