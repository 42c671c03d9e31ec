#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>

#include <tilejit/runtime/jit.h>
#include <tilejit/tools/call.h>
#include <tilejit/tools/comparison.h>
#include <tilejit/tools/device_call.h>
#include <tilejit/tools/expected.h>
#include <tilejit/tools/failure.h>
#include <tilejit/tools/output.h>
#include <tilejit/tools/reference/element.h>
#include <tilejit/tools/subcommands.h>
#include <tilejit/tools/timing.h>

namespace tilejit::tool {
namespace {

using Json = nlohmann::ordered_json;

struct RunOptions {
  CallText call;
  std::string device;
  std::vector<std::int64_t> grid;
  std::uint64_t seed = 0;
  int repeat = 10;
  bool explain = false, check = false, json = false;
};

/// The library's messages from info on, kept for --explain; those that were to be seen anyway go to standard error too.
class Messages {
 public:
  LogSink sink(LogLevel seen) {
    return [this, seen](LogLevel level, std::string_view logger, std::string_view message) {
      const std::lock_guard lock(mutex_);
      lines_.push_back(fmt::format("{}: {}", logger, message));
      if (level < seen) return;
      const char* word = level < LogLevel::warning ? "info" : level == LogLevel::warning ? "warning" : "error";
      fmt::print(stderr, "{}: {}: {}\n", logger, word, message);
    };
  }
  std::vector<std::string> lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

/// What --check found.
struct Check {
  std::string source;  ///< empty: there was nothing to compare with
  std::vector<Comparison> tensors;
  bool good() const {
    return !source.empty() &&
           std::all_of(tensors.begin(), tensors.end(), [](const Comparison& one) { return one.good(); });
  }
};

/// Everything that a run has to tell.
struct Report {
  std::string device;
  bool emulated = false;
  JitFunction::Choice choice;
  Timing timing;
  std::optional<std::int64_t> bytes, flops;  ///< as [cost] says
  std::optional<Check> check;
  Jit::Counters counters{};
  std::vector<std::string> messages;
};

/// A result that was rounded to its dtype cannot be asked to be closer than that.
Tolerance tolerance_of(const FrontMatter& info, DType dtype) {
  if ((info.relative_tolerance == 0 && info.absolute_tolerance == 0) || !is_floating(dtype)) return {};
  return {std::max(info.relative_tolerance, epsilon_of(dtype)), info.absolute_tolerance};
}

Check check(const RunOptions& typed, const Call& call, const Jit& jit, const Options& options, StreamRef stream,
            const Config& ran, std::vector<Image> actual) {
  Check result;
  const std::vector<Image> before = images_of(call, typed.seed, Poison::actual);
  const auto expected = expected_of(call, typed.seed, jit, options, stream, ran);
  if (expected) result.source = expected->source;
  const FrontMatter& info = call.kernel->info;
  std::size_t next = 0;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const auto* tensor = std::get_if<TensorArgument>(&call.arguments[i]);
    if (!tensor) continue;
    const std::size_t at = next++;
    const Access access = info.arguments[i].access;
    Comparison comparison;
    comparison.tensor = tensor->name;
    if (access == Access::read) {
      comparison = compare(*tensor, false, actual[at], before[at], {});
    } else if (expected) {
      comparison = compare(*tensor, access == Access::write, actual[at], expected->images[at],
                           tolerance_of(info, tensor->dtype));
    }
    comparison.stray_bytes = stray_bytes(*tensor, before[at], actual[at]);
    if (access != Access::read || !comparison.good()) result.tensors.push_back(comparison);
  }
  return result;
}

std::optional<std::int64_t> cost(const std::optional<Expression>& expression, const ProblemScope& scope) {
  if (!expression) return std::nullopt;
  return expression->evaluate(scope.scope());
}

std::string duration(double milliseconds) {
  return milliseconds < 1 ? fmt::format("{:.2f} us", milliseconds * 1e3) : fmt::format("{:.4f} ms", milliseconds);
}

std::string rate_text(const Report& report) {
  std::string text;
  const double seconds = report.timing.median / 1e3;
  if (report.bytes) text += fmt::format(", {:.1f} GB/s", double(*report.bytes) / seconds / 1e9);
  if (report.flops && *report.flops > 0)
    text += fmt::format(", {:.2f} TFLOP/s", double(*report.flops) / seconds / 1e12);
  return text;
}

std::string text_of(const RunOptions& typed, const Call& call, const Report& report) {
  std::string text = fmt::format("{} on {}{}\nconfig  {}\n", call.kernel->name, report.device,
                                 report.emulated ? " (emulated)" : "", to_string(report.choice.config));
  if (report.timing.rounds > 0) {
    text += fmt::format("time    {}, median of {} ({} to {}), L2 cold{}\n", duration(report.timing.median),
                        report.timing.rounds, duration(report.timing.lowest), duration(report.timing.highest),
                        rate_text(report));
  } else if (report.emulated) {
    text += "time    not taken: an emulated device has none of its own\n";
  }
  if (typed.explain) {
    text += fmt::format("why     {}\n", report.choice.why);
    text += fmt::format("made    {} compiled, {} from the cache, {} loaded, {} tuned in {} trials\n",
                        report.counters.compiles, report.counters.cache_hits, report.counters.loads,
                        report.counters.tunings, report.counters.trials);
    for (const std::string& line : report.messages) text += fmt::format("log     {}\n", line);
  }
  if (report.check) {
    const Check& check = *report.check;
    text += fmt::format("check   {}: {}\n", check.good() ? "passed" : "FAILED",
                        check.source.empty() ? "nothing to compare with: no reference, and one Config only"
                                             : "against " + check.source);
    for (const Comparison& one : check.tensors) text += fmt::format("        {}\n", to_string(one));
    if (typed.explain) text += "        surroundings of every tensor looked at for stray writes\n";
  }
  return text;
}

Json json_of(const Comparison& one) {
  Json json{{"tensor", one.tensor}, {"elements", one.elements}, {"wrong", one.wrong}, {"unwritten", one.unwritten}};
  json["stray_bytes"] = one.stray_bytes;
  json["largest_error"] = one.largest_error;
  const auto first = [](const std::optional<Comparison::First>& place) {
    if (!place) return Json(nullptr);
    return Json{{"at", place->at}, {"actual", place->actual}, {"expected", place->expected}};
  };
  json["first_wrong"] = first(one.first_wrong);
  json["first_unwritten"] = first(one.first_unwritten);
  return json;
}

Json json_of(const Call& call, const Report& report) {
  Json json{{"format", "tilejit.run"}, {"version", 1}, {"template", call.kernel->name}};
  json["device"] = report.device;
  json["emulated"] = report.emulated;
  json["config"] = Json::parse(config_json(report.choice.config));
  json["why"] = report.choice.why;
  json["time"] = nullptr;
  if (report.timing.rounds > 0) {
    json["time"] = {{"median_ms", report.timing.median},
                    {"lowest_ms", report.timing.lowest},
                    {"highest_ms", report.timing.highest},
                    {"rounds", report.timing.rounds}};
  }
  json["bytes"] = report.bytes ? Json(*report.bytes) : Json(nullptr);
  json["flops"] = report.flops ? Json(*report.flops) : Json(nullptr);
  json["made"] = {{"compiled", report.counters.compiles},
                  {"from_cache", report.counters.cache_hits},
                  {"loaded", report.counters.loads},
                  {"tuned", report.counters.tunings},
                  {"trials", report.counters.trials}};
  json["check"] = nullptr;
  if (report.check) {
    json["check"] = {{"passed", report.check->good()}, {"against", report.check->source}, {"tensors", Json::array()}};
    for (const Comparison& one : report.check->tensors) json["check"]["tensors"].push_back(json_of(one));
  }
  json["log"] = report.messages;
  return json;
}

std::array<std::int64_t, 3> programs_of(const std::vector<std::int64_t>& typed) {
  std::array<std::int64_t, 3> programs{1, 1, 1};
  std::copy(typed.begin(), typed.end(), programs.begin());
  return programs;
}

int run(const RunOptions& typed) {
  Messages messages;
  Options options = Options::resolve();
  for (const std::string& path : template_paths_of(typed.call)) options.template_paths.push_back(path);
  if (typed.explain) {
    const LogLevel seen = options.log_level.value_or(LogLevel::warning);
    options.log_level = std::min(seen, LogLevel::info);
    options.log = messages.sink(seen);
  }

  // What was typed is checked first, also where there is no device.
  const Call call = resolve(typed.call, library_of(options, {}));

  const Device device = Device::open(device_kind_of(typed.device), 0, options);
  const Jit jit(device, options);
  JitFunction function = jit.function(call.kernel->name);
  for (const std::string& name : typed.call.fix_strides) function = function.fix_strides(name);
  if (!call.settings.empty()) function = function.with_config(call.settings);
  if (!typed.grid.empty()) function = function.with_grid(programs_of(typed.grid));

  const Stream stream = device.stream();
  const DeviceCall on_device(call, device, images_of(call, typed.seed, Poison::actual));
  function.call(stream, on_device.arguments());
  std::vector<Image> actual;
  if (typed.check) actual = on_device.images(stream);
  stream.synchronize();

  Report report;
  report.device = device.name();
  report.emulated = device.is_emulated();
  report.choice = function.choice(on_device.arguments());
  report.counters = jit.counters();
  report.messages = messages.lines();
  const ProblemScope scope(*call.kernel, call.problem, report.choice.config, device.target());
  report.bytes = cost(call.kernel->info.cost_bytes, scope);
  report.flops = cost(call.kernel->info.cost_flops, scope);
  if (!device.is_emulated() && typed.repeat > 0) {
    const BoundLaunch bound = function.bind_call(stream, on_device.arguments());
    report.timing = time_launches(device, stream, bound, typed.repeat);
  }
  if (typed.check) report.check = check(typed, call, jit, options, stream, report.choice.config, std::move(actual));

  print(typed.json ? json_of(call, report).dump(2) + "\n" : text_of(typed, call, report));
  return report.check && !report.check->good() ? failed : fine;
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  const auto typed = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Run a call on a device, on random data; time it, check it");
  add_call_options(*command, typed->call);
  add_device_option(*command, typed->device);
  command->add_option("--grid", typed->grid, "Programs along x, y, z instead of what the template says")
      ->delimiter(',')
      ->expected(1, 3)
      ->allow_extra_args(false)
      ->type_name("X,Y,Z");
  command->add_option("--seed", typed->seed, "Of the random data")->capture_default_str()->type_name("N");
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
