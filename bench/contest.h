#pragma once
#include <functional>
#include <string>

#include <tilejit/bench/row.h>
#include <tilejit/runtime/device.h>

namespace tilejit::bench {

/// Both ways over buffers that they alone use and keep, and that no launch has worked on yet.
struct BufferSet {
  std::function<void()> ours, theirs;
  std::function<void()> check;  ///< once ours is done: Error where an output is wrong
};

/// Two ways to do one thing, timed beside each other. Each enqueues its work on the stream that the contest gets.
struct Contest {
  std::string work, config, peer;
  std::string unit = "GB/s";
  double unit_size = 1e9;   ///< bytes, or operations, a second
  double amount = 0;        ///< of bytes that ours moves, read and written; of operations
  double their_amount = 0;  ///< the peer's
  double bound = 0;         ///< of the ratio of rates, at least
  std::function<void()> ours, theirs;
  /// A further set of buffers for the same contest, settled (tuned, bound, with its workspace), for a replay. Empty:
  /// the work is timed launch by launch, however short it is. Replayed work counts `amount` in bytes.
  std::function<BufferSet()> another;
  double replay_below = 20;  ///< microseconds that the shorter of both takes, replayed
};

/// Both in each round, in alternating order, each by events with the L2 cache cold: a launch each; or, where it is
/// short and there is `another`, a graph each that works through rotation_of(amount), and microseconds a launch.
Row settle(const Contest& contest, const Device& device, StreamRef stream, int rounds);

}  // namespace tilejit::bench
