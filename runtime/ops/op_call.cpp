#include <tilejit/runtime/ops/op_call.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <type_traits>

#include <tilejit/runtime/capture.h>
#include <tilejit/runtime/launch.h>
#include <tilejit/runtime/settle.h>
#include <tilejit/runtime/tuning/scratch.h>

namespace tilejit {
namespace {

/// Stands for a workspace where none is needed yet: nothing is read or written there.
constexpr DevicePointer no_workspace = 0x100000;

/// Views and scalars of one step, with addresses; on the stack, and only as many as there are.
class StepCall {
 public:
  StepCall(std::span<const StepTensor> tensors, std::span<const StepScalar> scalars, const Call& call,
           DevicePointer workspace) {
    for (const StepTensor& tensor : tensors) {
      const TensorView* view = absent();
      if (tensor.argument != StepTensor::absent) {
        const auto start = tensor.argument == StepTensor::in_workspace
                               ? std::uintptr_t(workspace)
                               : reinterpret_cast<std::uintptr_t>(call.tensors()[std::size_t(tensor.argument)]->data());
        void* const place = storage_ + sizeof(TensorView) * std::size_t(call_.tensor_count);
        view = new (place) TensorView(tensor.layout.at(reinterpret_cast<void*>(start + std::uintptr_t(tensor.offset))));
      }
      call_.tensor_storage[std::size_t(call_.tensor_count++)] = view;
    }
    for (const StepScalar& scalar : scalars)
      call_.scalar_storage[std::size_t(call_.scalar_count++)] = bits_of(scalar, call);
  }
  StepCall(const StepCall&) = delete;
  StepCall& operator=(const StepCall&) = delete;
  const Call& call() const { return call_; }

 private:
  static const TensorView* absent() { return Argument(nullptr).tensor(); }

  static std::uint64_t bits_of(const StepScalar& scalar, const Call& call) {
    using From = StepScalar::From;
    if (scalar.from == From::constant) return scalar.bits;
    const std::uint64_t bits = call.scalars()[std::size_t(scalar.argument)];
    switch (scalar.from) {
      case From::f64_to_f32:
        return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
      case From::i64_to_f32:
        return std::bit_cast<std::uint32_t>(static_cast<float>(std::int64_t(bits)));
      case From::i64_to_f64:
        return std::bit_cast<std::uint64_t>(static_cast<double>(std::int64_t(bits)));
      default:
        return bits;
    }
  }

  static_assert(std::is_trivially_destructible_v<TensorView>);
  alignas(TensorView) std::byte storage_[sizeof(TensorView) * max_arguments];  // uninitialised beyond the count
  Call call_;
};

JitFunction::State step_state(const JitFunction::State& function, std::shared_ptr<LoadedTemplate> loaded,
                              const Step& step, bool main) {
  JitFunction::State state;
  state.jit = function.jit;
  state.loaded = std::move(loaded);
  state.first = step.first;
  state.is_step = true;
  if (main && !function.settings.empty()) {
    state.flavour.pinned =
        config_with(state.loaded->source->info, settings_over(function.op->op->name(), step, function.settings));
    const std::lock_guard lock(state.loaded->mutex);
    auto& flavours = state.loaded->flavours;
    const auto next = std::uint32_t(flavours.size() + 1);
    state.flavour_id = flavours.try_emplace(state.flavour.text(), next).first->second;
  }
  return state;
}

void launch_step(Jit::State& jit, const PreparedStep& step, const Call& call, CUstream stream, DevicePointer workspace,
                 bool follows = false) {
  const Prepared& prepared = *step.prepared;
  if (!prepared.loaded) return;
  prepared.loaded->last_used.store(step.loaded->kernels.now(), std::memory_order_relaxed);
  const StepCall step_call(step.tensors, step.scalars, call, workspace);
  launch(jit.driver(), prepared.loaded->kernel, prepared.grid,
         {step_call.call().tensors(), prepared.sizes, step_call.call().scalars(), prepared.maps, follows}, stream,
         prepared.cluster);
}

/// So that nothing a trial reads is memory that nobody wrote.
void clear(Jit::State& jit, const Workspace& workspace, CUstream stream) {
  if (workspace.bytes() == 0) return;
  jit.driver().check(jit.driver().call.cuMemsetD8Async(workspace.address(), 0, workspace.bytes(), stream),
                     "cuMemsetD8Async");
}

/// Before a plan names its steps' tensors, which the caller knows nothing of.
void check_alignments(const Template& declared, const Call& call) {
  std::size_t tensor = 0;
  for (const ArgumentInfo& info : declared.info.arguments) {
    if (info.kind != ArgumentInfo::Kind::tensor) continue;
    const TensorView& view = *call.tensors()[tensor++];
    if (view.present() && view.elements() > 0) alignment_class(view.problem(), declared.name + ": " + info.name);
  }
}

/// Whether a step leaves the caller's tensors alone.
bool writes_workspace_alone(const PreparedStep& step) {
  std::size_t tensor = 0;
  for (const ArgumentInfo& info : step.loaded->source->info.arguments) {
    if (info.kind != ArgumentInfo::Kind::tensor) continue;
    if (step.tensors[tensor++].argument >= 0 && info.access != Access::read) return false;
  }
  return true;
}

}  // namespace

std::shared_ptr<const PreparedPlan> settle_plan(const JitFunction::State& function, const Signature& signature,
                                                const Call& call, CUstream stream) {
  LoadedOp& loaded = *function.op;
  Jit::State& jit = *function.jit;
  const std::lock_guard lock(loaded.mutex);
  if (std::shared_ptr<const PreparedPlan> known = loaded.plans.find(signature)) return known;

  check_alignments(loaded.op->declared(), call);
  Plan plan = loaded.op->plan(call, {jit.own_templates(), jit.device.target(), jit.device.name()});
  loaded.op->check_aliases(call);  // before anything is compiled or run
  auto prepared = std::make_shared<PreparedPlan>();
  prepared->allocations = std::vector<LastAllocation>(call.pointer_count());
  check_pointers(*jit.device.state(), loaded.op->declared(), call, prepared->allocations);

  // Tuning runs the steps, each on what those before it leave in the workspace.
  const bool runs = *jit.options.tuning != Tuning::off && !is_capturing(jit.driver(), stream);
  const Workspace workspace(jit.device.state(), jit.options.allocator, runs ? plan.workspace_bytes : 0, stream);
  clear(jit, workspace, stream);
  const DevicePointer start = workspace.bytes() > 0 ? workspace.address() : no_workspace;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    Step& step = plan.steps[i];
    const JitFunction::State state = step_state(function, jit.loaded_template(step.kernel), step, i == plan.main);
    const StepCall step_call(step.tensors, step.scalars, call, start);
    std::shared_ptr<const Prepared> settled =
        settle(state, Signature(state.flavour_id, step_call.call().tensors()), step_call.call(), stream);
    prepared->steps.push_back({state.loaded, std::move(settled), std::move(step.tensors), std::move(step.scalars)});
    if (workspace.bytes() > 0 && writes_workspace_alone(prepared->steps.back()))
      launch_step(jit, prepared->steps.back(), call, stream, start);
  }
  prepared->signature.assign(signature.words().begin(), signature.words().end());
  prepared->workspace_bytes = plan.workspace_bytes;
  prepared->main = plan.main;
  loaded.plans.insert(signature, prepared);
  return prepared;
}

std::shared_ptr<const PreparedPlan> plan_for(const JitFunction::State& function, const Call& call, CUstream stream) {
  LoadedOp& loaded = *function.op;
  Signature signature(function.flavour_id, call.tensors(), call.in_memory);
  signature.add(loaded.op->key(call));
  std::shared_ptr<const PreparedPlan> plan = loaded.plans.find(signature);
  if (!plan) plan = settle_plan(function, signature, call, stream);
  loaded.op->check_aliases(call);
  check_pointers(*function.jit->device.state(), loaded.op->declared(), call, plan->allocations);
  return plan;
}

void launch_plan(const JitFunction::State& function, const PreparedPlan& plan, const Call& call, CUstream stream,
                 DevicePointer workspace) {
  Jit::State& jit = *function.jit;
  std::optional<Workspace> own;
  if (workspace == 0 && plan.workspace_bytes > 0) {
    own.emplace(jit.device.state(), jit.options.allocator, plan.workspace_bytes, stream);
    workspace = own->address();
    if (workspace % 16 != 0) {
      throw InvalidArgument(fmt::format("{}: Options::allocator gave 0x{:x}, which is not aligned to 16 bytes",
                                        function.op->op->name(), workspace));
    }
  }
  const bool overlaps = jit.device.target().has("cluster");  // from sm_90 on
  bool follows = false;
  for (const PreparedStep& step : plan.steps) {
    launch_step(jit, step, call, stream, workspace, follows);
    follows = follows || (overlaps && step.prepared->loaded);  // a step without programs launches nothing
  }
}

DevicePointer workspace_in(const JitFunction::State& function, const PreparedPlan& plan, const Call& call,
                           const TensorView& workspace) {
  const Op& op = *function.op->op;
  const auto refuse = [&](const std::string& why) {
    throw InvalidArgument(fmt::format("{}: the workspace {} {}", op.name(), workspace.to_string(), why));
  };
  if (plan.workspace_bytes == 0) return 0;
  if (!workspace.present() || !workspace.is_contiguous()) refuse("must be contiguous");
  const std::size_t bytes = std::size_t(workspace.elements()) * size_of(workspace.dtype());
  if (bytes < plan.workspace_bytes) refuse(fmt::format("has {} bytes, {} are needed", bytes, plan.workspace_bytes));
  const auto address = reinterpret_cast<DevicePointer>(workspace.data());
  if (address % 16 != 0) refuse(fmt::format("lies at 0x{:x}, which is not aligned to 16 bytes", address));
  const TensorView used(workspace.data(), DType::u8, {std::int64_t(plan.workspace_bytes)});
  check_pointer(*function.jit->device.state(), op.name(), "the workspace", used, plan.workspace);
  std::size_t tensor = 0;
  for (const ArgumentInfo& info : op.declared().info.arguments) {
    if (info.kind != ArgumentInfo::Kind::tensor) continue;
    const TensorView& view = *call.tensors()[tensor++];
    if (!view.present()) continue;
    if (const Overlap found = overlap(used, view); found != Overlap::no)
      refuse(fmt::format("{} {}", found == Overlap::yes ? "overlaps" : "may overlap", info.name));
  }
  return address;
}

std::vector<std::string> with_main_step(
    const JitFunction::State& function, std::span<const Argument> args, CUstream stream, bool runs,
    const std::function<void(const JitFunction::State& step, const Call& call)>& use) {
  Jit::State& jit = *function.jit;
  const Op& op = *function.op->op;
  Call call;
  op.read(args, call);
  check_alignments(op.declared(), call);
  const Plan plan = op.plan(call, {jit.own_templates(), jit.device.target(), jit.device.name()});
  op.check_aliases(call);
  std::vector<std::string> words = plan.notes;
  for (std::size_t i = 0; i < plan.steps.size(); ++i)
    words.push_back(fmt::format("step {}: {}{}", i, plan.steps[i].kernel->name, i == plan.main ? " (main)" : ""));
  if (plan.steps.empty()) return words;
  if (runs) {
    std::vector<LastAllocation> nothing_known(call.pointer_count());
    check_pointers(*jit.device.state(), op.declared(), call, nothing_known);
  }
  const Workspace workspace(jit.device.state(), jit.options.allocator, runs ? plan.workspace_bytes : 0, stream);
  clear(jit, workspace, stream);
  for (std::size_t i = 0; i < plan.main && workspace.bytes() > 0; ++i) {  // what the main step reads there
    const Step& before = plan.steps[i];
    const JitFunction::State state = step_state(function, jit.loaded_template(before.kernel), before, false);
    const StepCall before_call(before.tensors, before.scalars, call, workspace.address());
    const PreparedStep prepared{
        state.loaded,
        settle(state, Signature(state.flavour_id, before_call.call().tensors()), before_call.call(), stream),
        before.tensors, before.scalars};
    if (writes_workspace_alone(prepared)) launch_step(jit, prepared, call, stream, workspace.address());
  }
  const Step& step = plan.steps.at(plan.main);
  const StepCall step_call(step.tensors, step.scalars, call,
                           workspace.bytes() > 0 ? workspace.address() : no_workspace);
  use(step_state(function, jit.loaded_template(step.kernel), step, true), step_call.call());
  return words;
}

}  // namespace tilejit
