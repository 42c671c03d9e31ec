#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include <tilejit/generator/codegen.h>
#include <tilejit/generator/formula.h>
#include <tilejit/tools/call.h>
#include <tilejit/tools/failure.h>
#include <tilejit/tools/front_matter_text.h>
#include <tilejit/tools/offline_build.h>
#include <tilejit/tools/op_call.h>
#include <tilejit/tools/output.h>
#include <tilejit/tools/subcommands.h>

namespace tilejit::tool {
namespace {

using Json = nlohmann::ordered_json;

struct ShowOptions {
  CallText call;
  std::string arch = default_arch;
  bool source = false, json = false;
};

std::string kind_of(const Parameter& parameter, const FrontMatter& info) {
  std::vector<std::string> tensors, scalars;
  for (const ArgumentInfo& argument : info.arguments) {
    (argument.kind == ArgumentInfo::Kind::tensor ? tensors : scalars).push_back(argument.name);
  }
  const auto index = std::size_t(parameter.index);
  switch (parameter.kind) {
    case Parameter::Kind::pointer:
      return fmt::format("data of {}", tensors.at(index));
    case Parameter::Kind::size:
      return fmt::format("size {}", info.sizes.at(index));
    case Parameter::Kind::stride:
      return fmt::format("stride of {}, axis {}", tensors.at(index), parameter.axis);
    case Parameter::Kind::scalar:
      return fmt::format("scalar {}", scalars.at(index));
    case Parameter::Kind::grid:
      return fmt::format("programs along {}", "xyz"[index]);
    case Parameter::Kind::tensor_map:
      return fmt::format("TMA map of {}", tensors.at(index));
  }
  return "?";
}

std::string strides_text(const TensorSpecialization& tensor) {
  std::vector<std::string> parts;
  for (const auto& stride : tensor.strides) parts.push_back(stride ? std::to_string(*stride) : "dynamic");
  return "(" + fmt::format("{}", fmt::join(parts, ", ")) + ")";
}

std::string tensors_text(const Call& call, const Specialization& specialization) {
  Table table({"tensor", "dtype", "strides", "align", "unit axis"});
  std::size_t next = 0;
  for (const ArgumentInfo& argument : call.kernel->info.arguments) {
    if (argument.kind != ArgumentInfo::Kind::tensor) continue;
    const TensorSpecialization& tensor = specialization.tensors.at(next++);
    if (!tensor.present) {
      table.add({argument.name, "absent", "-", "-", "-"});
      continue;
    }
    table.add({argument.name, std::string(name_of(tensor.dtype)), strides_text(tensor), std::to_string(tensor.align),
               tensor.unit_axis < 0 ? "none" : std::to_string(tensor.unit_axis)});
  }
  return table.text();
}

std::string parameters_text(const GeneratedSource& source, const FrontMatter& info) {
  Table table({"parameter", "offset", "bytes"});
  for (const Parameter& parameter : source.parameters) {
    table.add({kind_of(parameter, info), std::to_string(parameter.offset), std::to_string(parameter.size)});
  }
  return table.text();
}

std::string grid_text(const Grid& grid) {
  std::string text = fmt::format("{}", fmt::join(grid.programs, " x "));
  if (grid.folded) text += fmt::format(", folded into {} along x", grid.blocks[0]);
  if (grid.empty()) text += " (nothing to launch)";
  return text;
}

std::string call_text(const Call& call, const OfflineCall& offline, const GeneratedSource& source) {
  return fmt::format(
      "\nspecialised for {}\n"
      "config      {}\n"
      "programs    {}\n"
      "threads     {} a program\n\n"
      "{}\n{}",
      offline.target.arch, to_string(offline.specialization.config), grid_text(offline.grid), source.threads,
      tensors_text(call, offline.specialization), parameters_text(source, call.kernel->info));
}

Json call_json(const Call& call, const OfflineCall& offline, const GeneratedSource& source) {
  Json json{{"arch", offline.target.arch}};
  json["config"] = Json::parse(config_json(offline.specialization.config));
  json["programs"] = offline.grid.programs;
  json["blocks"] = offline.grid.blocks;
  json["folded"] = offline.grid.folded;
  json["threads"] = source.threads;
  json["tensors"] = Json::array();
  for (const TensorSpecialization& tensor : offline.specialization.tensors) {
    Json one{{"present", tensor.present}};
    if (tensor.present) {
      one["dtype"] = name_of(tensor.dtype);
      one["align"] = tensor.align;
      one["unit_axis"] = tensor.unit_axis;
      one["strides"] = Json::array();
      for (const auto& stride : tensor.strides) one["strides"].push_back(stride ? Json(*stride) : Json(nullptr));
    }
    json["tensors"].push_back(one);
  }
  json["parameters"] = Json::array();
  for (const Parameter& parameter : source.parameters) {
    json["parameters"].push_back(
        {{"what", kind_of(parameter, call.kernel->info)}, {"offset", parameter.offset}, {"bytes", parameter.size}});
  }
  json["entry"] = source.entry;
  return json;
}

int show_op(const OpCall& op, const ShowOptions& typed) {
  if (typed.source) throw InvalidArgument("--source: an op has none; show the templates that it runs");
  const bool call = !op.call.arguments.empty();
  if (typed.json) {
    Json json{{"format", "tilejit.show"}, {"version", 1}};
    json["op"] = Json::parse(op_json(*op.op, call ? &op : nullptr, typed.arch));
    print(json.dump(2) + "\n");
  } else {
    print(op_text(*op.op) + (call ? plan_text(op, typed.arch) : ""));
  }
  return fine;
}

int show_elementwise(const ShowOptions& typed) {
  if (typed.source) throw InvalidArgument("--source: elementwise has none without a formula");
  Json json{{"format", "tilejit.show"}, {"version", 1}};
  json["op"] = {{"op", "elementwise"}, {"summary", "what a formula of the caller's says of each element"}};
  json["op"]["functions"] = Formula::known_functions();
  print(typed.json ? json.dump(2) + "\n" : elementwise_text());
  return fine;
}

int show(const ShowOptions& typed) {
  const TemplateLibrary library = library_of(Options::resolve(), template_paths_of(typed.call));
  if (asks_for_elementwise(typed.call, library)) return show_elementwise(typed);
  if (const std::optional<OpCall> op = resolve_op(typed.call, library)) return show_op(*op, typed);
  if (typed.call.arguments.empty()) {
    if (typed.source) throw InvalidArgument("--source: which source depends on the tensors: give them too");
    const auto kernel = library.get(template_name_of(typed.call));
    Json json{{"format", "tilejit.show"}, {"version", 1}, {"template", Json::parse(front_matter_json(*kernel))}};
    print(typed.json ? json.dump(2) + "\n" : front_matter_text(*kernel));
    return fine;
  }
  const Call call = resolve(typed.call, library);
  const OfflineCall offline = specialize_offline(call, typed.arch);
  const GeneratedSource source = generate(*call.kernel, offline.specialization, offline.target);
  if (typed.json) {
    Json json{{"format", "tilejit.show"}, {"version", 1}, {"template", Json::parse(front_matter_json(*call.kernel))}};
    json["call"] = call_json(call, offline, source);
    if (typed.source) json["source"] = source.text;
    print(json.dump(2) + "\n");
    return fine;
  }
  print(front_matter_text(*call.kernel) + call_text(call, offline, source));
  if (typed.source) print("\n" + source.text);
  return fine;
}

}  // namespace

void add_show(CLI::App& app, Action& action) {
  const auto typed = std::make_shared<ShowOptions>();
  CLI::App* command = app.add_subcommand(
      "show", "A template's front matter; with tensors also what a call is specialised to, its grid and parameters");
  add_call_options(*command, typed->call);
  add_debug_option(*command, typed->call);
  command->add_option("--arch", typed->arch, "For which arch")->capture_default_str();
  command->add_flag("--source", typed->source, "The generated source too");
  command->add_flag("--json", typed->json, "As JSON");
  command->callback([typed, &action] { action = [typed] { return show(*typed); }; });
}

}  // namespace tilejit::tool
