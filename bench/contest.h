#pragma once
#include <functional>
#include <string>

#include <tilejit/bench/row.h>
#include <tilejit/runtime/device.h>

namespace tilejit::bench {

/// Two ways to move memory, timed beside each other. Each enqueues its work on the stream that the contest gets.
struct Contest {
  std::string work, config, peer;
  double bytes = 0;        ///< that ours moves, read and written
  double their_bytes = 0;  ///< that the peer moves
  double bound = 0;        ///< of the ratio of rates, at least
  std::function<void()> ours, theirs;
};

/// Both in each round, in alternating order, each by events with the L2 cache cold. Rates in GB/s.
Row settle(const Contest& contest, const Device& device, StreamRef stream, int rounds);

}  // namespace tilejit::bench
