#include <CLI/CLI.hpp>
#include <memory>

#include <tilejit/generator/ptx/module.h>
#include <tilejit/tools/call.h>
#include <tilejit/tools/failure.h>
#include <tilejit/tools/offline_build.h>
#include <tilejit/tools/output.h>
#include <tilejit/tools/ptx_report.h>
#include <tilejit/tools/subcommands.h>

namespace tilejit::tool {
namespace {

struct InspectOptions {
  CallText call;
  std::string arch = default_arch;
  std::string entry;
  bool ptx = false, json = false;
};

void print_report(const InspectOptions& typed, const InspectReport& report, const std::string& ptx) {
  if (typed.json) {
    print(to_json(report));
  } else {
    print(to_text(report));
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

int inspect(const InspectOptions& typed) {
  if (typed.call.template_name.ends_with(".ptx")) return inspect_file(typed);
  const Options options = Options::resolve();
  const Call call = resolve(typed.call, library_of(options, template_paths_of(typed.call)));
  const ObjectCode object = build_offline(call, specialize_offline(call, typed.arch), options).object;
  print_report(typed, report_of(object.ptx, object.entry, &object.resources, object.arch), object.ptx);
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
