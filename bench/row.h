#pragma once
#include <string>
#include <vector>

namespace tilejit::bench {

/// Figures of interleaved rounds: the middle one and the range.
struct Spread {
  double median = 0, lowest = 0, highest = 0;
};
Spread spread_of(std::vector<double> values);  ///< of at least one

/// One line of the table: our work beside a peer's, measured in the same rounds.
struct Row {
  std::string work, config;
  std::string peer;
  std::string unit;  ///< "us", "GB/s"
  Spread ours, theirs;
  Spread ratio;      ///< of each round, ours over theirs; of replayed work the rates': their time over ours
  double bound = 0;  ///< what the ratio must reach: at least it, or at most it where less is better; 0: none
  bool less_is_better = false;
  int rounds = 0;
  int launches = 0, sets = 0;  ///< of replayed work: of each timed graph, over so many sets of buffers; 0: not replayed
  bool reached() const;
};

std::string table_of(const std::vector<Row>& rows);

/// Where and with what the rows were measured.
struct Scene {
  std::string date, device, arch, driver, nvrtc, version;
};
std::string json_of(const Scene& scene, const std::vector<Row>& rows);  ///< format tilejit.bench 1

}  // namespace tilejit::bench
