#include <tilejit/runtime/options.h>

#include <cstdlib>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <tilejit/generator/error.h>

namespace tilejit {
namespace {

std::optional<std::string> variable(const char* name) {
  const char* value = secure_getenv(name);
  if (value == nullptr) return std::nullopt;
  return value;
}

std::optional<std::string> filled_variable(const char* name) {
  std::optional<std::string> value = variable(name);
  if (value && value->empty()) value.reset();
  return value;
}

template <class T, std::size_t N>
std::optional<T> choice(const char* name, const std::array<std::pair<std::string_view, T>, N>& words) {
  const std::optional<std::string> value = filled_variable(name);
  if (!value) return std::nullopt;
  std::string known;
  for (const auto& [word, meaning] : words) {
    if (*value == word) return meaning;
    known += (known.empty() ? "" : ", ") + std::string(word);
  }
  throw InvalidArgument(std::string(name) + "=" + *value + " is not one of " + known);
}

constexpr std::array<std::pair<std::string_view, Tuning>, 2> tuning_words{
    {{"first_run", Tuning::first_run}, {"off", Tuning::off}}};
constexpr std::array<std::pair<std::string_view, DeviceKind>, 2> device_words{
    {{"gpu", DeviceKind::gpu}, {"emulated", DeviceKind::emulated}}};
constexpr std::array<std::pair<std::string_view, LogLevel>, 6> log_words{{{"trace", LogLevel::trace},
                                                                          {"debug", LogLevel::debug},
                                                                          {"info", LogLevel::info},
                                                                          {"warning", LogLevel::warning},
                                                                          {"error", LogLevel::error},
                                                                          {"off", LogLevel::off}}};

std::string default_cache_root() {
  if (std::optional<std::string> root = variable("TILEJIT_CACHE_DIR")) return *root;
  for (const auto& [name, below] : {std::pair("XDG_CACHE_HOME", "/tilejit"), std::pair("HOME", "/.cache/tilejit")}) {
    const std::optional<std::string> folder = filled_variable(name);
    if (folder && folder->front() == '/') return *folder + below;
  }
  return {};
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    if (end > begin) parts.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace

Options Options::resolve() { return resolve(Options{}); }

Options Options::resolve(const Options& given) {
  Options options = given;
  if (!options.cache_root) options.cache_root = default_cache_root();
  if (!options.any) options.any = choice("TILEJIT_DEVICE", device_words);
  if (!options.nvrtc) options.nvrtc = filled_variable("TILEJIT_NVRTC");
  if (!options.tuning) options.tuning = choice("TILEJIT_TUNING", tuning_words).value_or(Tuning::first_run);
  if (!options.log_level) options.log_level = choice("TILEJIT_LOG", log_words).value_or(LogLevel::warning);
  const std::vector<std::string> paths = split(variable("TILEJIT_TEMPLATES").value_or(""));
  std::vector<std::string>& all = options.template_paths;
  const bool there = all.size() >= paths.size() && std::equal(paths.begin(), paths.end(), all.begin());
  if (!there) all.insert(all.begin(), paths.begin(), paths.end());  // resolving twice adds nothing
  return options;
}

}  // namespace tilejit
