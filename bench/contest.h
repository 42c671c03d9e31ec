#pragma once
#include <functional>
#include <string>

#include <tilejit/bench/row.h>
#include <tilejit/runtime/device.h>

namespace tilejit::bench {

/// Two ways to do one thing, timed beside each other. Each enqueues its work on the stream that the contest gets.
struct Contest {
  std::string work, config, peer;
  std::string unit = "GB/s";
  double unit_size = 1e9;   ///< bytes, or operations, a second
  double amount = 0;        ///< of bytes that ours moves, read and written; of operations
  double their_amount = 0;  ///< the peer's
  double bound = 0;         ///< of the ratio of rates, at least
  std::function<void()> ours, theirs;
};

/// Both in each round, in alternating order, each by events with the L2 cache cold.
Row settle(const Contest& contest, const Device& device, StreamRef stream, int rounds);

}  // namespace tilejit::bench
