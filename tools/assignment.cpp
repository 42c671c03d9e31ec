#include <tilejit/tools/assignment.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include <tilejit/generator/error.h>

namespace tilejit::tool {

Assignment parse_assignment(std::string_view text, std::string_view expected) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw InvalidArgument(fmt::format("'{}': expected {}", text, expected));
  }
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

std::int64_t parse_integer(std::string_view text, const std::string& what) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range) {
    throw InvalidArgument(fmt::format("{}: {} does not fit into 64 bits", what, text));
  }
  if (error != std::errc() || stop != end) {
    throw InvalidArgument(fmt::format("{}: expected an integer, not '{}'", what, text));
  }
  return value;
}

std::vector<std::pair<std::string, std::int64_t>> parse_settings(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::int64_t>> settings;
  for (const std::string& text : texts) {
    const Assignment given = parse_assignment(text, "NAME=VALUE, like BLOCK_M=64");
    const auto same = [&](const auto& other) { return other.first == given.name; };
    if (std::any_of(settings.begin(), settings.end(), same)) {
      throw InvalidArgument(fmt::format("--set {}: given twice", given.name));
    }
    settings.emplace_back(given.name, parse_integer(given.value, "--set " + given.name));
  }
  return settings;
}

}  // namespace tilejit::tool
