#include <tilejit/runtime/jit.h>

#include <tilejit/runtime/jit_state.h>

namespace tilejit {

Jit::State::State(const Device& device_, const Options& options_)
    : device(device_),
      options(options_),
      log("tilejit.jit", {*options.log_level, options.log}),
      tuning_log("tilejit.tuning", {*options.log_level, options.log}),
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
  std::shared_ptr<const Template> source = library.get(name);
  const std::lock_guard lock(mutex);
  std::shared_ptr<LoadedTemplate>& loaded = templates[source->name];
  if (!loaded) loaded = std::make_shared<LoadedTemplate>(std::move(source), options.max_variants);
  return loaded;
}

Jit::Jit(const Device& device, const Options& options)
    : state_(std::make_shared<State>(device, Options::resolve(options))) {}

JitFunction Jit::function(std::string_view name) const {
  auto function = std::make_shared<JitFunction::State>();
  function->jit = state_;
  function->loaded = state_->loaded_template(name);
  return JitFunction(std::move(function));
}

const Device& Jit::device() const { return state_->device; }
const TemplateLibrary& Jit::templates() const { return state_->library; }

Jit::Counters Jit::counters() const {
  return {state_->nvrtc.compiles(), state_->cache_hits, state_->loads, state_->tunings, state_->trials};
}

}  // namespace tilejit
