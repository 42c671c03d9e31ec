#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>

#include <tilejit/runtime/jit.h>
#include <tilejit/tools/call.h>
#include <tilejit/tools/check.h>
#include <tilejit/tools/device_call.h>
#include <tilejit/tools/failure.h>
#include <tilejit/tools/messages.h>
#include <tilejit/tools/op_call.h>
#include <tilejit/tools/output.h>
#include <tilejit/tools/product_call.h>
#include <tilejit/tools/ptx_report.h>
#include <tilejit/tools/run_report.h>
#include <tilejit/tools/subcommands.h>

namespace tilejit::tool {
namespace {

struct RunOptions {
  CallText call;
  std::string device;
  std::vector<std::int64_t> grid;
  std::uint64_t seed = 0;
  int repeat = 10;
  bool explain = false, check = false, json = false;
};

std::optional<std::int64_t> cost(const std::optional<Expression>& expression, const ProblemScope& scope) {
  if (!expression) return std::nullopt;
  return expression->evaluate(scope.scope());
}

std::array<std::int64_t, 3> programs_of(const std::vector<std::int64_t>& typed) {
  std::array<std::int64_t, 3> programs{1, 1, 1};
  std::copy(typed.begin(), typed.end(), programs.begin());
  return programs;
}

JitFunction template_function(const Jit& jit, const CallText& typed, const Call& call) {
  JitFunction function = jit.template_function(call.kernel->name);
  for (const std::string& name : typed.fix_strides) function = function.fix_strides(name);
  return call.settings.empty() ? function : function.with_config(call.settings);
}

int run(const RunOptions& typed) {
  Messages messages;
  Options options = Options::resolve();
  for (const std::string& path : template_paths_of(typed.call)) options.template_paths.push_back(path);
  messages.listen(options, typed.explain);

  // What was typed is checked first, also where there is no device.
  const TemplateLibrary library = library_of(options, {});
  std::optional<OpCall> op = resolve_op(typed.call, library);
  if (op && !typed.grid.empty()) throw InvalidArgument("--grid: an op has no grid of its own");
  const Call call = op ? op->call : resolve(typed.call, library);

  const Device device = Device::open(device_kind_of(typed.device), 0, options);
  const Jit jit(device, options);
  JitFunction function = op ? function_of(jit, *op) : template_function(jit, typed.call, call);
  if (typed.call.debug) function = function.with_debug();
  if (!typed.grid.empty()) function = function.with_grid(programs_of(typed.grid));

  const Stream stream = device.stream();
  const DeviceCall on_device(call, device, images_of(call, typed.seed, Poison::actual));
  function.call(stream, on_device.arguments());
  std::vector<Image> actual;
  if (typed.check) actual = on_device.images(stream);
  stream.synchronize();

  RunReport report;
  report.template_name = call.kernel->name;
  report.device = device.name();
  report.emulated = device.is_emulated();
  report.choice = function.choice(on_device.arguments());
  report.counters = jit.counters();
  report.messages = messages.lines();
  std::string arithmetic;
  if (op) {
    report.bytes = bytes_of(call);
    if (const std::optional<ProductCall> product = product_of(*op)) {
      report.bytes = product->bytes;
      report.flops = product->flops;
      arithmetic = product->arithmetic;
    }
  } else {
    const ProblemScope scope(*call.kernel, call.problem, report.choice.config, device.target());
    report.bytes = cost(call.kernel->info.cost_bytes, scope);
    report.flops = cost(call.kernel->info.cost_flops, scope);
    if (!call.problem.tensors.empty()) arithmetic = name_of(call.problem.tensors[0].dtype);
  }
  if (report.bytes.value_or(0) > 0 && report.flops.value_or(0) > 0 && !arithmetic.empty()) {
    const bool tensor_cores = uses_tensor_cores(function.object_code(on_device.arguments()));
    report.roofline = roofline(peak_of(arithmetic, tensor_cores), *report.bytes, *report.flops, device.target().arch);
  }
  if (!device.is_emulated() && typed.repeat > 0) {
    const BoundLaunch bound = function.bind_call(stream, on_device.arguments());
    report.timing = time_launches(device, stream, bound, typed.repeat);
  }
  if (typed.check) {
    if (op) {
      const Expected expected = expected_of_op(*op, typed.seed);
      report.check = check_against(call, typed.seed, &expected, std::move(actual));
    } else {
      report.check = check_of(call, typed.seed, jit, options, stream, report.choice.config, std::move(actual));
    }
  }
  print(typed.json ? to_json(report) : to_text(report, typed.explain));
  return report.check && !report.check->good() ? failed : fine;
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  const auto typed = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Run a call on a device, on random data; time it, check it");
  add_call_options(*command, typed->call);
  add_debug_option(*command, typed->call);
  add_device_option(*command, typed->device);
  command->add_option("--grid", typed->grid, "Programs along x, y, z instead of what the template says")
      ->delimiter(',')
      ->expected(1, 3)
      ->allow_extra_args(false)
      ->type_name("X,Y,Z");
  add_seed_option(*command, typed->seed);
  command->add_option("--repeat", typed->repeat, "Timed launches; 0 times nothing")
      ->check(CLI::Range(0, 10000))
      ->capture_default_str()
      ->type_name("N");
  command->add_flag("--check", typed->check, "Compare every element with a reference, and look for stray writes");
  command->add_flag("--explain", typed->explain, "Which Config and why, what was compiled and what caused it");
  command->add_flag("--json", typed->json, "As JSON");
  command->callback([typed, &action] { action = [typed] { return run(*typed); }; });
}

}  // namespace tilejit::tool
