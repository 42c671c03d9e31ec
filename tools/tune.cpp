#include <CLI/CLI.hpp>
#include <memory>

#include <tilejit/runtime/jit.h>
#include <tilejit/tools/call.h>
#include <tilejit/tools/device_call.h>
#include <tilejit/tools/failure.h>
#include <tilejit/tools/messages.h>
#include <tilejit/tools/op_call.h>
#include <tilejit/tools/output.h>
#include <tilejit/tools/subcommands.h>
#include <tilejit/tools/tuning_report.h>

namespace tilejit::tool {
namespace {

struct TuneOptions {
  CallText call;
  std::string device;
  std::uint64_t seed = 0;
  bool json = false;
};

int tune(const TuneOptions& typed) {
  Messages messages;
  Options options = Options::resolve();
  messages.listen(options, false);
  for (const std::string& path : template_paths_of(typed.call)) options.template_paths.push_back(path);
  // What was typed is checked first, also where there is no device.
  const TemplateLibrary library = library_of(options, {});
  const std::optional<OpCall> op = resolve_op(typed.call, library);
  const Call call = op ? op->call : resolve(typed.call, library);
  if (!call.settings.empty()) throw InvalidArgument("--set: tune tries every Config; run takes one");

  const Device device = Device::open(device_kind_of(typed.device), 0, options);
  const Jit jit(device, options);
  JitFunction function = op ? function_of(jit, *op) : jit.template_function(call.kernel->name);
  for (const std::string& name : typed.call.fix_strides) function = function.fix_strides(name);

  const Stream stream = device.stream();
  const DeviceCall on_device(call, device, images_of(call, typed.seed, Poison::actual));
  const TuningResult result = function.tune_call(stream, on_device.arguments());
  const TuningScene scene{call.kernel->name, device.name(), device.is_emulated()};
  print(typed.json ? to_json(scene, result) : to_text(scene, result));
  return result.measurements.empty() && result.launches ? failed : fine;
}

}  // namespace

void add_tune(CLI::App& app, Action& action) {
  const auto typed = std::make_shared<TuneOptions>();
  CLI::App* command = app.add_subcommand("tune", "Try every Config of a call on a device and keep the best");
  add_call_options(*command, typed->call);
  add_device_option(*command, typed->device);
  add_seed_option(*command, typed->seed);
  command->add_flag("--json", typed->json, "As JSON");
  command->callback([typed, &action] { action = [typed] { return tune(*typed); }; });
}

}  // namespace tilejit::tool
