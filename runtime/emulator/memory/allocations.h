#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>

#include <tilejit/runtime/emulator/memory/written.h>

namespace tilejit::emulator {

struct Allocation {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::string name;       ///< of a module's variable; empty: cuMemAlloc and its kin
  bool constant = false;  ///< kernels may not write it
  bool host = false;      ///< page-locked host memory
  bool tracked = false;   ///< which of its bytes were written is known
  std::uint64_t id = 0;   ///< in order of allocation, from 1
};

/// Device memory: real host addresses from one reservation that the host maps as it is touched, so that allocations may
/// be far larger than the machine. Aligned to 256 bytes, a gap of at least 256 behind each; freed addresses are reused
/// as late as possible. Safe from all threads.
class Allocations {
 public:
  explicit Allocations(std::uint64_t limit);
  ~Allocations();
  Allocations(const Allocations&) = delete;
  Allocations& operator=(const Allocations&) = delete;

  /// Zero: out of memory, or `bytes` is zero.
  std::uint64_t allocate(std::uint64_t bytes, const std::string& name = {}, bool constant = false);
  /// False: not the start of an allocation.
  bool free(std::uint64_t address);
  /// Host memory that kernels may use; owned by the caller.
  void adopt(std::uint64_t address, std::uint64_t bytes);

  /// The allocation that holds `address`.
  std::optional<Allocation> find(std::uint64_t address) const;
  /// Whether [address, address + bytes) lies in one allocation.
  bool holds(std::uint64_t address, std::uint64_t bytes) const;
  /// The one that ends last before `address`, and the one that starts first behind it.
  std::optional<Allocation> before(std::uint64_t address) const;
  std::optional<Allocation> behind(std::uint64_t address) const;

  /// From now on it is kept which bytes of new allocations were written, by calls of mark_written. False: the host has
  /// no room for it.
  bool track(bool on);
  void mark_written(std::uint64_t address, std::uint64_t bytes);
  /// Forgets it for the allocations there are: something wrote and was not watched.
  void forget_written();
  /// Which byte of the range is the first that nobody wrote, where that is known.
  std::optional<std::uint64_t> first_unwritten(std::uint64_t address, std::uint64_t bytes) const;
  /// For kernels, while track is on: quick, but knows only what was marked. first_unwritten has the last word.
  Written& written() { return written_; }

  std::uint64_t limit() const { return limit_; }
  std::uint64_t used() const;

 private:
  std::uint64_t place(std::uint64_t bytes) const;
  void give_back(std::uint64_t from, std::uint64_t to);

  mutable std::shared_mutex mutex_;
  std::map<std::uint64_t, Allocation> all_;
  std::uint64_t limit_, used_ = 0, next_ = 0, count_ = 0;
  std::uint64_t base_ = 0, reserved_ = 0;
  std::uint64_t forgotten_ = 0;  ///< allocations up to this id are not tracked
  bool tracking_ = false;
  Written written_;
};

}  // namespace tilejit::emulator
