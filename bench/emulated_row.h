#pragma once
#include <string>
#include <vector>

#include <tilejit/bench/row.h>

namespace tilejit::bench {

/// How fast one kernel ran: thread-instructions (active lanes, by the device's own counters) a second.
struct EmulatedRow {
  std::string work;
  std::uint64_t instructions = 0, blocks = 0, threads = 0;
  Spread one, two;  ///< seconds a launch: of one core's time; by the clock on two cores, all zero where not measured
  int rounds = 0;

  double best_rate() const { return double(instructions) / one.lowest; }
  double median_rate() const { return double(instructions) / one.median; }
  double scaling() const { return two.lowest == 0 ? 0 : one.lowest / two.lowest; }
};

std::string table_of(const std::vector<EmulatedRow>& rows);

struct EmulatedScene {
  std::string date, processor, nvrtc, version, checks;
  int cores = 0;
};
std::string json_of(const EmulatedScene& scene, const std::vector<EmulatedRow>& rows);  ///< tilejit.bench.emulated 1

}  // namespace tilejit::bench
