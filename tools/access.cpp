#include <CLI/CLI.hpp>
#include <memory>

#include <tilejit/runtime/device_state.h>
#include <tilejit/runtime/jit.h>
#include <tilejit/tools/access_report.h>
#include <tilejit/tools/call.h>
#include <tilejit/tools/device_call.h>
#include <tilejit/tools/failure.h>
#include <tilejit/tools/op_call.h>
#include <tilejit/tools/output.h>
#include <tilejit/tools/subcommands.h>

namespace tilejit::tool {
namespace {

struct AccessOptions {
  CallText call;
  std::uint64_t seed = 0;
  bool per_line = false, json = false;
};

/// What was typed; where nothing was and the default does not fit, the first Config that does, as in a call that was
/// not tuned.
std::vector<std::pair<std::string, std::int64_t>> settings_for(const Call& call, const Target& target) {
  const ProblemScope scope(*call.kernel, call.problem, call.config, target);
  if (!call.settings.empty() || why_not(*call.kernel, scope, call.config, target).empty()) return call.settings;
  const std::vector<Config> others = candidates(*call.kernel, call.problem, target);
  return others.empty() ? call.settings : settings_of(others.front());
}

int access(const AccessOptions& typed) {
  Options options = Options::resolve();
  for (const std::string& path : template_paths_of(typed.call)) options.template_paths.push_back(path);
  options.tuning = Tuning::off;
  const TemplateLibrary library = library_of(options, {});
  refuse_op(typed.call, library, "access", "sm_90");
  const Call call = resolve(typed.call, library);
  const Device device = Device::open(DeviceKind::emulated, 0, options);
  const Jit jit(device, options);
  JitFunction function = jit.template_function(call.kernel->name).with_config(settings_for(call, device.target()));
  for (const std::string& name : typed.call.fix_strides) function = function.fix_strides(name);

  const Stream stream = device.stream();
  const DeviceCall on_device(call, device, images_of(call, typed.seed, Poison::actual));
  const Driver& driver = *device.state()->driver;
  start_counting(driver);
  function.call(stream, on_device.arguments());
  stream.synchronize();
  const AccessReport report = access_report(driver, call.kernel->name + "_kernel", call.kernel->file.name);
  print(typed.json ? to_json(report) : to_text(report, typed.per_line));
  return fine;
}

}  // namespace

void add_access(CLI::App& app, Action& action) {
  const auto typed = std::make_shared<AccessOptions>();
  CLI::App* command = app.add_subcommand(
      "access", "Count what a call asks of memory, on the emulated device: requests, sectors, conflicts");
  add_call_options(*command, typed->call);
  add_seed_option(*command, typed->seed);
  command->add_flag("--per-line", typed->per_line, "Summed up by the template's source lines");
  command->add_flag("--json", typed->json, "As JSON: by instruction and by line");
  command->callback([typed, &action] { action = [typed] { return access(*typed); }; });
}

}  // namespace tilejit::tool
