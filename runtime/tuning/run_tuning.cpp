#include <fmt/format.h>

#include <algorithm>

#include <tilejit/runtime/settle.h>
#include <tilejit/runtime/tuning/announced_trials.h>
#include <tilejit/runtime/tuning/device_trials.h>
#include <tilejit/runtime/tuning/modelled_trials.h>

namespace tilejit {

TuningResult run_tuning(const Situation& situation) {
  Jit::State& jit = *situation.function.jit;
  const TuningKey key = tuning_key_of(situation);
  std::vector<Config> configs = candidates(situation.kernel(), situation.problem, situation.target());
  // What runs untuned is the incumbent that the others have to beat.
  if (situation.function.first)
    if (const auto first = std::ranges::find(configs, *situation.function.first); first != configs.end())
      std::rotate(configs.begin(), first, first + 1);
  TuningResult result;
  if (configs.empty()) return result;
  if (grid_for(situation, configs.front()).empty()) {
    result.launches = false;
    return result;
  }
  if (configs.size() == 1) {
    result.measurements.push_back({.config = configs.front()});
    result.bucket = key.text;
    return result;
  }
  const auto say = [&](std::size_t prepared) {
    jit.progress_log.info(fmt::format("tuning {}: {} of {} Configs tried; calls like this one will take the best",
                                      situation.kernel().name, prepared, configs.size()));
  };
  try {
    if (jit.device.is_emulated()) {
      ModelledTrials trials(situation);
      AnnouncedTrials announced(trials, say);
      result = tune(configs, announced, {.modelled = true});
    } else {
      DeviceTrials trials(situation);
      AnnouncedTrials announced(trials, say);
      result = tune(configs, announced);
    }
  } catch (const CudaError& error) {
    if (error.code() != CUDA_ERROR_OUT_OF_MEMORY) throw;
    jit.tuning_log.warn(fmt::format("{}: no memory for scratch outputs, the default Config runs untuned ({})",
                                    situation.kernel().name, error.what()));
    return result;
  }
  result.bucket = key.text;
  ++jit.tunings;
  for (const RejectedConfig& rejected : result.rejected) {
    jit.tuning_log.info(
        fmt::format("{}: {} rejected: {}", situation.kernel().name, to_string(rejected.config), rejected.why));
  }
  if (!result.measurements.empty()) {
    jit.tuning.put(key, result);
    jit.tuning_log.info(fmt::format("{}: {} at {:.4f} ms ({}) of {} candidates", key.text,
                                    to_string(result.best().config), result.best().median,
                                    result.modelled ? "modelled" : "measured", configs.size()));
  }
  return result;
}

}  // namespace tilejit
