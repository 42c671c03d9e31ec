#pragma once
#include <functional>
#include <memory>

#include <tilejit/runtime/select.h>
#include <tilejit/runtime/signature.h>

namespace tilejit {

/// A call that is not warm: settles everything (checks, Config, kernel, grid) and enters it into the template's
/// dispatch. Compiles, loads and tunes as needed; on a capturing stream it does none of these and throws NotPrepared
/// where one is needed.
std::shared_ptr<const Prepared> settle(const JitFunction::State& function, const Signature& signature, const Call& call,
                                       CUstream stream);

/// Kernel and grid for one Config: from memory, else disk, else the compiler. The template's mutex is held.
std::shared_ptr<Prepared> prepare_config(const Situation& situation, const Config& config);

/// Runs the tuner for this Problem, keeps and returns its result; the caller's tensors are only read. The template's
/// mutex is held.
TuningResult run_tuning(const Situation& situation);

/// Asks where each tensor's memory is, where that is not known from the last time; InvalidArgument names the argument.
void check_pointers(const JitFunction::State& function, const Call& call, const Prepared& prepared);
void check_pointers(const Device::State& device, const Template& kernel, const Call& call,
                    std::vector<LastAllocation>& allocations);

}  // namespace tilejit
