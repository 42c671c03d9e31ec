#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>

#include <tilejit/generator/object_code.h>

// ptxas -v says of each function, one after the other:
//   ptxas info    : Compiling entry function 'k' for 'sm_90'
//   ptxas info    : Function properties for k
//       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : Used 12 registers, used 1 barriers, 256 bytes smem, 400 bytes cmem[0]

namespace tilejit {
namespace {

/// The number that stands before `unit` in a comma-separated line; -1: none.
int number_before(std::string_view line, std::string_view unit) {
  const std::size_t end = line.find(unit);
  if (end == std::string_view::npos) return -1;
  std::size_t start = end;
  while (start > 0 && line[start - 1] >= '0' && line[start - 1] <= '9') --start;
  int number = -1;
  std::from_chars(line.data() + start, line.data() + end, number);
  return number;
}

std::string_view last_word(std::string_view line, std::string_view before) {
  const std::size_t start = line.find(before);
  if (start == std::string_view::npos) return {};
  std::string_view word = line.substr(start + before.size());
  const std::size_t first = word.find_first_not_of(" '");
  if (first == std::string_view::npos) return {};
  word.remove_prefix(first);
  return word.substr(0, word.find_first_of(" '\r"));
}

void keep(int& field, int found) {
  if (found >= 0) field = found;
}

}  // namespace

Resources resources_in(const std::string& log, const std::string& entry) {
  Resources resources;
  bool compiling_entry = false, properties_of_entry = false;
  std::string_view rest = log;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (const auto name = last_word(line, "Compiling entry function"); !name.empty()) compiling_entry = name == entry;
    if (const auto name = last_word(line, "Function properties for"); !name.empty())
      properties_of_entry = name == entry;
    if (properties_of_entry) {
      keep(resources.stack, number_before(line, " bytes stack frame"));
      keep(resources.spill_stores, number_before(line, " bytes spill stores"));
      keep(resources.spill_loads, number_before(line, " bytes spill loads"));
    }
    if (compiling_entry && number_before(line, " registers") >= 0) {
      resources.registers = number_before(line, " registers");
      // What is not used is left out of this line.
      resources.barriers = std::max(0, number_before(line, " barriers"));
      resources.shared = std::max(0, number_before(line, " bytes smem"));
      keep(resources.stack, number_before(line, " bytes cumulative stack size"));
    }
  }
  return resources;
}

int scratch_in(const std::string& ptx) {
  constexpr std::string_view mark = "// tilejit.scratch ";
  std::int64_t largest = 0;
  for (std::size_t at = ptx.find(mark); at != std::string::npos; at = ptx.find(mark, at + 1)) {
    std::int64_t bytes = 0;
    std::from_chars(ptx.data() + at + mark.size(), ptx.data() + ptx.size(), bytes);
    largest = std::max(largest, bytes);
  }
  return static_cast<int>(std::min<std::int64_t>(largest, INT32_MAX));
}

}  // namespace tilejit
