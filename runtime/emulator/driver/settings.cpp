#include <tilejit/runtime/emulator/driver/settings.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace tilejit::emulator {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : std::string_view(value);
}

/// A whole number with an optional K, M, G or T.
bool read_number(std::string_view text, std::uint64_t& out) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return false;
  std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (rest.size() > 1) return false;
  const std::string_view units = "KMGT";
  if (!rest.empty()) {
    const std::size_t unit = units.find(rest[0]);
    if (unit == std::string_view::npos) return false;
    const int shift = 10 * (static_cast<int>(unit) + 1);
    if (value > (std::uint64_t{1} << (63 - shift))) return false;
    value <<= shift;
  }
  out = value;
  return true;
}

void refuse(Settings& settings, const char* name, const char* wanted) {
  settings.problem = std::string(name) + "='" + std::string(variable(name)) + "': " + wanted;
}

}  // namespace

Settings read_settings() {
  Settings s;
  if (const std::string_view cc = variable("TILEJIT_EMULATED_CC"); !cc.empty()) {
    if (cc == "8.0")
      s.major = 8, s.minor = 0;
    else if (cc == "8.9")
      s.major = 8, s.minor = 9;
    else if (cc == "9.0")
      s.major = 9, s.minor = 0;
    else if (cc == "10.0")
      s.major = 10, s.minor = 0;
    else
      refuse(s, "TILEJIT_EMULATED_CC", "8.0, 8.9, 9.0 or 10.0 is wanted");
  }
  const auto number = [&](const char* name, std::uint64_t& out) {
    if (!variable(name).empty() && !read_number(variable(name), out)) refuse(s, name, "a whole number is wanted");
  };
  number("TILEJIT_EMULATED_MEMORY", s.memory);
  number("TILEJIT_EMULATED_SHUFFLE", s.shuffle);
  std::uint64_t workers = 0;
  number("TILEJIT_EMULATED_WORKERS", workers);
  s.workers = static_cast<int>(workers > 1024 ? 1024 : workers);
  if (const std::string_view in_order = variable("TILEJIT_EMULATED_DETERMINISTIC"); !in_order.empty()) {
    s.deterministic = in_order == "1";
    if (in_order != "0" && in_order != "1") refuse(s, "TILEJIT_EMULATED_DETERMINISTIC", "0 or 1 is wanted");
  }
  if (const std::string_view mma = variable("TILEJIT_EMULATED_MMA"); !mma.empty()) {
    s.plain_mma = mma == "plain";
    if (mma != "plain" && mma != "exact") refuse(s, "TILEJIT_EMULATED_MMA", "exact or plain is wanted");
  }
  s.instruction_set = std::string(variable("TILEJIT_EMULATED_SET"));
  if (const std::string& set = s.instruction_set; !set.empty() && set != "v2" && set != "v3" && set != "v4")
    refuse(s, "TILEJIT_EMULATED_SET", "v2, v3 or v4 is wanted");
  std::string_view checks = variable("TILEJIT_EMULATED_CHECK");
  if (!checks.empty()) s.check_unwritten = s.check_races = false;
  while (!checks.empty()) {
    const std::size_t comma = checks.find(',');
    const std::string_view one = checks.substr(0, comma);
    checks = comma == std::string_view::npos ? std::string_view{} : checks.substr(comma + 1);
    if (one == "unwritten" || one == "all") s.check_unwritten = true;
    if (one == "races" || one == "all") s.check_races = true;
    if (one != "unwritten" && one != "races" && one != "all" && one != "none") {
      refuse(s, "TILEJIT_EMULATED_CHECK", "unwritten, races, all or none is wanted");
    }
  }
  return s;
}

}  // namespace tilejit::emulator
