#include <tilejit/runtime/emulator/memory/allocations.h>

#include <sys/mman.h>

#include <algorithm>
#include <mutex>

namespace tilejit::emulator {
namespace {

constexpr std::uint64_t alignment = 256, gap = 256, page = 4096;

std::uint64_t up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

}  // namespace

Allocations::Allocations(std::uint64_t limit) : limit_(limit) {
  // Four times the limit, so that freed addresses rest long before they are given out again.
  for (std::uint64_t wanted = up(std::max<std::uint64_t>(limit, page) * 4, page); wanted >= page; wanted /= 2) {
    void* const memory =
        mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) continue;
    base_ = up(reinterpret_cast<std::uint64_t>(memory), page);
    reserved_ = wanted;
    break;
  }
  next_ = base_ + alignment;
}

Allocations::~Allocations() {
  if (reserved_ != 0) munmap(reinterpret_cast<void*>(base_), reserved_);
}

std::uint64_t Allocations::place(std::uint64_t bytes) const {
  const std::uint64_t end = base_ + reserved_, size = up(bytes, alignment) + gap;
  for (std::uint64_t from : {next_, base_ + alignment}) {  // onwards, then from the start again
    auto it = all_.upper_bound(from);
    if (it != all_.begin()) {
      const auto previous = std::prev(it);
      from = std::max(from, up(previous->second.address + previous->second.bytes, alignment) + gap);
    }
    while (true) {
      while (it != all_.end() && it->second.address < from) ++it;
      const std::uint64_t until = it == all_.end() || it->second.address > end ? end : it->second.address;
      if (from + size <= until) return from;
      if (until == end) break;
      from = up(it->second.address + it->second.bytes, alignment) + gap;
      ++it;
    }
  }
  return 0;
}

std::uint64_t Allocations::allocate(std::uint64_t bytes, const std::string& name, bool constant) {
  const std::unique_lock lock(mutex_);
  if (bytes == 0 || bytes > limit_ || used_ + up(bytes, alignment) > limit_) return 0;
  const std::uint64_t address = place(bytes);
  if (address == 0) return 0;
  all_[address] = {address, bytes, name, constant, false, tracking_, ++count_};
  if (tracking_) written_.clear(address, bytes);
  if (tracking_ && !name.empty()) written_.mark(address, bytes);  // a module's variables begin as zeros
  used_ += up(bytes, alignment);
  next_ = address + up(bytes, alignment) + gap;
  return address;
}

bool Allocations::free(std::uint64_t address) {
  const std::unique_lock lock(mutex_);
  const auto found = all_.find(address);
  if (found == all_.end()) return false;
  const bool host = found->second.host;
  if (!host) used_ -= up(found->second.bytes, alignment);
  const auto next = all_.erase(found);
  if (host) return true;
  // Whole pages that nothing touches any more go back to the host.
  const std::uint64_t from =
      next == all_.begin() ? base_ : std::prev(next)->second.address + std::prev(next)->second.bytes;
  const std::uint64_t to = next == all_.end() ? base_ + reserved_ : next->second.address;
  give_back(std::max(from, base_), std::min({to, base_ + reserved_, next_}));
  return true;
}

void Allocations::give_back(std::uint64_t from, std::uint64_t to) {
  const std::uint64_t first = up(from, page), last = to / page * page;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

void Allocations::adopt(std::uint64_t address, std::uint64_t bytes) {
  const std::unique_lock lock(mutex_);
  all_[address] = {address, bytes, {}, false, true, false, ++count_};
}

std::optional<Allocation> Allocations::find(std::uint64_t address) const {
  const auto found = before(address);
  if (!found || address - found->address >= found->bytes) return std::nullopt;
  return found;
}

bool Allocations::holds(std::uint64_t address, std::uint64_t bytes) const {
  const auto found = find(address);
  return found && bytes <= found->bytes - (address - found->address);
}

std::optional<Allocation> Allocations::before(std::uint64_t address) const {
  const std::shared_lock lock(mutex_);
  const auto it = all_.upper_bound(address);
  if (it == all_.begin()) return std::nullopt;
  return std::prev(it)->second;
}

std::optional<Allocation> Allocations::behind(std::uint64_t address) const {
  const std::shared_lock lock(mutex_);
  const auto it = all_.upper_bound(address);
  if (it == all_.end()) return std::nullopt;
  return it->second;
}

bool Allocations::track(bool on) {
  const std::unique_lock lock(mutex_);
  if (!on) forgotten_ = count_;
  tracking_ = on && written_.open(base_, reserved_);
  return tracking_ == on;
}

void Allocations::mark_written(std::uint64_t address, std::uint64_t bytes) {
  const std::shared_lock lock(mutex_);
  if (tracking_) written_.mark(address, bytes);
}

void Allocations::forget_written() {
  const std::unique_lock lock(mutex_);
  forgotten_ = count_;
}

std::optional<std::uint64_t> Allocations::first_unwritten(std::uint64_t address, std::uint64_t bytes) const {
  const std::shared_lock lock(mutex_);
  if (!tracking_) return std::nullopt;
  const auto it = all_.upper_bound(address);
  if (it == all_.begin()) return std::nullopt;
  const Allocation& a = std::prev(it)->second;
  if (!a.tracked || a.id <= forgotten_) return std::nullopt;
  return written_.first_unwritten(address, bytes);
}

std::uint64_t Allocations::used() const {
  const std::shared_lock lock(mutex_);
  return used_;
}

}  // namespace tilejit::emulator
