#include <tilejit/runtime/jit_function.h>

#include <fmt/format.h>

#include <tilejit/generator/build.h>
#include <tilejit/runtime/capture.h>
#include <tilejit/runtime/jit_state.h>
#include <tilejit/runtime/launch.h>
#include <tilejit/runtime/ops/op_call.h>
#include <tilejit/runtime/settle.h>

namespace tilejit {
namespace {

void launch_prepared(const JitFunction::State& function, const Prepared& prepared, const Call& call, CUstream stream) {
  if (!prepared.loaded) return;
  prepared.loaded->last_used.store(function.loaded->kernels.now(), std::memory_order_relaxed);
  launch(function.jit->driver(), prepared.loaded->kernel, prepared.grid,
         {call.tensors(), prepared.sizes, call.scalars(), prepared.maps}, stream, prepared.cluster);
}

TuningResult tune_template(const JitFunction::State& function, const Call& call, CUstream stream) {
  if (function.flavour.programs) {
    throw InvalidArgument(fmt::format("{}: a grid of the caller's is not tuned; tune the function without it",
                                      function.loaded->source->name));
  }
  const std::lock_guard lock(function.loaded->mutex);
  const Situation situation = situation_of(function, call, stream);
  if (!function.is_step) check_overlap(situation.kernel(), call);
  if (is_capturing(function.jit->driver(), stream)) {
    throw NotPrepared(
        fmt::format("{}: the stream is capturing; tune before the capture begins", situation.kernel().name));
  }
  Prepared nothing_known;
  nothing_known.allocations = std::vector<LastAllocation>(call.pointer_count());
  check_pointers(function, call, nothing_known);
  TuningResult result = run_tuning(situation);
  function.loaded->dispatch.clear();  // what was settled with another result
  return result;
}

JitFunction::Choice choice_of_template(const JitFunction::State& function, const Call& call) {
  const std::lock_guard lock(function.loaded->mutex);
  const Situation situation = situation_of(function, call, nullptr);
  if (std::optional<JitFunction::Choice> stored = stored_choice(situation)) return *stored;
  const char* const why = why_never_tuned(function);
  return default_choice(situation, why != nullptr ? why : "default: not tuned yet");
}

ObjectCode object_code_of_template(const JitFunction::State& function, const Call& call) {
  const JitFunction::Choice chosen = choice_of_template(function, call);
  const std::lock_guard lock(function.loaded->mutex);
  const Situation situation = situation_of(function, call, nullptr);
  Specialization specialization = specialize(situation.kernel(), situation.problem, chosen.config,
                                             grid_for(situation, chosen.config).folded, function.flavour.fixed);
  specialization.debug = function.flavour.debug;
  return build(situation.kernel(), specialization, situation.target(), function.jit->nvrtc, function.jit->store).object;
}

void refuse_for_op(const JitFunction::State& function, const char* what) {
  if (!function.op) return;
  throw InvalidArgument(fmt::format("{} is an op: {} is for templates", function.op->op->name(), what));
}

std::size_t tensor_index(const Template& kernel, std::string_view argument) {
  std::size_t index = 0;
  for (const ArgumentInfo& info : kernel.info.arguments) {
    if (info.kind != ArgumentInfo::Kind::tensor) continue;
    if (info.name == argument) return index;
    ++index;
  }
  throw InvalidArgument(fmt::format("{} has no tensor argument {}", kernel.name, argument));
}

std::shared_ptr<const JitFunction::State> with_flavour(const JitFunction::State& from, Flavour flavour) {
  auto state = std::make_shared<JitFunction::State>(from);
  state->flavour = std::move(flavour);
  const std::lock_guard lock(state->loaded->mutex);
  auto& flavours = state->loaded->flavours;
  const auto next = std::uint32_t(flavours.size() + 1);
  state->flavour_id = flavours.try_emplace(state->flavour.text(), next).first->second;
  return state;
}

std::shared_ptr<const JitFunction::State> with_settings(
    const JitFunction::State& from, const std::vector<std::pair<std::string, std::int64_t>>& settings) {
  auto state = std::make_shared<JitFunction::State>(from);
  state->settings = settings;
  std::string text;
  for (const auto& [name, value] : settings) text += fmt::format("{}={} ", name, value);
  const std::lock_guard lock(state->op->mutex);
  auto& flavours = state->op->flavours;
  const auto next = std::uint32_t(flavours.size() + 1);
  state->flavour_id = settings.empty() ? 0 : flavours.try_emplace(text, next).first->second;
  return state;
}

Flavour with_strides(const JitFunction::State& function, std::string_view argument, std::vector<std::int64_t> strides) {
  const Template& kernel = *function.loaded->source;
  const std::size_t index = tensor_index(kernel, argument);
  Flavour flavour = function.flavour;
  flavour.fixed.tensors.resize(std::max(flavour.fixed.tensors.size(), index + 1));
  flavour.fixed.tensors[index] = std::move(strides);
  return flavour;
}

}  // namespace

const TensorView Argument::absent{};

std::string Flavour::text() const {
  std::string text;
  for (const auto& strides : fixed.tensors) {
    text += strides ? fmt::format("[{}]", fmt::join(*strides, ",")) : std::string("-");
  }
  if (pinned) text += " " + to_string(*pinned);
  if (programs) text += fmt::format(" grid {}", fmt::join(*programs, ","));
  if (debug) text += " debug";
  return text;
}

JitFunction::JitFunction(std::shared_ptr<const State> state) : state_(std::move(state)) {}
JitFunction::~JitFunction() = default;
JitFunction::JitFunction(const JitFunction&) = default;
JitFunction& JitFunction::operator=(const JitFunction&) = default;

void JitFunction::call(StreamRef stream, std::span<const Argument> args) const {
  const State& function = *state_;
  Call call;
  if (function.op) {
    function.op->op->read(args, call);
    const CurrentContext current(function.jit->driver(), function.jit->device.context());
    launch_plan(function, *plan_for(function, call, stream.handle()), call, stream.handle(), 0);
    return;
  }
  read_arguments(*function.loaded->source, args, call);
  const Signature signature(function.flavour_id, call.tensors(), call.in_memory);
  const CurrentContext current(function.jit->driver(), function.jit->device.context());
  {
    const Dispatch::Reader reader(function.loaded->dispatch);
    if (const Prepared* prepared = reader.find(signature)) {
      check_overlap(*function.loaded->source, call);
      check_pointers(function, call, *prepared);
      launch_prepared(function, *prepared, call, stream.handle());
      return;
    }
  }
  const std::shared_ptr<const Prepared> prepared = settle(function, signature, call, stream.handle());
  launch_prepared(function, *prepared, call, stream.handle());
}

void JitFunction::prepare_call(StreamRef stream, std::span<const Argument> args) const {
  Call call;
  if (state_->op) {
    state_->op->op->read(args, call);
    const CurrentContext current(state_->jit->driver(), state_->jit->device.context());
    plan_for(*state_, call, stream.handle());
    return;
  }
  read_arguments(*state_->loaded->source, args, call);
  const CurrentContext current(state_->jit->driver(), state_->jit->device.context());
  settle(*state_, Signature(state_->flavour_id, call.tensors(), call.in_memory), call, stream.handle());
}

// What is asked of an op is asked of the step that moves the most.

TuningResult JitFunction::tune_call(StreamRef stream, std::span<const Argument> args) const {
  Call call;
  const CurrentContext current(state_->jit->driver(), state_->jit->device.context());
  if (!state_->op) {
    read_arguments(*state_->loaded->source, args, call);
    return tune_template(*state_, call, stream.handle());
  }
  TuningResult result;
  result.launches = false;
  with_main_step(*state_, args, stream.handle(), true, [&](const State& step, const Call& step_call) {
    result = tune_template(step, step_call, stream.handle());
  });
  state_->op->plans.clear();
  return result;
}

JitFunction::Choice JitFunction::choice(std::span<const Argument> args) const {
  Call call;
  if (!state_->op) {
    read_arguments(*state_->loaded->source, args, call);
    return choice_of_template(*state_, call);
  }
  Choice chosen{{}, "nothing to launch"};
  std::vector<std::string> plan =
      with_main_step(*state_, args, nullptr, false,
                     [&](const State& step, const Call& step_call) { chosen = choice_of_template(step, step_call); });
  chosen.plan = std::move(plan);
  return chosen;
}

ObjectCode JitFunction::object_code(std::span<const Argument> args) const {
  Call call;
  if (!state_->op) {
    read_arguments(*state_->loaded->source, args, call);
    return object_code_of_template(*state_, call);
  }
  ObjectCode object;
  with_main_step(*state_, args, nullptr, false,
                 [&](const State& step, const Call& step_call) { object = object_code_of_template(step, step_call); });
  return object;
}

JitFunction JitFunction::fix_strides(std::string_view argument) const {
  refuse_for_op(*state_, "fix_strides");
  return JitFunction(with_flavour(*state_, with_strides(*state_, argument, {})));
}

JitFunction JitFunction::fix_strides(std::string_view argument, std::initializer_list<std::int64_t> strides) const {
  refuse_for_op(*state_, "fix_strides");
  return JitFunction(with_flavour(*state_, with_strides(*state_, argument, strides)));
}

JitFunction JitFunction::with_config(const std::vector<std::pair<std::string, std::int64_t>>& settings) const {
  if (state_->op) return JitFunction(with_settings(*state_, settings));
  Flavour flavour = state_->flavour;
  flavour.pinned = config_with(kernel_template().info, settings);
  return JitFunction(with_flavour(*state_, std::move(flavour)));
}

JitFunction JitFunction::with_grid(std::array<std::int64_t, 3> programs) const {
  refuse_for_op(*state_, "with_grid");
  Flavour flavour = state_->flavour;
  flavour.programs = programs;
  return JitFunction(with_flavour(*state_, std::move(flavour)));
}

JitFunction JitFunction::with_debug() const {
  refuse_for_op(*state_, "with_debug");
  Flavour flavour = state_->flavour;
  flavour.debug = true;
  return JitFunction(with_flavour(*state_, std::move(flavour)));
}

bool JitFunction::is_op() const { return state_->op != nullptr; }
const Template& JitFunction::kernel_template() const {
  return state_->op ? state_->op->op->declared() : *state_->loaded->source;
}
const std::string& JitFunction::name() const { return kernel_template().name; }

struct BoundLaunch::Impl {
  std::shared_ptr<const JitFunction::State> function;
  std::shared_ptr<const Prepared> prepared;  ///< of a template
  std::shared_ptr<const PreparedPlan> plan;  ///< of an op
  Config no_config;                          ///< of a plan without steps
  std::vector<TensorView> views;
  Call call;
};

BoundLaunch::BoundLaunch(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
BoundLaunch::BoundLaunch(BoundLaunch&&) noexcept = default;
BoundLaunch& BoundLaunch::operator=(BoundLaunch&&) noexcept = default;
BoundLaunch::~BoundLaunch() = default;

void BoundLaunch::operator()(StreamRef stream) const {
  if (!impl_) throw InvalidArgument("a BoundLaunch that was moved from");
  const JitFunction::State& function = *impl_->function;
  const CurrentContext current(function.jit->driver(), function.jit->device.context());
  if (impl_->plan) {
    launch_plan(function, *impl_->plan, impl_->call, stream.handle(), 0);
  } else {
    launch_prepared(function, *impl_->prepared, impl_->call, stream.handle());
  }
}

void BoundLaunch::operator()(StreamRef stream, const TensorView& workspace) const {
  if (!impl_) throw InvalidArgument("a BoundLaunch that was moved from");
  if (workspace_bytes() == 0) return (*this)(stream);
  const JitFunction::State& function = *impl_->function;
  const CurrentContext current(function.jit->driver(), function.jit->device.context());
  launch_plan(function, *impl_->plan, impl_->call, stream.handle(),
              workspace_in(function, *impl_->plan, impl_->call, workspace));
}

std::size_t BoundLaunch::workspace_bytes() const { return impl_->plan ? impl_->plan->workspace_bytes : 0; }

const Config& BoundLaunch::config() const {
  if (!impl_->plan) return impl_->prepared->specialization.config;
  const std::vector<PreparedStep>& steps = impl_->plan->steps;
  return steps.empty() ? impl_->no_config : steps[impl_->plan->main].prepared->specialization.config;
}

BoundLaunch JitFunction::bind_call(StreamRef stream, std::span<const Argument> args) const {
  auto bound = std::make_unique<BoundLaunch::Impl>();
  bound->function = state_;
  if (state_->op) {
    state_->op->op->read(args, bound->call);
  } else {
    read_arguments(*state_->loaded->source, args, bound->call);
  }
  for (const TensorView* view : bound->call.tensors()) bound->views.push_back(*view);
  const std::size_t tensors = bound->views.size();
  for (int i = 0; i < bound->call.scalar_count; ++i) {
    if (bound->call.is_in_memory(i)) bound->views.push_back(*bound->call.scalar_view_storage[i]);
  }
  for (std::size_t i = 0; i < tensors; ++i) bound->call.tensor_storage[i] = &bound->views[i];
  for (std::size_t i = tensors, k = 0; i < bound->views.size(); ++k) {
    if (bound->call.is_in_memory(static_cast<int>(k))) bound->call.scalar_view_storage[k] = &bound->views[i++];
  }
  const CurrentContext current(state_->jit->driver(), state_->jit->device.context());
  if (state_->op) {
    bound->plan = plan_for(*state_, bound->call, stream.handle());
    return BoundLaunch(std::move(bound));
  }
  check_overlap(*state_->loaded->source, bound->call);
  bound->prepared = settle(*state_, Signature(state_->flavour_id, bound->call.tensors(), bound->call.in_memory),
                           bound->call, stream.handle());
  return BoundLaunch(std::move(bound));
}

}  // namespace tilejit
