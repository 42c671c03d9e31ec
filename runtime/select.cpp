#include <tilejit/runtime/select.h>

#include <fmt/format.h>

#include <algorithm>

namespace tilejit {

Situation situation_of(const JitFunction::State& function, const Call& call, CUstream stream) {
  const Template& kernel = *function.loaded->source;
  Situation situation{function, call, stream, problem_of(kernel, call), {}};
  situation.sizes = sizes_of(kernel, situation.problem);
  check_self_overlap(kernel, call.tensors());

  const Config config = function.flavour.pinned.value_or(default_config(kernel.info));
  const ProblemScope scope(kernel, situation.problem, config, situation.target());
  if (const Expression* broken = broken_requirement(kernel.info, scope.scope())) {
    std::string given;
    std::size_t i = 0;
    for (const ArgumentInfo& info : kernel.info.arguments) {
      if (info.kind != ArgumentInfo::Kind::tensor) continue;
      given += fmt::format("{}{}: {}", given.empty() ? "" : ", ", info.name, call.tensors()[i++]->to_string());
    }
    throw InvalidArgument(fmt::format("{} requires {}; given {}", kernel.name, broken->text(), given));
  }
  for (const std::string& feature : kernel.info.needs) {
    if (situation.target().has(feature)) continue;
    throw InvalidArgument(fmt::format("{} needs {}, which {} ({}) does not have", kernel.name, feature,
                                      function.jit->device.name(), situation.target().arch));
  }
  return situation;
}

TuningKey tuning_key_of(const Situation& situation) {
  const JitFunction::State& function = situation.function;
  const Device& device = function.jit->device;
  const Specialization layout = specialize(situation.kernel(), situation.problem,
                                           default_config(situation.kernel().info), false, function.flavour.fixed);
  return tuning_key({device.name(), device.target().arch, device.is_emulated()}, situation.kernel(), layout,
                    situation.sizes);
}

std::optional<JitFunction::Choice> stored_choice(const Situation& situation) {
  const JitFunction::State& function = situation.function;
  const Template& kernel = situation.kernel();
  ProblemScope scope(kernel, situation.problem, default_config(kernel.info), situation.target());
  if (function.flavour.pinned) {
    const Config& config = *function.flavour.pinned;
    scope.set(config);
    if (const std::string why = why_not(kernel, scope, config, situation.target()); !why.empty()) {
      throw InvalidArgument(fmt::format("{} cannot run with {}: {}", kernel.name, to_string(config), why));
    }
    return JitFunction::Choice{config, "set by the caller"};
  }
  if (kernel.info.config.empty()) return default_choice(situation, "the only Config");
  const std::optional<TuningResult> result = function.jit->tuning.get(tuning_key_of(situation));
  if (!result) return std::nullopt;
  // A bucket holds other sizes than the one that was tuned: the best that fits this Problem.
  for (const Measurement& measurement : result->measurements) {
    if (measurement.config.constants.size() != kernel.info.constants.size()) continue;
    scope.set(measurement.config);
    if (!why_not(kernel, scope, measurement.config, situation.target()).empty()) continue;
    return JitFunction::Choice{measurement.config, result->modelled ? "tuning result (modelled)" : "tuning result"};
  }
  return std::nullopt;
}

const char* why_never_tuned(const JitFunction::State& function) {
  if (function.flavour.debug) return "default: debug builds are not tuned";
  if (function.jit->options.tuning == Tuning::off) return "default: tuning is off";
  if (function.flavour.programs) return "default: the caller's grid is not tuned";
  return nullptr;
}

JitFunction::Choice default_choice(const Situation& situation, const std::string& why) {
  const Template& kernel = situation.kernel();
  const Config config = situation.function.first.value_or(default_config(kernel.info));
  const ProblemScope scope(kernel, situation.problem, config, situation.target());
  const std::string reason = why_not(kernel, scope, config, situation.target());
  if (reason.empty()) return {config, why};
  const std::vector<Config> others = candidates(kernel, situation.problem, situation.target());
  if (others.empty()) {
    throw InvalidArgument(
        fmt::format("no Config of {} can run here; the default, {}: {}", kernel.name, to_string(config), reason));
  }
  return {others.front(), fmt::format("{}; the default does not fit: {}", why, reason)};
}

Grid grid_for(const Situation& situation, const Config& config) {
  const JitFunction::State& function = situation.function;
  const ProblemScope scope(situation.kernel(), situation.problem, config, situation.target());
  const Device::GridLimits& limits = function.jit->device.grid_limits();
  if (function.flavour.programs) return grid_of(*function.flavour.programs, limits, situation.kernel().name);
  return grid_of(situation.kernel(), config, scope.scope(), limits);
}

std::array<unsigned, 3> cluster_for(const Situation& situation, const Config& config) {
  std::array<unsigned, 3> cluster{1, 1, 1};
  const ProblemScope scope(situation.kernel(), situation.problem, config, situation.target());
  const std::vector<Expression>& axes = situation.kernel().info.cluster;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const std::int64_t extent = axes[axis].evaluate(scope.scope());
    if (extent < 1 || extent > 16) {
      throw InvalidArgument(fmt::format("{}: cluster axis {} is {} with {}; 1 to 16 fit", situation.kernel().name, axis,
                                        extent, to_string(config)));
    }
    cluster[axis] = unsigned(extent);
  }
  return cluster;
}

std::int64_t dynamic_shared_for(const Situation& situation, const Config& config, const ObjectCode& object) {
  std::int64_t bytes = object.scratch;
  if (situation.kernel().info.shared) {
    const ProblemScope scope(situation.kernel(), situation.problem, config, situation.target());
    bytes = std::max(bytes, situation.kernel().info.shared->evaluate(scope.scope()));
  }
  return bytes;
}

}  // namespace tilejit
