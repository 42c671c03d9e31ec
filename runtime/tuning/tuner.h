#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tilejit/runtime/tuning/tuning_result.h>

namespace tilejit {

/// What the tuner asks of the world: the seam behind which compiler, device and clock stand.
class Trials {
 public:
  virtual ~Trials() = default;
  /// Makes `config` ready to run; otherwise says why it cannot ("registers: ...", a compile error's first line). Fills
  /// in registers and spills.
  virtual std::optional<std::string> prepare(const Config& config, Measurement& facts) = 0;
  /// Runs it once on poisoned scratch outputs and compares with what the first prepared Config, the default, gave: what
  /// differs, if anything does.
  virtual std::optional<std::string> check(const Config& config) = 0;
  /// Runs it for a while, untimed: a device that was idle, as while Configs are compiled, is slow at first, which would
  /// be held against those that are timed first.
  virtual void warm_up(const Config& config) = 0;
  /// Lets the device idle that long after a run that took as long: under a load without breaks its clock falls, by
  /// other amounts for each Config, to what a call among others does not meet.
  virtual void rest(double milliseconds) = 0;
  /// Runs it once, everything cold; milliseconds. Of a model: the same on each call.
  virtual double time(const Config& config) = 0;
};

struct TunerOptions {
  int rounds = 9;            ///< of those that the first rounds leave
  int first_rounds = 2;      ///< of everybody
  double keep_within = 1.5;  ///< who is slower than this times the best after the first rounds is out
  double budget_ms = 1500;   ///< of device time in timed runs; later rounds are left out beyond it, never the first one
  double race_within = 1.15;  ///< who is slower than this times the best median does not race
  double race_ms = 40;        ///< of device time, at most, in the race; 0: none
  int race_rounds = 120;      ///< at most, the earlier ones among them
  bool modelled = false;      ///< time() is a model: one round is enough
};

/// Prepares, checks and times the candidates (the default first), interleaved: one run of each a round, in
/// an order that changes; after runs of 0.1 ms and more the device rests. Then the leaders race: they run on, each
/// until its median is more than 1 % and more than three standard errors behind the best, and all until that error is
/// below 1 %: runs of some microseconds vary more than Configs differ. Best median first; a candidate passes an earlier
/// one where it is at least 1 % better, or was faster in its slowest run than the other in its fastest. Candidates that
/// fail are in `rejected`. Throws only what `trials` throws.
TuningResult tune(std::span<const Config> candidates, Trials& trials, const TunerOptions& options = {});

}  // namespace tilejit
