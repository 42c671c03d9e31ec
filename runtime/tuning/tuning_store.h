#pragma once
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include <tilejit/cache/store.h>
#include <tilejit/runtime/tuning/bucket.h>
#include <tilejit/runtime/tuning/tuning_result.h>

namespace tilejit {

/// The record as it is kept: JSON, version 1, docs/tuning_record.md. A Config is kept as plain parameters, never as an
/// index.
std::string to_json(const TuningResult& result);
/// nullopt: not a record of this version: a miss.
std::optional<TuningResult> tuning_result_in(const std::string& json);

/// Tuning results, one entry a key; in memory for the process, on disk in the Store's tuning shelf. Safe from all
/// threads.
class TuningStore {
 public:
  explicit TuningStore(Store& store) : store_(store) {}
  std::optional<TuningResult> get(const TuningKey& key);
  void put(const TuningKey& key, const TuningResult& result);

 private:
  Store& store_;
  std::mutex mutex_;
  std::map<Key, std::optional<TuningResult>> known_;  ///< nullopt: the disk was asked and had nothing
};

}  // namespace tilejit
