#pragma once
#include <tilejit/cache/descriptor.h>
#include <tilejit/cache/key.h>

namespace tilejit {

class Folder;

/// One builder a key among threads and processes. It saves work only: nothing is wrong where two hold it, or where
/// there is no locking at all. The kernel releases it when its holder ends, however that happens (an OFD lock on one
/// byte of a file that is never deleted). Movable; released on destruction.
class Lock {
 public:
  enum class State { held, busy, none };  ///< none: this file system is not asked to lock

  Lock() = default;
  /// Asks once and does not wait.
  static Lock try_take(const Folder& folder, const Key& key);
  State state() const { return state_; }

 private:
  Lock(State state, Descriptor file) : state_(state), file_(std::move(file)) {}

  State state_ = State::none;
  Descriptor file_;
};

}  // namespace tilejit
