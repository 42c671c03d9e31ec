#pragma once
#include <map>

#include <tilejit/runtime/emulated_counts.h>
#include <tilejit/runtime/tuning/device_trials.h>

namespace tilejit {

/// The model that ranks Configs on the emulated device: milliseconds that `spent` would take if an H200 did nothing but
/// move the sectors asked for, pass shared memory's wavefronts, and issue the instructions, the slowest of the three
/// counting in full and the others a tenth (they overlap), plus a block's start. The same on every machine; a model,
/// never a measurement. docs/emulator.md states it.
double modelled_milliseconds(const EmulatedCounts& spent, int multiprocessors);

/// Trials on the emulated device: a Config's time is modelled from what the launch that checks it counted, so that each
/// is interpreted once.
class ModelledTrials : public DeviceTrials {
 public:
  explicit ModelledTrials(const Situation& situation) : DeviceTrials(situation), situation_(situation) {}
  double time(const Config& config) override;

 private:
  void launch_on(const Config& config, bool reference) override;

  const Situation& situation_;
  std::map<Config, double> times_;
};

}  // namespace tilejit
