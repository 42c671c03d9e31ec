#include <tilejit/runtime/jit.h>

#include <tilejit/runtime/jit_state.h>
#include <tilejit/runtime/ops/loaded_op.h>
#include <tilejit/runtime/ops/ops.h>

namespace tilejit {

Jit::State::State(const Device& device_, const Options& options_)
    : device(device_),
      options(options_),
      log("tilejit.jit", {*options.log_level, options.log}),
      tuning_log("tilejit.tuning", {*options.log_level, options.log}),
      progress_log("tilejit.progress", {*options.log_level, options.log}),
      nvrtc(options.nvrtc.value_or("")),
      store(
          {.root = options.cache_root.value_or(""), .log = Logger("tilejit.cache", {*options.log_level, options.log})}),
      tuning(store) {
  if (options.max_variants < 1) {
    throw InvalidArgument("Options::max_variants is " + std::to_string(options.max_variants) + "; at least 1");
  }
  for (const EmbeddedTemplates& embedded : options.templates) library.add(embedded);
  for (const std::string& path : options.template_paths) library.add_path(path);
}

std::shared_ptr<LoadedTemplate> Jit::State::loaded_template(std::string_view name) {
  return loaded_template(library.get(name));
}

std::shared_ptr<LoadedTemplate> Jit::State::loaded_template(std::shared_ptr<const Template> source) {
  std::string key = source->name + '\0' + source->file.name + '\0' + source->file.text;
  for (const auto& [name, value] : source->info.default_config) key += '\0' + name + '=' + std::to_string(value);
  const std::lock_guard lock(mutex);
  std::shared_ptr<LoadedTemplate>& loaded = templates[std::move(key)];
  if (!loaded) loaded = std::make_shared<LoadedTemplate>(std::move(source), options.max_variants);
  return loaded;
}

const TemplateLibrary& Jit::State::own_templates() {
  const std::lock_guard lock(mutex);
  if (!own_) own_.emplace();
  return *own_;
}

namespace {

/// `make` gives the op where `key` was not asked for yet; null: there is none.
template <class Make>
std::shared_ptr<LoadedOp> loaded_op(Jit::State& jit, std::string key, Make make) {
  const std::lock_guard lock(jit.mutex);
  const auto found = jit.ops.find(key);
  if (found != jit.ops.end()) return found->second;
  std::shared_ptr<const Op> op = make();
  if (!op) return nullptr;
  return jit.ops.emplace(std::move(key), std::make_shared<LoadedOp>(std::move(op))).first->second;
}

JitFunction function_of(const std::shared_ptr<Jit::State>& jit, std::shared_ptr<LoadedOp> op) {
  auto function = std::make_shared<JitFunction::State>();
  function->jit = jit;
  function->op = std::move(op);
  return JitFunction(std::move(function));
}

}  // namespace

Jit::Jit(const Device& device, const Options& options)
    : state_(std::make_shared<State>(device, Options::resolve(options))) {}

JitFunction Jit::function(std::string_view name) const {
  // A template of the user's own goes before an op of its name.
  if (!state_->library.has(name) || state_->library.is_own(name)) {
    if (std::shared_ptr<LoadedOp> op = loaded_op(*state_, std::string(name), [&] { return op_named(name); }))
      return function_of(state_, std::move(op));
  }
  if (name == "elementwise" && !state_->library.has(name))
    throw InvalidArgument("elementwise wants a formula: Jit::elementwise(\"out = gelu(x * alpha + bias)\")");
  check_known(name, state_->library);
  return template_function(name);
}

JitFunction Jit::template_function(std::string_view name) const {
  auto function = std::make_shared<JitFunction::State>();
  function->jit = state_;
  function->loaded = state_->loaded_template(name);
  return JitFunction(std::move(function));
}

JitFunction Jit::elementwise(std::string_view formula) const {
  return function_of(
      state_, loaded_op(*state_, "elementwise " + std::string(formula), [&] { return elementwise_op(formula); }));
}

const Device& Jit::device() const { return state_->device; }
const TemplateLibrary& Jit::templates() const { return state_->library; }

Jit::Counters Jit::counters() const {
  return {state_->nvrtc.compiles(), state_->cache_hits, state_->loads, state_->tunings, state_->trials};
}

}  // namespace tilejit
