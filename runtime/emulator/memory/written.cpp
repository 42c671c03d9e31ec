#include <tilejit/runtime/emulator/memory/written.h>

#include <sys/mman.h>

#include <cstring>

namespace tilejit::emulator {
namespace {

constexpr std::uint64_t page = 4096;

}  // namespace

Written::~Written() {
  if (shadow_ != nullptr) munmap(shadow_, bytes_);
}

bool Written::open(std::uint64_t base, std::uint64_t bytes) {
  if (shadow_ != nullptr) return true;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  shadow_ = static_cast<std::uint8_t*>(memory);
  base_ = base;
  bytes_ = bytes;
  return true;
}

void Written::mark(std::uint64_t address, std::uint64_t bytes) {
  if (address < base_ || address - base_ > bytes_ || bytes > bytes_ - (address - base_)) return;
  std::memset(shadow_ + (address - base_), 1, bytes);
}

void Written::clear(std::uint64_t address, std::uint64_t bytes) {
  if (address < base_ || address - base_ > bytes_ || bytes > bytes_ - (address - base_)) return;
  const std::uint64_t from = address - base_, to = from + bytes;
  const std::uint64_t first = (from + page - 1) / page * page, last = to / page * page;
  if (first >= last) {
    std::memset(shadow_ + from, 0, bytes);
    return;
  }
  std::memset(shadow_ + from, 0, first - from);
  std::memset(shadow_ + last, 0, to - last);
  madvise(shadow_ + first, last - first, MADV_DONTNEED);
}

std::optional<std::uint64_t> Written::first_unwritten(std::uint64_t address, std::uint64_t bytes) const {
  if (address < base_ || address - base_ > bytes_ || bytes > bytes_ - (address - base_)) return std::nullopt;
  const void* const found = std::memchr(shadow_ + (address - base_), 0, bytes);
  if (found == nullptr) return std::nullopt;
  return base_ + static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(found) - shadow_);
}

}  // namespace tilejit::emulator
