#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <tilejit/cache/store.h>

namespace tilejit {

/// Entries that the disk did not take, for the life of the process. Holds at most `limit` bytes: the oldest go first.
/// Safe from all threads.
class MemoryShelf {
 public:
  explicit MemoryShelf(std::uint64_t limit = std::uint64_t{256} << 20) : limit_(limit) {}

  std::optional<Entry> get(Shelf shelf, const Key& key) const;
  void put(Shelf shelf, const Key& key, const Entry& entry);
  bool remove(Shelf shelf, const Key& key);
  std::uint64_t clear();
  std::vector<Store::Listed> list() const;

 private:
  using Place = std::pair<Shelf, Key>;
  struct Held {
    Entry entry;
    std::uint64_t bytes;
    std::int64_t since;
  };
  bool forget(const Place& place);

  const std::uint64_t limit_;
  mutable std::mutex mutex_;
  std::map<Place, Held> held_;
  std::deque<Place> oldest_first_;
  std::uint64_t bytes_ = 0;
};

}  // namespace tilejit
