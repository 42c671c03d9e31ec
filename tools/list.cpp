#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include <tilejit/generator/error.h>
#include <tilejit/runtime/ops/elementwise.h>
#include <tilejit/runtime/ops/ops.h>
#include <tilejit/tools/call.h>
#include <tilejit/tools/failure.h>
#include <tilejit/tools/output.h>
#include <tilejit/tools/subcommands.h>

namespace tilejit::tool {
namespace {

struct ListOptions {
  std::vector<std::string> paths;
  bool json = false;
};

std::string argument_names(const FrontMatter& info) {
  std::vector<std::string> names;
  for (const ArgumentInfo& argument : info.arguments) {
    names.push_back(argument.optional || argument.default_value ? "[" + argument.name + "]" : argument.name);
  }
  return fmt::format("{}", fmt::join(names, " "));
}

int list(const ListOptions& typed) {
  const TemplateLibrary library = library_of(Options::resolve(), typed.paths);
  Table table({"template", "arguments", "summary"});
  auto json = nlohmann::ordered_json{
      {"format", "tilejit.list"}, {"version", 1}, {"templates", nlohmann::ordered_json::array()}};
  int status = fine;
  for (const std::string& name : library.names()) {
    try {
      const auto kernel = library.get(name);
      table.add({name, argument_names(kernel->info), kernel->info.summary});
      json["templates"].push_back({{"name", name}, {"file", kernel->file.name}, {"summary", kernel->info.summary}});
    } catch (const TemplateError& error) {
      table.add({name, "-", std::string("TemplateError: ") + error.what()});
      json["templates"].push_back({{"name", name}, {"file", error.file()}, {"error", error.what()}});
      status = failed;
    }
  }
  json["ops"] = nlohmann::ordered_json::array();
  Table ops({"op", "arguments", "summary"});
  for (const std::string& name : op_names()) {
    const std::shared_ptr<const Op> op = op_named(name);
    FrontMatter info = op->declared().info;
    // A formula's inputs may be numbers, but none may be left out.
    if (dynamic_cast<const ElementwiseOp*>(op.get()) != nullptr)
      for (ArgumentInfo& argument : info.arguments) argument.optional = false;
    ops.add({name, argument_names(info), info.summary});
    json["ops"].push_back({{"name", name}, {"summary", info.summary}});
  }
  ops.add({"elementwise", "as its formula says", "\"out = gelu(x * alpha + bias)\" of the caller's"});
  json["ops"].push_back({{"name", "elementwise"}, {"summary", "what a formula of the caller's says of each element"}});
  print(typed.json ? json.dump(2) + "\n" : table.text() + "\n" + ops.text());
  return status;
}

}  // namespace

void add_list(CLI::App& app, Action& action) {
  const auto typed = std::make_shared<ListOptions>();
  CLI::App* command = app.add_subcommand("list", "The templates that can be named");
  add_template_option(*command, typed->paths);
  command->add_flag("--json", typed->json, "As JSON");
  command->callback([typed, &action] { action = [typed] { return list(*typed); }; });
}

}  // namespace tilejit::tool
