#include <tilejit/cache/memory_shelf.h>

#include <algorithm>
#include <ctime>

namespace tilejit {

std::optional<Entry> MemoryShelf::get(Shelf shelf, const Key& key) const {
  const std::lock_guard guard(mutex_);
  const auto found = held_.find({shelf, key});
  if (found == held_.end()) return std::nullopt;
  return found->second.entry;
}

void MemoryShelf::put(Shelf shelf, const Key& key, const Entry& entry) {
  std::uint64_t bytes = entry.key_material.size();
  for (const Entry::Section& section : entry.sections) bytes += section.bytes.size();
  const Place place{shelf, key};
  const std::lock_guard guard(mutex_);
  forget(place);
  if (bytes > limit_) return;
  while (bytes_ + bytes > limit_) forget(Place(oldest_first_.front()));
  oldest_first_.push_back(place);
  held_.emplace(place, Held{entry, bytes, std::time(nullptr)});
  bytes_ += bytes;
}

bool MemoryShelf::remove(Shelf shelf, const Key& key) {
  const std::lock_guard guard(mutex_);
  return forget({shelf, key});
}

std::uint64_t MemoryShelf::clear() {
  const std::lock_guard guard(mutex_);
  const std::uint64_t count = held_.size();
  held_.clear();
  oldest_first_.clear();
  bytes_ = 0;
  return count;
}

std::vector<Store::Listed> MemoryShelf::list() const {
  const std::lock_guard guard(mutex_);
  std::vector<Store::Listed> listed;
  for (const auto& [place, held] : held_) listed.push_back({place.first, place.second, held.bytes, held.since});
  return listed;
}

bool MemoryShelf::forget(const Place& place) {
  const auto found = held_.find(place);
  if (found == held_.end()) return false;
  bytes_ -= found->second.bytes;
  held_.erase(found);
  oldest_first_.erase(std::find(oldest_first_.begin(), oldest_first_.end(), place));
  return true;
}

}  // namespace tilejit
