#pragma once
#include <memory>
#include <optional>
#include <string>

#include <tilejit/cache/folder.h>
#include <tilejit/cache/store.h>

namespace tilejit {

/// The cache's own folders, open: the version's folder and its shelves. Immutable.
class Tree {
 public:
  /// Opens what is there and makes what is missing. nullptr: `why` says what stood in the way, and where.
  static std::shared_ptr<const Tree> open(const std::string& root, std::string& why);

  const Folder& version() const { return version_; }
  const Folder& shelf(Shelf shelf) const { return shelf == Shelf::kernel ? kernels_ : tuning_; }
  bool gone() const { return version_.gone() || kernels_.gone() || tuning_.gone(); }

 private:
  Tree(Folder version, Folder kernels, Folder tuning)
      : version_(std::move(version)), kernels_(std::move(kernels)), tuning_(std::move(tuning)) {}

  Folder version_, kernels_, tuning_;
};

}  // namespace tilejit
