#include <fmt/format.h>

#include <algorithm>

#include <tilejit/generator/error.h>
#include <tilejit/generator/front_matter_config.h>
#include <tilejit/generator/nearest.h>
#include <tilejit/generator/specialization.h>

namespace tilejit {
namespace {

void set(Config& config, const std::string& name, std::int64_t value) {
  if (name == "num_warps") config.num_warps = static_cast<int>(value);
  if (name == "num_stages") config.num_stages = static_cast<int>(value);
  for (auto& [constant, current] : config.constants)
    if (constant == name) current = value;
}

}  // namespace

std::string to_string(const Config& config) {
  std::string text;
  for (const auto& [name, value] : config.constants) text += fmt::format("{}={} ", name, value);
  return text + fmt::format("num_warps={} num_stages={}", config.num_warps, config.num_stages);
}

Config default_config(const FrontMatter& info) {
  Config config;
  for (const std::string& name : info.constants) config.constants.emplace_back(name, 0);
  for (const auto& [name, value] : info.default_config) set(config, name, value);
  return config;
}

Config config_with(const FrontMatter& info, const std::vector<std::pair<std::string, std::int64_t>>& settings) {
  std::vector<std::string> known = info.constants;
  known.insert(known.end(), {"num_warps", "num_stages"});
  Config config = default_config(info);
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto& [name, value] = settings[i];
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InvalidArgument(fmt::format("\"{}\" is not a constant of this template{}", name, suggestion(name, known)));
    for (std::size_t earlier = 0; earlier < i; ++earlier)
      if (settings[earlier].first == name) throw InvalidArgument(fmt::format("{} is set twice", name));
    check_setting(name, value);
    set(config, name, value);
  }
  return config;
}

}  // namespace tilejit
