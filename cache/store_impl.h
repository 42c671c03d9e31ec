#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include <tilejit/cache/folder.h>
#include <tilejit/cache/memory_shelf.h>
#include <tilejit/cache/store.h>
#include <tilejit/cache/tree.h>

namespace tilejit {

inline constexpr std::uint64_t largest_entry = std::uint64_t{256} << 20;  ///< bytes

struct Store::Impl {
  explicit Impl(const StoreOptions& given);

  /// The tree on the disk, opened anew where somebody removed it; nullptr: memory only.
  std::shared_ptr<const Tree> tree() const;
  std::optional<Entry> look_up(Shelf shelf, const Key& key) const;
  bool publish(Shelf shelf, const Key& key, const Entry& entry);
  void warn_once(std::atomic<bool>& warned, const std::string& message) const;

  const StoreOptions options;
  const FileCalls& calls;
  std::string why_memory_only;
  MemoryShelf memory;

  mutable std::mutex tree_mutex;
  mutable std::shared_ptr<const Tree> opened;
  mutable std::atomic<bool> warned_damaged{false}, warned_unpublished{false};
  mutable std::atomic<std::uint64_t> hits{0}, misses{0}, damaged{0}, published{0}, failed{0};
};

}  // namespace tilejit
