#pragma once
#include <cstdint>
#include <optional>

namespace tilejit::emulator {

/// Which bytes of a range of addresses were written: a byte for each, and one for each page of them that is written as
/// a whole; both mapped by the host as they are touched, so that copies and fills of any size cost little. Threads may
/// mark and ask at once. Addresses outside the range count as written.
class Written {
 public:
  Written() = default;
  ~Written();
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;

  /// Covers [base, base + bytes), base a multiple of 4096; nothing is written. False: the host refuses.
  bool open(std::uint64_t base, std::uint64_t bytes);
  void mark(std::uint64_t address, std::uint64_t bytes);
  /// Not at once with others for the same bytes.
  void clear(std::uint64_t address, std::uint64_t bytes);
  /// The first address of the range that was not.
  std::optional<std::uint64_t> first_unwritten(std::uint64_t address, std::uint64_t bytes) const;

  /// True only if all of it was written, and then quick the next time; false too for what is larger than 64 MB.
  bool sum_up(std::uint64_t address, std::uint64_t bytes);

  /// Quick: true only if all of it was written. Never true for more than a few pages.
  bool is_whole(std::uint64_t address, std::uint64_t bytes) const {
    const std::uint64_t from = address - base_, to = from + bytes - 1;
    if (to >= bytes_ || from > to || to / page - from / page > 4) return false;
    for (std::uint64_t k = from / page; k <= to / page; ++k) {
      if (whole_[k] == 0) return false;
    }
    return true;
  }

  /// Quick where `bytes` is at most 32 and the address a multiple of it.
  bool has(std::uint64_t address, std::uint64_t bytes) const {
    const std::uint64_t at = address - base_;
    if (at >= bytes_ || whole_[at / page] != 0) return true;
    for (std::uint64_t k = 0; k < bytes; ++k) {
      if (single_[at + k] == 0) return false;
    }
    return true;
  }

 private:
  static constexpr std::uint64_t page = 4096;
  bool covers(std::uint64_t address, std::uint64_t bytes) const {
    return address >= base_ && address - base_ <= bytes_ && bytes <= bytes_ - (address - base_);
  }

  std::uint8_t *single_ = nullptr, *whole_ = nullptr;  ///< by byte, by page
  std::uint64_t base_ = 0, bytes_ = 0;
};

}  // namespace tilejit::emulator
