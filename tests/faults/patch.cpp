#include <tilejit/tests/faults/patch.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace tilejit::test {
namespace {

std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t comma = list.find(", ");
    names.emplace_back(list.substr(0, comma));
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 2);
  }
  return names;
}

}  // namespace

Patch parse_patch(std::string_view name, std::string_view text) {
  constexpr std::string_view caught = "caught by: ", target = "+++ b/";
  const auto fail = [&](const std::string& why) { throw PatchError(std::string(name) + ": " + why); };
  Patch patch;
  patch.name = name;
  bool in_hunk = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.starts_with("diff --git ") || line.starts_with("--- ")) {
      in_hunk = false;
    } else if (line.starts_with(target)) {
      patch.files.push_back({std::string(line.substr(target.size())), {}});
    } else if (line.starts_with("@@ ")) {
      if (patch.files.empty()) fail("a hunk before the name of a file");
      patch.files.back().hunks.emplace_back();
      in_hunk = true;
    } else if (in_hunk) {
      if (line.empty() || std::string_view(" +-").find(line[0]) == std::string_view::npos)
        fail("no line of a hunk: '" + std::string(line) + "'");
      Patch::Hunk& hunk = patch.files.back().hunks.back();
      const std::string rest = std::string(line.substr(1)) + "\n";
      if (line[0] != '+') hunk.before += rest;
      if (line[0] != '-') hunk.after += rest;
    } else if (line.starts_with(caught)) {
      patch.caught_by = names_in(line.substr(caught.size()));
    }
  }
  if (patch.caught_by.empty()) fail("no line says what it is caught by");
  if (patch.files.empty()) fail("there is no diff in it");
  for (const Patch::File& file : patch.files)
    if (file.hunks.empty()) fail(file.name + " has no hunk");
  return patch;
}

Patch read_patch(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw PatchError(path + ": cannot be read");
  return parse_patch(std::filesystem::path(path).stem().string(), std::string{std::istreambuf_iterator<char>(in), {}});
}

std::string patched(const Patch& patch, const Patch::File& file, std::string text) {
  for (const Patch::Hunk& hunk : file.hunks) {
    const std::string where = patch.name + ": " + file.name;
    const std::size_t at = ("\n" + text).find("\n" + hunk.before);
    if (at == std::string::npos) throw PatchError(where + " does not have these lines:\n" + hunk.before);
    if (("\n" + text).find("\n" + hunk.before, at + 1) != std::string::npos)
      throw PatchError(where + " has these lines more than once:\n" + hunk.before);
    text.replace(at, hunk.before.size(), hunk.after);
  }
  return text;
}

}  // namespace tilejit::test
