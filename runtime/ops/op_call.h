#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tilejit/runtime/ops/loaded_op.h>

namespace tilejit {

/// The calls of a JitFunction that is an op. `function.op` is set.

/// A call that is not warm: plans, settles each step as a template's call, and keeps the result. NotPrepared on a
/// capturing stream where a step would compile, load or tune.
std::shared_ptr<const PreparedPlan> settle_plan(const JitFunction::State& function, const Signature& signature,
                                                const Call& call, CUstream stream);

/// Warm or not; checks aliases and addresses.
std::shared_ptr<const PreparedPlan> plan_for(const JitFunction::State& function, const Call& call, CUstream stream);

/// Queues all steps. `workspace` is an address with plan.workspace_bytes behind it; 0: the Jit's allocator gives it and
/// takes it back on the same stream.
void launch_plan(const JitFunction::State& function, const PreparedPlan& plan, const Call& call, CUstream stream,
                 DevicePointer workspace);

/// The caller's memory for a plan. InvalidArgument: too small, not contiguous, not aligned to 16 bytes, no memory of
/// the device's, or what a tensor of the call holds too.
DevicePointer workspace_in(const JitFunction::State& function, const PreparedPlan& plan, const Call& call,
                           const TensorView& workspace);

/// The main step as a template's call, for questions about it; nothing where the plan has no step. `runs`: the step may
/// be launched, so it gets a workspace, which the steps before it have filled, and the call's addresses are looked at.
/// Gives the plan in words, a line each.
std::vector<std::string> with_main_step(
    const JitFunction::State& function, std::span<const Argument> args, CUstream stream, bool runs,
    const std::function<void(const JitFunction::State& step, const Call& call)>& use);

}  // namespace tilejit
