#include <tilejit/tools/scalar_argument.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include <tilejit/generator/error.h>

namespace tilejit::tool {
namespace {

template <class T>
bool read(std::string_view text, T& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end;
}

}  // namespace

Argument parse_scalar(const ArgumentInfo& declared, std::string_view value) {
  if (!declared.choices.empty()) {
    const auto found = std::ranges::find(declared.choices, value);
    if (found != declared.choices.end()) return std::int64_t(found - declared.choices.begin());
    throw InvalidArgument(
        fmt::format("{}: '{}' is none of {}", declared.name, value, fmt::join(declared.choices, ", ")));
  }
  if (value == "true") return true;
  if (value == "false") return false;
  const std::string_view digits = value.starts_with('+') ? value.substr(1) : value;
  if (std::int64_t integer = 0; read(digits, integer)) return integer;
  if (declared.dtype == DType::f32) {
    if (float number = 0; read(digits, number)) return number;
  }
  if (double number = 0; read(digits, number)) return number;
  throw InvalidArgument(
      fmt::format("{}: '{}' is no {} value: expected a number", declared.name, value, name_of(declared.dtype)));
}

Argument default_scalar(const ArgumentInfo& declared) {
  if (!declared.default_value) {
    throw InvalidArgument(
        fmt::format("{}: missing: {}={} value", declared.name, declared.name, name_of(declared.dtype)));
  }
  const double value = *declared.default_value;
  if (declared.dtype == DType::f32) return float(value);
  if (is_floating(declared.dtype)) return value;
  return std::int64_t(value);
}

}  // namespace tilejit::tool
