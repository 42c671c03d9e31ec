#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include <tilejit/generator/ptx/module.h>
#include <tilejit/tools/call.h>
#include <tilejit/tools/failure.h>
#include <tilejit/tools/offline_build.h>
#include <tilejit/tools/op_call.h>
#include <tilejit/tools/output.h>
#include <tilejit/tools/product_call.h>
#include <tilejit/tools/ptx_report.h>
#include <tilejit/tools/roofline.h>
#include <tilejit/tools/subcommands.h>

namespace tilejit::tool {
namespace {

struct InspectOptions {
  CallText call;
  std::string arch = default_arch;
  std::string entry;
  bool ptx = false, json = false;
};

/// What is known of a call beyond its PTX.
struct Extras {
  std::string op;  ///< empty: the template was named
  std::string config;
  std::optional<Roofline> roofline;
};

std::string with_extras(const std::string& report, const Extras& extras) {
  auto json = nlohmann::ordered_json::parse(report);
  if (!extras.op.empty()) json["op"] = extras.op;
  if (extras.roofline) json["roofline"] = nlohmann::ordered_json::parse(json_of(*extras.roofline));
  return json.dump(2) + "\n";
}

void print_report(const InspectOptions& typed, const InspectReport& report, const std::string& ptx,
                  const Extras& extras = {}) {
  if (typed.json) {
    print(with_extras(to_json(report), extras));
  } else {
    if (!extras.op.empty()) print(extras.op + " through\n");
    print(to_text(report));
    if (!extras.op.empty()) print("  config      " + extras.config + "\n");
    if (extras.roofline) print("  " + to_text(*extras.roofline));
    if (typed.ptx) print("\n" + ptx);
  }
}

int inspect_file(const InspectOptions& typed) {
  if (!typed.call.arguments.empty()) throw InvalidArgument("a PTX file takes no arguments");
  const std::string& file = typed.call.template_name;
  const std::string ptx = read_file(file);
  try {
    print_report(typed, report_of(ptx, typed.entry), ptx);
  } catch (const ptx::SyntaxError& error) {
    throw Error(file + ":" + error.what());
  }
  return fine;
}

/// What the call as a whole does, where that is known: FLOP a byte, and the device's ridge.
std::optional<Roofline> roofline_of(const std::optional<OpCall>& op, const Call& call, const OfflineCall& offline,
                                    bool tensor_cores) {
  const std::string& arch = offline.target.arch;
  if (op) {
    const std::optional<ProductCall> product = product_of(*op);
    if (!product) return std::nullopt;
    return roofline(peak_of(product->arithmetic, tensor_cores), product->bytes, product->flops, arch);
  }
  const FrontMatter& info = call.kernel->info;
  if (!info.cost_bytes || !info.cost_flops) return std::nullopt;
  const ProblemScope scope(*call.kernel, call.problem, offline.specialization.config, offline.target);
  return roofline(peak_of(name_of(call.problem.tensors.at(0).dtype), tensor_cores),
                  info.cost_bytes->evaluate(scope.scope()), info.cost_flops->evaluate(scope.scope()), arch);
}

int inspect(const InspectOptions& typed) {
  if (typed.call.template_name.ends_with(".ptx")) return inspect_file(typed);
  const Options options = Options::resolve();
  const TemplateLibrary library = library_of(options, template_paths_of(typed.call));
  const std::optional<OpCall> op = resolve_op(typed.call, library);
  if (op && op->call.arguments.empty())
    throw InvalidArgument(typed.call.template_name + " is an op: inspect wants a call");
  const Call call = op ? main_step(*op, typed.arch) : resolve(typed.call, library);
  const OfflineCall offline = specialize_offline(call, typed.arch);
  const ObjectCode object = build_offline(call, offline, options).object;
  Extras extras{
      {}, to_string(offline.specialization.config), roofline_of(op, call, offline, uses_tensor_cores(object))};
  if (op) extras.op = op->op->name();
  print_report(typed, report_of(object.ptx, object.entry, &object.resources, object.arch), object.ptx, extras);
  return fine;
}

}  // namespace

void add_inspect(CLI::App& app, Action& action) {
  const auto typed = std::make_shared<InspectOptions>();
  CLI::App* command = app.add_subcommand(
      "inspect", "What a call compiles to, or what a FILE.ptx holds: registers, memory accesses by width, and more");
  add_call_options(*command, typed->call);
  command->add_option("--arch", typed->arch, "For which arch")->capture_default_str();
  command->add_option("--entry", typed->entry, "Which function of a FILE.ptx with several")->type_name("NAME");
  command->add_flag("--ptx", typed->ptx, "The PTX too");
  command->add_flag("--json", typed->json, "As JSON");
  command->callback([typed, &action] { action = [typed] { return inspect(*typed); }; });
}

}  // namespace tilejit::tool
