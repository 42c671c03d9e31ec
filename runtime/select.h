#pragma once
#include <optional>
#include <string>

#include <tilejit/runtime/call.h>
#include <tilejit/runtime/jit_state.h>

namespace tilejit {

/// One call's Problem and what follows from it alone. Made once a slow call.
struct Situation {
  const JitFunction::State& function;
  const Call& call;
  CUstream stream;
  Problem problem;
  std::vector<std::int64_t> sizes;

  const Template& kernel() const { return *function.loaded->source; }
  const Target& target() const { return function.jit->device.target(); }
};

/// Checks all of a call that needs no driver: sizes, dtypes, alignment, overlap of outputs with themselves, `requires`,
/// `needs`.
Situation situation_of(const JitFunction::State& function, const Call& call, CUstream stream);

/// What is stored under for this Problem.
TuningKey tuning_key_of(const Situation& situation);

/// Which Config runs and why: pinned, a stored result that still fits this Problem, or nullopt: tuning would decide.
std::optional<JitFunction::Choice> stored_choice(const Situation& situation);
/// The default Config, or the first candidate that fits where the default does not. InvalidArgument: none fits, with
/// each one's reason for the default.
JitFunction::Choice default_choice(const Situation& situation, const std::string& why);

/// Why no call of this function is tuned, as Choice::why has it; null: the first call is.
const char* why_never_tuned(const JitFunction::State& function);

/// Programs that a Config launches for this Problem.
Grid grid_for(const Situation& situation, const Config& config);
std::array<unsigned, 3> cluster_for(const Situation& situation, const Config& config);
std::int64_t dynamic_shared_for(const Situation& situation, const Config& config, const ObjectCode& object);

}  // namespace tilejit
