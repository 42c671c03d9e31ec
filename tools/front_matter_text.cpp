#include <tilejit/tools/front_matter_text.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include <tilejit/tools/output.h>

namespace tilejit::tool {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_of(Access access) {
  switch (access) {
    case Access::read:
      return "read";
    case Access::write:
      return "write";
    case Access::update:
      return "update";
  }
  return "?";
}

std::vector<std::string> texts(const std::vector<Expression>& expressions) {
  std::vector<std::string> all;
  for (const Expression& expression : expressions) all.push_back(expression.text());
  return all;
}

std::string text(const std::optional<Expression>& expression) { return expression ? expression->text() : "-"; }

std::string joined(const std::vector<std::string>& parts, const char* separator = ", ") {
  return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, separator));
}

std::vector<std::string> axes(const ArgumentInfo& argument) {
  std::vector<std::string> all;
  for (const Dimension& axis : argument.shape) {
    all.push_back(axis.name.empty() ? std::to_string(axis.extent) : axis.name);
  }
  return all;
}

std::vector<std::string> dtype_names(const ArgumentInfo& argument) {
  std::vector<std::string> all;
  for (const DType dtype : argument.dtypes) all.emplace_back(tilejit::name_of(dtype));
  return all;
}

std::string dtype_text(const ArgumentInfo& argument) {
  if (argument.kind == ArgumentInfo::Kind::scalar) return std::string(tilejit::name_of(argument.dtype));
  if (!argument.same_dtype_as.empty()) return "that of " + argument.same_dtype_as;
  return argument.dtypes.empty() ? "any" : joined(dtype_names(argument), " ");
}

std::string rest_text(const ArgumentInfo& argument) {
  std::vector<std::string> rest;
  if (argument.optional) rest.emplace_back("optional");
  if (argument.default_value) rest.push_back(fmt::format("default {}", *argument.default_value));
  if (!argument.factor_of.empty()) rest.push_back("a factor of sums of " + argument.factor_of);
  if (argument.via != Via::pointer) {
    rest.push_back(fmt::format("via a TMA map{}, box {}, swizzle {}",
                               argument.via == Via::either ? " where one fits" : "",
                               joined(texts(argument.map.box), " x "), text(argument.map.swizzle)));
  }
  return rest.empty() ? "" : joined(rest);
}

std::string arguments_text(const FrontMatter& info) {
  Table table({"argument", "access", "shape", "dtype", ""});
  for (const ArgumentInfo& argument : info.arguments) {
    const bool tensor = argument.kind == ArgumentInfo::Kind::tensor;
    table.add({argument.name, tensor ? std::string(name_of(argument.access)) : "scalar",
               tensor ? "(" + fmt::format("{}", fmt::join(axes(argument), ", ")) + ")" : "-", dtype_text(argument),
               rest_text(argument)});
  }
  return table.text();
}

std::string default_text(const FrontMatter& info) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : info.default_config) parts.push_back(fmt::format("{}={}", name, value));
  return joined(parts, " ");
}

Json argument_json(const ArgumentInfo& argument) {
  Json json{{"name", argument.name}};
  if (argument.kind == ArgumentInfo::Kind::scalar) {
    json["kind"] = "scalar";
    json["dtype"] = tilejit::name_of(argument.dtype);
    if (argument.default_value) json["default"] = *argument.default_value;
    if (!argument.factor_of.empty()) json["factor_of"] = argument.factor_of;
    return json;
  }
  json["kind"] = "tensor";
  json["shape"] = axes(argument);
  json["access"] = name_of(argument.access);
  json["dtypes"] = dtype_names(argument);
  json["dtype"] = argument.same_dtype_as;
  json["optional"] = argument.optional;
  json["via"] = argument.via == Via::tma ? "tma" : argument.via == Via::either ? "either" : "pointer";
  if (argument.via != Via::pointer) {
    json["box"] = texts(argument.map.box);
    json["swizzle"] = text(argument.map.swizzle);
  }
  return json;
}

Json optional_json(const std::optional<Expression>& expression) {
  return expression ? Json(expression->text()) : Json(nullptr);
}

}  // namespace

std::string front_matter_text(const Template& kernel) {
  const FrontMatter& info = kernel.info;
  std::string result =
      fmt::format("{}: {}\n{}\n\n{}\n", kernel.name, info.summary, kernel.file.name, arguments_text(info));
  const auto line = [&](const char* key, const std::string& value) {
    result += fmt::format("{:<11} {}\n", key, value);
  };
  line("version", std::to_string(info.version));
  line("sizes", joined(info.sizes));
  line("constants", joined(info.constants));
  line("default", default_text(info));
  for (const ConfigAxis& axis : info.config) {
    line("config", fmt::format("{} = {}", axis.name, fmt::join(axis.values, " ")));
  }
  if (info.config.empty()) line("config", "-");
  line("grid", joined(texts(info.grid)));
  line("where", joined(texts(info.where), "\n            "));
  line("requires", joined(texts(info.requires_), "\n            "));
  line("needs", joined(info.needs));
  line("cluster", joined(texts(info.cluster)));
  line("min_blocks", text(info.min_blocks));
  line("shared", text(info.shared));
  line("cost", fmt::format("bytes {}, flops {}", text(info.cost_bytes), text(info.cost_flops)));
  line("tolerance", fmt::format("relative {}, absolute {}{}", info.relative_tolerance, info.absolute_tolerance,
                                info.tolerance_terms ? ", of " + info.tolerance_terms->text() + " terms" : ""));
  line("options", joined(info.options, " "));
  line("use", info.use.empty() ? "all of block.cuh" : joined(info.use));
  return result;
}

std::string front_matter_json(const Template& kernel) {
  const FrontMatter& info = kernel.info;
  Json json{{"name", kernel.name}, {"file", kernel.file.name}, {"summary", info.summary}, {"version", info.version}};
  json["arguments"] = Json::array();
  for (const ArgumentInfo& argument : info.arguments) json["arguments"].push_back(argument_json(argument));
  json["sizes"] = info.sizes;
  json["constants"] = info.constants;
  json["default"] = Json::object();
  for (const auto& [name, value] : info.default_config) json["default"][name] = value;
  json["config"] = Json::object();
  for (const ConfigAxis& axis : info.config) json["config"][axis.name] = axis.values;
  json["grid"] = texts(info.grid);
  json["where"] = texts(info.where);
  json["requires"] = texts(info.requires_);
  json["needs"] = info.needs;
  json["cluster"] = texts(info.cluster);
  json["min_blocks"] = optional_json(info.min_blocks);
  json["shared"] = optional_json(info.shared);
  json["cost"] = {{"bytes", optional_json(info.cost_bytes)}, {"flops", optional_json(info.cost_flops)}};
  json["tolerance"] = {{"relative", info.relative_tolerance}, {"absolute", info.absolute_tolerance}};
  if (info.tolerance_terms) json["tolerance"]["terms"] = info.tolerance_terms->text();
  json["options"] = info.options;
  json["use"] = info.use;
  return json.dump(2);
}

}  // namespace tilejit::tool
