#include <tilejit/tools/call.h>

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include <tilejit/generator/error.h>
#include <tilejit/generator/nearest.h>
#include <tilejit/runtime/sum_factor.h>
#include <tilejit/tools/assignment.h>
#include <tilejit/tools/scalar_argument.h>

namespace tilejit::tool {
namespace {

constexpr const char* expected_argument = "NAME=DTYPE:SHAPE[:STRIDES[:OFFSET]], or NAME=VALUE for a scalar";

bool is_file(std::string_view template_name) { return template_name.ends_with(".cuh"); }

std::vector<std::string> names_of(const FrontMatter& info, std::optional<ArgumentInfo::Kind> kind = {}) {
  std::vector<std::string> names;
  for (const ArgumentInfo& argument : info.arguments) {
    if (!kind || argument.kind == *kind) names.push_back(argument.name);
  }
  return names;
}

using Given = std::map<std::string, std::string, std::less<>>;

Given given_arguments(const Template& kernel, const std::vector<std::string>& texts) {
  const std::vector<std::string> known = names_of(kernel.info);
  Given given;
  for (const std::string& text : texts) {
    const Assignment argument = parse_assignment(text, expected_argument);
    if (std::find(known.begin(), known.end(), argument.name) == known.end()) {
      throw InvalidArgument(
          fmt::format("{} has no argument '{}'{}", kernel.name, argument.name, suggestion(argument.name, known)));
    }
    if (!given.emplace(argument.name, argument.value).second) {
      throw InvalidArgument(fmt::format("{}: given twice", argument.name));
    }
  }
  return given;
}

std::string shape_text(const ArgumentInfo& declared) {
  std::vector<std::string> axes;
  for (const Dimension& axis : declared.shape) {
    axes.push_back(axis.name.empty() ? std::to_string(axis.extent) : axis.name);
  }
  return axes.empty() ? "scalar" : fmt::format("{}", fmt::join(axes, "x"));
}

CallArgument read_argument(const ArgumentInfo& declared, const Given& given) {
  const auto found = given.find(declared.name);
  if (declared.kind == ArgumentInfo::Kind::scalar) {
    if (found == given.end()) return default_scalar(declared);
    const Argument value = parse_scalar(declared, found->second);
    value.scalar().bits_as(declared.dtype, declared.name);
    return value;
  }
  if (declared.optional && (found == given.end() || found->second == "none")) return Absent{};
  if (found == given.end() || found->second == "none") {
    throw InvalidArgument(fmt::format("{0}: {1}: expected {0}=DTYPE:{2}", declared.name,
                                      found == given.end() ? "missing" : "not optional", shape_text(declared)));
  }
  return parse_tensor(declared.name, found->second);
}

Problem problem_of(const FrontMatter& info, const std::vector<CallArgument>& arguments) {
  Problem problem;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (const auto* tensor = std::get_if<TensorArgument>(&arguments[i])) {
      problem.tensors.push_back(tool::problem_of(*tensor));
    } else if (std::holds_alternative<Absent>(arguments[i])) {
      problem.tensors.push_back({.present = false});
    } else {
      problem.scalars.push_back(info.arguments[i].dtype);
    }
  }
  return problem;
}

void check_factors(const Template& kernel, const std::vector<CallArgument>& arguments) {
  const std::vector<ArgumentInfo>& infos = kernel.info.arguments;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    if (infos[i].factor_of.empty()) continue;
    const auto of = std::ranges::find(infos, infos[i].factor_of, &ArgumentInfo::name) - infos.begin();
    check_sum_factor(kernel.name, infos[i].name, std::get<Argument>(arguments[i]).scalar().as_double(),
                     std::get<TensorArgument>(arguments[std::size_t(of)]).dtype);
  }
}

FixedStrides fixed_strides(const FrontMatter& info, const std::vector<std::string>& names) {
  FixedStrides fixed;
  const std::vector<std::string> tensors = names_of(info, ArgumentInfo::Kind::tensor);
  if (!names.empty()) fixed.tensors.resize(tensors.size());
  for (const std::string& name : names) {
    const auto found = std::find(tensors.begin(), tensors.end(), name);
    if (found == tensors.end()) {
      throw InvalidArgument(fmt::format("--fix-strides: no tensor '{}'{}", name, suggestion(name, tensors)));
    }
    fixed.tensors[std::size_t(found - tensors.begin())].emplace();
  }
  return fixed;
}

}  // namespace

void add_template_option(CLI::App& command, std::vector<std::string>& paths) {
  command.add_option("--templates", paths, "A folder of templates (*.cuh) or one file; may be repeated")
      ->type_name("PATH")
      ->allow_extra_args(false);
}

void add_debug_option(CLI::App& command, CallText& text) {
  command.add_flag("--debug", text.debug,
                   "A debug build: an index or an offset outside of its tensor ends the launch with a message");
}

void add_call_options(CLI::App& command, CallText& text) {
  command.add_option("TEMPLATE", text.template_name, "A template's name, or a file that ends in .cuh")
      ->required()
      ->type_name("");
  command.add_option("ARGUMENTS", text.arguments, "Tensors NAME=DTYPE:SHAPE[:STRIDES[:OFFSET]], scalars NAME=VALUE")
      ->type_name("");
  command.add_option("--set", text.settings, "A constant, num_warps or num_stages; may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command.add_option("--fix-strides", text.fix_strides, "A tensor whose strides are compiled in; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  add_template_option(command, text.paths);
}

std::vector<std::string> template_paths_of(const CallText& text) {
  std::vector<std::string> paths = text.paths;
  if (is_file(text.template_name)) paths.push_back(text.template_name);
  return paths;
}

std::string template_name_of(const CallText& text) {
  return is_file(text.template_name) ? std::filesystem::path(text.template_name).stem().string() : text.template_name;
}

TemplateLibrary library_of(const Options& options, const std::vector<std::string>& paths) {
  TemplateLibrary library;
  for (const EmbeddedTemplates& templates : options.templates) library.add(templates);
  for (const std::string& path : options.template_paths) library.add_path(path);
  for (const std::string& path : paths) library.add_path(path);
  return library;
}

std::vector<std::pair<std::string, std::int64_t>> settings_of(const Config& config) {
  auto settings = config.constants;
  settings.emplace_back("num_warps", config.num_warps);
  settings.emplace_back("num_stages", config.num_stages);
  return settings;
}

std::string config_json(const Config& config) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& [name, value] : settings_of(config)) json[name] = value;
  return json.dump();
}

Call resolve(const CallText& text, const TemplateLibrary& library) {
  Call call;
  call.kernel = library.get(template_name_of(text));
  const FrontMatter& info = call.kernel->info;
  const Given given = given_arguments(*call.kernel, text.arguments);
  for (const ArgumentInfo& declared : info.arguments) call.arguments.push_back(read_argument(declared, given));
  call.problem = problem_of(info, call.arguments);
  sizes_of(*call.kernel, call.problem);
  check_factors(*call.kernel, call.arguments);
  call.fixed = fixed_strides(info, text.fix_strides);
  call.settings = parse_settings(text.settings);
  call.config = config_with(info, call.settings);
  call.debug = text.debug;
  return call;
}

}  // namespace tilejit::tool
