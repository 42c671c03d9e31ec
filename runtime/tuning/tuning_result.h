#pragma once
#include <string>
#include <vector>

#include <tilejit/generator/specialization.h>

namespace tilejit {

/// One candidate's figures. Times in milliseconds.
struct Measurement {
  Config config;
  double median = 0, lowest = 0, highest = 0;
  int rounds = 0;
  int registers = -1, spills = -1;  ///< as ptxas says; spills: bytes of stores and loads
};

/// A candidate that lost before it was timed, and why.
struct RejectedConfig {
  Config config;
  std::string why;
};

/// What tuning found, best first. A config that fails is data here, with its reason, never an exception.
struct TuningResult {
  std::vector<Measurement> measurements;
  std::vector<RejectedConfig> rejected;
  bool modelled = false;  ///< ranked by the emulated device's model, not measured
  std::string bucket;     ///< what it stands for: "copy_2d f32,f32 ... M<=4096 N<=6144"
  bool launches = true;   ///< false: the call launches no program: there is nothing to tune
  const Measurement& best() const { return measurements.front(); }
};

}  // namespace tilejit
