#include <tilejit/generator/object_code.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

namespace tilejit {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<Parameter::Kind, std::string_view>, 6> kinds = {{
    {Parameter::Kind::pointer, "pointer"},
    {Parameter::Kind::size, "size"},
    {Parameter::Kind::stride, "stride"},
    {Parameter::Kind::scalar, "scalar"},
    {Parameter::Kind::grid, "grid"},
    {Parameter::Kind::tensor_map, "tensor_map"},
}};

json to_json(const Parameter& parameter) {
  for (const auto& [kind, name] : kinds)
    if (kind == parameter.kind)
      return json::array({name, parameter.index, parameter.axis, parameter.offset, parameter.size});
  return nullptr;
}

Parameter parameter_in(const json& value) {
  for (const auto& [kind, name] : kinds)
    if (value.at(0).get_ref<const std::string&>() == name)
      return {kind, value.at(1).get<int>(), value.at(2).get<int>(), value.at(3).get<int>(), value.at(4).get<int>()};
  throw json::other_error::create(500, "a parameter of an unknown kind", nullptr);
}

std::string text_of(const Entry& entry, std::string_view section) {
  const std::string* bytes = entry.find(section);
  return bytes != nullptr ? *bytes : std::string();
}

ObjectCode read_meta(const std::string& text) {
  const json meta = json::parse(text);
  if (meta.at("format").get<int>() != meta_format)
    throw json::other_error::create(500, "another format of meta", nullptr);
  ObjectCode object;
  object.entry = meta.at("entry").get<std::string>();
  object.arch = meta.at("arch").get<std::string>();
  object.threads = meta.at("threads").get<int>();
  object.scratch = meta.at("scratch").get<int>();
  object.resources.registers = meta.at("registers").get<int>();
  object.resources.shared = meta.at("shared").get<int>();
  object.resources.stack = meta.at("stack").get<int>();
  object.resources.spill_stores = meta.at("spill_stores").get<int>();
  object.resources.spill_loads = meta.at("spill_loads").get<int>();
  object.resources.barriers = meta.at("barriers").get<int>();
  for (const json& value : meta.at("parameters")) object.parameters.push_back(parameter_in(value));
  return object;
}

}  // namespace

Entry to_entry(const ObjectCode& object, const std::string& key_material) {
  json parameters = json::array();
  for (const Parameter& parameter : object.parameters) parameters.push_back(to_json(parameter));
  const Resources& used = object.resources;
  const json meta = {
      {"format", meta_format},           {"entry", object.entry},     {"arch", object.arch},
      {"threads", object.threads},       {"scratch", object.scratch}, {"registers", used.registers},
      {"shared", used.shared},           {"stack", used.stack},       {"spill_stores", used.spill_stores},
      {"spill_loads", used.spill_loads}, {"barriers", used.barriers}, {"parameters", std::move(parameters)}};
  Entry entry;
  entry.key_material = key_material;
  entry.sections.push_back({"meta", meta.dump()});
  if (!object.cubin.empty()) entry.sections.push_back({"cubin", object.cubin});
  entry.sections.push_back({"ptx", object.ptx});
  entry.sections.push_back({"source", object.source});
  entry.sections.push_back({"log", object.log});
  return entry;
}

std::optional<ObjectCode> object_in(const Entry& entry) {
  const std::string* meta = entry.find("meta");
  if (meta == nullptr) return std::nullopt;
  try {
    ObjectCode object = read_meta(*meta);
    object.cubin = text_of(entry, "cubin");
    object.ptx = text_of(entry, "ptx");
    object.source = text_of(entry, "source");
    object.log = text_of(entry, "log");
    if (object.cubin.empty() && object.ptx.empty()) return std::nullopt;
    return object;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

}  // namespace tilejit
