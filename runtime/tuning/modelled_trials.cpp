#include <tilejit/runtime/tuning/modelled_trials.h>

#include <algorithm>

namespace tilejit {
namespace {

// An H200: what memory moves (docs/performance.md), its clock, four schedulers a multiprocessor, and what it takes to
// start a block.
constexpr double bytes_per_ms = 4.2e9;
constexpr double cycles_per_ms = 1.755e6;
constexpr double schedulers = 4;
constexpr double cycles_a_block = 300;

}  // namespace

double modelled_milliseconds(const EmulatedCounts& spent, int multiprocessors) {
  const double sm_cycles = cycles_per_ms * std::max(multiprocessors, 1);
  const double memory = 32.0 * double(spent.sectors) / bytes_per_ms;
  const double shared = double(spent.shared_wavefronts) / sm_cycles;
  const double issue = double(spent.warp_instructions) / (schedulers * sm_cycles);
  const double slowest = std::max({memory, shared, issue});
  return slowest + 0.1 * (memory + shared + issue - slowest) + double(spent.blocks) * cycles_a_block / (sm_cycles * 8);
}

void ModelledTrials::launch_on(const Config& config, bool reference) {
  const Driver& driver = situation_.function.jit->driver();
  const EmulatedCounts before = emulated_counts(driver);
  DeviceTrials::launch_on(config, reference);
  driver.check(driver.call.cuStreamSynchronize(situation_.stream), "cuStreamSynchronize");
  const EmulatedCounts after = emulated_counts(driver);
  times_[config] = modelled_milliseconds({.warp_instructions = after.warp_instructions - before.warp_instructions,
                                          .sectors = after.sectors - before.sectors,
                                          .shared_wavefronts = after.shared_wavefronts - before.shared_wavefronts,
                                          .blocks = after.blocks - before.blocks},
                                         situation_.target().sms);
}

double ModelledTrials::time(const Config& config) { return times_.at(config); }

}  // namespace tilejit
