#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tilejit/cache/entry.h>
#include <tilejit/cache/key.h>
#include <tilejit/cache/lock.h>
#include <tilejit/cache/log.h>

namespace tilejit {

struct FileCalls;

struct StoreOptions {
  std::string root;      ///< absolute; empty: memory only. Missing parents are created (0700).
  bool durable = false;  ///< fsync before publishing
  Logger log;
  std::chrono::milliseconds longest_wait{30000};  ///< for another builder of the same key, in wait_turn()
  const FileCalls* file_calls = nullptr;          ///< a test's own; must outlive the Store
};

/// Which shelf an entry stands on. Kernels can be rebuilt; tuning results cost device time and are published durably.
enum class Shelf { kernel, tuning };

/// Entries by key, on disk under one root and, where that cannot be trusted or used, in memory. Every failure of the
/// disk is a miss or an unpublished entry plus, once, a warning; no call throws for it. Several processes and threads
/// may share a root; all calls are safe from all threads. What is read has been verified byte for byte.
class TILEJIT_API Store {
 public:
  explicit Store(const StoreOptions& options);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  std::optional<Entry> get(Shelf shelf, const Key& key) const;

  /// After a miss, before building: lets one builder a key go on, among threads and processes, while the others wait
  /// for what it publishes. Bounded (StoreOptions::longest_wait), then everybody builds for himself.
  struct Turn {
    std::optional<Entry> entry;  ///< published meanwhile: nothing to build
    Lock lock;                   ///< keep it until after put()
  };
  Turn wait_turn(Shelf shelf, const Key& key) const;

  /// Publishes atomically; false: kept in memory only. The key is the digest of the entry's material.
  bool put(Shelf shelf, const Entry& entry);
  bool remove(Shelf shelf, const Key& key);

  bool persistent() const;  ///< false: memory only
  const std::string& root() const;
  const std::string& why_memory_only() const;  ///< empty where persistent

  struct Listed {
    Shelf shelf;
    Key key;
    std::uint64_t bytes;
    std::int64_t modified;  ///< seconds since 1970
  };
  std::vector<Listed> list() const;
  struct Damaged {
    std::string file;  ///< relative to the root
    std::string why;
  };
  std::vector<Damaged> verify() const;  ///< reads every entry
  std::uint64_t clear();                ///< removes every entry, returns how many

  struct Counters {
    std::uint64_t hits, misses, damaged, published, failed;
  };
  Counters counters() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tilejit
