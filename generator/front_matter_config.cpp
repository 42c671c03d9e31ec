#include <tilejit/generator/front_matter_config.h>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include <tilejit/generator/error.h>

namespace tilejit {
namespace {

bool is_launch_setting(std::string_view name) { return name == "num_warps" || name == "num_stages"; }

std::string setting_name(const FrontMatterReader& reader, const TomlNode::Entry& entry, std::string_view where) {
  return is_launch_setting(entry.key) ? entry.key
                                      : reader.name(entry.key, entry.at, fmt::format("a name in {}", where));
}

std::int64_t setting_value(const FrontMatterReader& reader, const std::string& name, const TomlNode& node) {
  const std::int64_t value = reader.integer(node, name);
  try {
    check_setting(name, value);
  } catch (const InvalidArgument& error) {
    reader.fail(node.at, error.what());
  }
  return value;
}

ConfigAxis read_axis(const FrontMatterReader& reader, const TomlNode::Entry& entry) {
  ConfigAxis axis{setting_name(reader, entry, "[config]"), {}};
  reader.expect(entry.value, TomlNode::Kind::array, axis.name + " in [config]");
  if (entry.value.items.empty()) reader.fail(entry.value.at, fmt::format("{} has no candidate", axis.name));
  for (const TomlNode& item : entry.value.items) {
    const std::int64_t value = setting_value(reader, axis.name, item);
    if (std::find(axis.values.begin(), axis.values.end(), value) != axis.values.end())
      reader.fail(item.at, fmt::format("{}: {} stands twice", axis.name, value));
    axis.values.push_back(value);
  }
  return axis;
}

void add_constant(const FrontMatterReader& reader, const std::string& name, SourcePosition at, FrontMatter& info) {
  if (is_launch_setting(name) || std::find(info.constants.begin(), info.constants.end(), name) != info.constants.end())
    return;
  for (const ArgumentInfo& argument : info.arguments)
    if (argument.name == name) reader.fail(at, fmt::format("constant \"{}\" has the name of an argument", name));
  if (std::find(info.sizes.begin(), info.sizes.end(), name) != info.sizes.end())
    reader.fail(at, fmt::format("constant \"{}\" has the name of a size", name));
  for (std::string_view prefix : {"view_", "tilejit"})
    if (name.substr(0, prefix.size()) == prefix)
      reader.fail(at, fmt::format("constant \"{}\": names that start with {} are the generator's", name, prefix));
  info.constants.push_back(name);
}

const ConfigAxis* axis_of(const FrontMatter& info, std::string_view name) {
  for (const ConfigAxis& axis : info.config)
    if (axis.name == name) return &axis;
  return nullptr;
}

std::int64_t default_value(const FrontMatterReader& reader, SourcePosition missing, const TomlNode* defaults,
                           const FrontMatter& info, const std::string& name) {
  const ConfigAxis* axis = axis_of(info, name);
  if (const TomlNode::Entry* entry = defaults == nullptr ? nullptr : defaults->find(name)) {
    const std::int64_t value = setting_value(reader, name, entry->value);
    if (axis != nullptr && std::find(axis->values.begin(), axis->values.end(), value) == axis->values.end())
      reader.fail(entry->value.at, fmt::format("default: {} = {} is not among its candidates {}", name, value,
                                               fmt::join(axis->values, ", ")));
    return value;
  }
  if (axis == nullptr) return name == "num_warps" ? 4 : 1;
  if (axis->values.size() > 1)
    reader.fail(missing, fmt::format("default has no value for {}, and [config] leaves a choice", name));
  return axis->values.front();
}

}  // namespace

void check_setting(const std::string& name, std::int64_t value) {
  if (name == "num_warps") {
    if (value < 1 || value > 32 || (value != 12 && (value & (value - 1)) != 0))
      throw InvalidArgument(fmt::format("num_warps is 1, 2, 4, 8, 12, 16 or 32, not {}{}", value,
                                        value > 32
                                            ? fmt::format(": num_warps={} is a block of {} threads, the limit is 1024",
                                                          value, value > INT64_MAX / 32 ? INT64_MAX : value * 32)
                                            : ""));
  } else if (name == "num_stages") {
    if (value < 1 || value > 32) throw InvalidArgument(fmt::format("num_stages is 1 to 32, not {}", value));
  } else if (value < std::numeric_limits<std::int32_t>::min() || value > std::numeric_limits<std::int32_t>::max()) {
    throw InvalidArgument(fmt::format("{} = {} does not fit into a 32-bit int", name, value));
  }
}

void read_config(const FrontMatterReader& reader, SourcePosition front_matter, const TomlNode::Entry* config,
                 const TomlNode::Entry* defaults, FrontMatter& info) {
  std::int64_t product = 1;
  if (config != nullptr) {
    reader.expect(config->value, TomlNode::Kind::table, "config, written [config],");
    for (const TomlNode::Entry& entry : config->value.entries) {
      info.config.push_back(read_axis(reader, entry));
      add_constant(reader, info.config.back().name, entry.at, info);
      product *= static_cast<std::int64_t>(info.config.back().values.size());
      if (product > max_candidates)
        reader.fail(entry.at, fmt::format("[config] spans more than {} Configs from here on", max_candidates));
    }
  }
  if (defaults != nullptr) {
    reader.expect(defaults->value, TomlNode::Kind::table, "default");
    for (const TomlNode::Entry& entry : defaults->value.entries)
      add_constant(reader, setting_name(reader, entry, "default"), entry.at, info);
  }
  std::vector<std::string> names = info.constants;
  names.insert(names.end(), {"num_warps", "num_stages"});
  const SourcePosition missing = defaults != nullptr ? defaults->at : config != nullptr ? config->at : front_matter;
  for (const std::string& name : names)
    info.default_config.emplace_back(
        name, default_value(reader, missing, defaults == nullptr ? nullptr : &defaults->value, info, name));
}

void check_default(const FrontMatterReader& reader, const TomlNode& where, const FrontMatter& info) {
  std::vector<std::int64_t> values(info.symbols.values.size());
  const std::size_t first = info.sizes.size(), last = first + info.default_config.size();
  for (std::size_t i = 0; i < info.default_config.size(); ++i) values[first + i] = info.default_config[i].second;
  for (std::size_t i = 0; i < info.where.size(); ++i) {
    const Expression& condition = info.where[i];
    bool of_constants = true;
    for (std::size_t value = 0; value < values.size(); ++value)
      if (condition.uses_value(value)) of_constants &= value >= first && value < last;
    for (std::size_t tensor = 0; tensor < info.symbols.tensors.size(); ++tensor)
      of_constants &= !condition.uses_tensor(tensor);
    if (!of_constants) continue;
    try {
      if (condition.evaluate({values, {}}) == 0)
        reader.fail(where.items[i].at, fmt::format("the default Config does not pass where: {}", condition.text()));
    } catch (const ExpressionError& error) {
      const SourcePosition at =
          position_in_string(reader.source(), where.items[i], static_cast<std::size_t>(error.column()) - 1);
      reader.fail(at, fmt::format("where, for the default Config: {}", error.what_is_wrong()));
    }
  }
}

}  // namespace tilejit
