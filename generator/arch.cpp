#include <tilejit/generator/arch.h>

#include <charconv>

namespace tilejit {

std::optional<Arch> Arch::parse(std::string_view name) {
  Arch arch;
  if (name.starts_with("compute_")) {
    arch.real = false;
    name.remove_prefix(8);
  } else if (name.starts_with("sm_")) {
    name.remove_prefix(3);
  } else {
    return std::nullopt;
  }
  if (!name.empty() && (name.back() == 'a' || name.back() == 'f')) {
    arch.suffix = name.back();
    name.remove_suffix(1);
  }
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), arch.number);
  if (error != std::errc() || end != name.data() + name.size() || arch.number < 10 || arch.number > 999)
    return std::nullopt;
  return arch;
}

std::string Arch::name(std::string_view prefix) const {
  std::string text = std::string(prefix) + std::to_string(number);
  if (suffix != 0) text.push_back(suffix);
  return text;
}

}  // namespace tilejit
