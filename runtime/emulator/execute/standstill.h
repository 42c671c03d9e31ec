#pragma once
#include <atomic>
#include <cstdint>
#include <vector>

namespace tilejit::emulator {

/// Finds out that a launch will never end: every block that was begun does nothing but read, over and over, what nobody
/// changes. Shared by a launch's workers. A worker that has waited in vain for a while watches its blocks: it says
/// after each one's turn whether anything in the block changed. Only if no worker saw a change, each over many turns of
/// all its blocks since the last change that any of them saw, does the launch stand still.
class Standstill {
 public:
  explicit Standstill(int workers) : quiet_(static_cast<std::size_t>(workers)) {}

  /// What one worker knows.
  struct Watch {
    int worker = 0;
    bool watching = false;
    std::uint64_t turns = 0;         ///< without a change
    std::uint64_t seen_changes = 0;  ///< of all workers
  };
  /// Something changed, or the worker begins or ends to watch.
  void change(Watch& watch);
  /// Nothing did in a block's turn, of this many. True: the launch stands still.
  bool stay(Watch& watch, std::size_t blocks);
  /// The worker has no block left.
  void leave(Watch& watch);

 private:
  std::atomic<std::uint64_t> changes_{1};
  std::atomic<bool> ended_{false};
  std::vector<std::atomic<std::uint64_t>> quiet_;  ///< by worker: `changes_` since when it has been; 0: it is not
};

}  // namespace tilejit::emulator
