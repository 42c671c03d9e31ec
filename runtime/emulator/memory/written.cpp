#include <tilejit/runtime/emulator/memory/written.h>

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace tilejit::emulator {
namespace {

std::uint8_t* map(std::uint64_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::uint8_t*>(memory);
}

}  // namespace

Written::~Written() {
  if (single_ != nullptr) munmap(single_, bytes_);
  if (whole_ != nullptr) munmap(whole_, bytes_ / page + 1);
}

bool Written::open(std::uint64_t base, std::uint64_t bytes) {
  if (bytes_ != 0) return true;
  if (single_ == nullptr) single_ = map(bytes);
  if (whole_ == nullptr) whole_ = map(bytes / page + 1);
  if (single_ == nullptr || whole_ == nullptr) return false;
  base_ = base;
  bytes_ = bytes;
  return true;
}

void Written::mark(std::uint64_t address, std::uint64_t bytes) {
  if (bytes == 0 || !covers(address, bytes)) return;
  const std::uint64_t end = address - base_ + bytes;
  for (std::uint64_t at = address - base_; at < end;) {
    const std::uint64_t behind = std::min((at / page + 1) * page, end);
    if (behind - at == page) {
      const std::uint64_t pages = (end - at) / page;
      std::memset(whole_ + at / page, 1, pages);
      at += pages * page;
      continue;
    }
    if (whole_[at / page] == 0) std::memset(single_ + at, 1, behind - at);
    at = behind;
  }
}

void Written::clear(std::uint64_t address, std::uint64_t bytes) {
  if (bytes == 0 || !covers(address, bytes)) return;
  const std::uint64_t from = address - base_, to = from + bytes;
  // A page that others have a part of keeps what is said of theirs.
  for (const std::uint64_t edge : {from / page, to / page}) {
    if (whole_[edge] == 0) continue;
    std::memset(single_ + edge * page, 1, std::min(page, bytes_ - edge * page));
    whole_[edge] = 0;
  }
  const std::uint64_t first = (from + page - 1) / page * page, last = to / page * page;
  if (first >= last) {
    std::memset(single_ + from, 0, bytes);
    return;
  }
  std::memset(single_ + from, 0, first - from);
  std::memset(single_ + last, 0, to - last);
  std::memset(whole_ + first / page, 0, (last - first) / page);
  madvise(single_ + first, last - first, MADV_DONTNEED);
}

std::optional<std::uint64_t> Written::first_unwritten(std::uint64_t address, std::uint64_t bytes) const {
  if (bytes == 0 || !covers(address, bytes)) return std::nullopt;
  const std::uint64_t end = address - base_ + bytes;
  for (std::uint64_t at = address - base_; at < end;) {
    const std::uint64_t behind = std::min((at / page + 1) * page, end);
    if (whole_[at / page] == 0) {
      const void* const found = std::memchr(single_ + at, 0, behind - at);
      if (found != nullptr)
        return base_ + static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(found) - single_);
    }
    at = behind;
  }
  return std::nullopt;
}

bool Written::sum_up(std::uint64_t address, std::uint64_t bytes) {
  constexpr std::uint64_t most = std::uint64_t{64} << 20;
  if (bytes == 0 || bytes > most || !covers(address, bytes)) return false;
  const std::uint64_t from = address - base_, to = from + bytes;
  for (std::uint64_t k = from / page; k * page < to; ++k) {
    const void* const next = std::memchr(whole_ + k, 0, (to - 1) / page + 1 - k);
    if (next == nullptr) return true;
    k = static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(next) - whole_);
    const std::uint64_t low = std::max(from, k * page), high = std::min(to, (k + 1) * page);
    if (std::memchr(single_ + low, 0, high - low) != nullptr) return false;
    if (high - low == page) __atomic_store_n(whole_ + k, std::uint8_t{1}, __ATOMIC_RELAXED);
  }
  return true;
}

}  // namespace tilejit::emulator
