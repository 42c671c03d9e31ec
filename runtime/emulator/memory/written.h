#pragma once
#include <cstdint>
#include <optional>

namespace tilejit::emulator {

/// Which bytes of a range of addresses were written: a byte for each, mapped by the host as it is touched. Threads may
/// mark and ask at once.
class Written {
 public:
  Written() = default;
  ~Written();
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;

  /// Covers [base, base + bytes); nothing is written. False: the host refuses.
  bool open(std::uint64_t base, std::uint64_t bytes);
  bool is_open() const { return shadow_ != nullptr; }
  void mark(std::uint64_t address, std::uint64_t bytes);
  void clear(std::uint64_t address, std::uint64_t bytes);
  /// The first address of the range that was not.
  std::optional<std::uint64_t> first_unwritten(std::uint64_t address, std::uint64_t bytes) const;

 private:
  std::uint8_t* shadow_ = nullptr;
  std::uint64_t base_ = 0, bytes_ = 0;
};

}  // namespace tilejit::emulator
