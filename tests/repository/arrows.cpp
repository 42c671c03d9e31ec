#include "tests/repository/arrows.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>

namespace tilejit::test {
namespace {
namespace fs = std::filesystem;

struct Row {
  std::string_view room;
  std::string_view columns;
  std::string_view cuda;  // which of NVIDIA's headers
};

// A row includes, a column is included: x is yes, . is no, p is public headers alone. Columns stand in the rows' order.
// clang-format off
constexpr Row matrix[] = {
    //                    cache
    //                    |  generator/ptx
    //                    |  |  generator
    //                    |  |  |  templates
    //                    |  |  |  |  runtime
    //                    |  |  |  |  |  runtime/emulator
    //                    |  |  |  |  |  |  tools
    //                    |  |  |  |  |  |  |  tests
    //                    |  |  |  |  |  |  |  |  bench
    //                    |  |  |  |  |  |  |  |  |  examples
    {"cache",            "x  .  .  .  .  .  .  .  .  .", ""},
    {"generator/ptx",    ".  x  .  .  .  .  .  .  .  .", ""},
    {"generator",        "x  x  x  .  .  .  .  .  .  .", "nvrtc.h"},
    {"templates",        ".  .  .  x  .  .  .  .  .  .", ""},
    {"runtime",          "x  x  x  .  x  .  .  .  .  .", "cuda.h"},
    {"runtime/emulator", ".  x  .  .  .  x  .  .  .  .", "cuda.h"},
    {"tools",            "x  x  x  .  x  x  x  .  .  .", "cuda.h"},
    {"tests",            "x  x  x  .  x  x  x  x  x  .", "cuda.h nvrtc.h"},
    {"bench",            "x  x  x  .  x  .  x  .  x  .", "cuda.h nvrtc.h"},
    {"examples",         "p  .  p  .  p  .  .  .  .  x", "cuda.h"},
};
// clang-format on

std::string_view room_of(std::string_view path) {
  std::string_view best;
  for (const Row& row : matrix)
    if (path.starts_with(row.room) && path.substr(row.room.size()).starts_with('/') && row.room.size() > best.size())
      best = row.room;
  return best;
}

struct Include {
  std::string file;  // below the root
  int line;
  std::string name;
  bool quoted;
};

std::vector<Include> includes_of(const fs::path& root, const fs::path& file) {
  static const std::regex* const pattern = new std::regex(R"rx(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)rx");
  std::vector<Include> found;
  std::ifstream in(file);
  std::string text;
  for (int line = 1; std::getline(in, text); ++line)
    if (std::smatch match; std::regex_match(text, match, *pattern))
      found.push_back({fs::relative(file, root).generic_string(), line, match[2], match[1] == "\""});
  return found;
}

std::set<std::string> public_headers(const fs::path& root) {
  std::set<std::string> found;
  std::vector<std::string> waiting = {"tilejit.h"};
  while (!waiting.empty()) {
    std::string header = waiting.back();
    waiting.pop_back();
    if (!found.insert(header).second) continue;
    for (const Include& include : includes_of(root, root / header))
      if (include.name.starts_with("tilejit/")) waiting.push_back(include.name.substr(8));
  }
  return found;
}

bool is_header(std::string_view file) { return file.ends_with(".h"); }

// The rule that an include breaks, or "".
std::string broken_rule(const fs::path& root, const std::set<std::string>& public_ones, const Include& include) {
  const std::string_view from = room_of(include.file);
  const bool is_public = public_ones.contains(include.file);
  if (from == "templates") {
    if (!include.quoted) return "templates include no header from outside";
    const fs::path beside = fs::path(include.file).parent_path() / include.name;
    for (const fs::path& path : {beside.lexically_normal(), ("templates" / fs::path(include.name)).lexically_normal()})
      if (room_of(path.generic_string()) == "templates" && fs::exists(root / path)) return "";
    return "no such file in templates/";
  }
  if (include.name.starts_with("tilejit/")) {
    if (include.quoted) return "spelt <tilejit/...>";
    const std::string header = include.name.substr(8);
    if (!fs::exists(root / header)) return "no such header";
    if (from.empty()) return "";
    if (header == "tilejit.h")
      return arrow(from, "runtime") != Arrow::forbidden && from != "runtime" ? "" : "the umbrella is for users";
    // The emulated device's own contract: plain data behind dlsym, no symbol to link.
    if ((from == "runtime" || from == "bench") && header == "runtime/emulator/counters.h") return "";
    const std::string_view to = room_of(header);
    const Arrow kind = to.empty() ? Arrow::forbidden : arrow(from, to);
    if (kind == Arrow::allowed || (kind == Arrow::public_headers && public_ones.contains(header))) return "";
    const std::string what = kind == Arrow::public_headers ? " but what is public" : "";
    return std::string(from) + " may not include " + std::string(to) + what;
  }
  if (from == "tests" || from == "examples") return "";
  if (include.quoted) return include.name == "tilejit_templates.h" ? "" : "spelt <tilejit/...>";
  if (include.name == "cuda.h" || include.name == "nvrtc.h" || include.name.starts_with("cuda")) {
    if (is_public) return "public headers include the C++ standard library and public headers alone";
    for (const Row& row : matrix)
      if (row.room == from && row.cuda.find(include.name) != row.cuda.npos) return "";
    return std::string(from) + " may not include this header of NVIDIA's";
  }
  if (is_public && !std::regex_match(include.name, std::regex("[a-z_]+")))
    return "public headers include the C++ standard library and public headers alone";
  for (std::string_view library : {"spdlog/", "fmt/", "toml", "nlohmann/"})
    if (is_header(include.file) && include.name.starts_with(library)) return "for .cpp files only";
  return "";
}

}  // namespace

std::vector<std::string_view> rooms() {
  std::vector<std::string_view> names;
  for (const Row& row : matrix) names.push_back(row.room);
  return names;
}

Arrow arrow(std::string_view from, std::string_view to) {
  const auto named = [](std::string_view room) { return [room](const Row& row) { return row.room == room; }; };
  const auto* row = std::find_if(std::begin(matrix), std::end(matrix), named(from));
  const auto* column = std::find_if(std::begin(matrix), std::end(matrix), named(to));
  if (row == std::end(matrix) || column == std::end(matrix)) return Arrow::forbidden;
  const char mark = row->columns.at(3 * static_cast<std::size_t>(column - std::begin(matrix)));
  return mark == 'x' ? Arrow::allowed : mark == 'p' ? Arrow::public_headers : Arrow::forbidden;
}

std::vector<std::string> forbidden_includes(const fs::path& root) {
  const std::set<std::string> public_ones = public_headers(root);
  std::vector<std::string> found;
  const auto check = [&](const fs::path& file) {
    for (const Include& include : includes_of(root, file)) {
      const std::string rule = broken_rule(root, public_ones, include);
      if (rule.empty()) continue;
      const std::string name = include.quoted ? '"' + include.name + '"' : '<' + include.name + '>';
      found.push_back(include.file + ':' + std::to_string(include.line) + ": " + name + ": " + rule);
    }
  };
  check(root / "tilejit.h");
  for (const Row& row : matrix) {
    if (!fs::exists(root / row.room)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / row.room)) {
      const std::string path = fs::relative(entry.path(), root).generic_string();
      const std::string suffix = entry.path().extension();
      if (room_of(path) != row.room) continue;
      if (suffix == ".h" || suffix == ".cpp" || (suffix == ".cuh" && row.room == "templates")) check(entry.path());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace tilejit::test
