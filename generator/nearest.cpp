#include <tilejit/generator/nearest.h>

#include <algorithm>
#include <cctype>

namespace tilejit {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// In half edits.
int distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<int> table((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> int& { return table[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = static_cast<int>(2 * i);
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = static_cast<int>(2 * j);
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char x = a[i - 1], y = b[j - 1];
      const int replace = x == y ? 0 : lower(x) == lower(y) ? 1 : 2;
      int best = std::min({at(i - 1, j) + 2, at(i, j - 1) + 2, at(i - 1, j - 1) + replace});
      if (i > 1 && j > 1 && x == b[j - 2] && y == a[i - 2]) best = std::min(best, at(i - 2, j - 2) + 2);
      at(i, j) = best;
    }
  return at(a.size(), b.size());
}

constexpr std::size_t longest = 64;  // a name, not a text: the table stays small
constexpr std::size_t short_list = 12;

}  // namespace

std::vector<std::string> nearest_names(std::string_view name, std::span<const std::string> known) {
  if (name.empty() || name.size() > longest) return {};
  std::vector<std::pair<int, std::string>> near;
  for (const std::string& candidate : known) {
    if (candidate.size() > longest) continue;
    int edits = distance(name, candidate);
    const std::size_t shorter = std::min(name.size(), candidate.size());
    const bool part = shorter >= 3 && (name.find(candidate) != name.npos || candidate.find(name) != candidate.npos);
    if (part) edits = std::min(edits, 4);
    const int allowed = std::max<int>(2, static_cast<int>(2 * shorter / 3));
    if (edits <= allowed || part) near.emplace_back(edits, candidate);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  if (near.size() > 3) near.resize(3);
  std::vector<std::string> names;
  for (auto& [edits, candidate] : near) names.push_back(std::move(candidate));
  return names;
}

std::string suggestion(std::string_view name, std::span<const std::string> known) {
  const std::vector<std::string> near = nearest_names(name, known);
  const bool list_all = near.empty() && !known.empty() && known.size() <= short_list;
  const std::span<const std::string> shown = list_all ? known : std::span<const std::string>(near);
  if (shown.empty()) return {};
  std::string text = list_all ? " (known: " : " (did you mean ";
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (i > 0) text += list_all || i + 1 < shown.size() ? ", " : " or ";
    text += shown[i];
  }
  return text + (list_all ? ")" : "?)");
}

}  // namespace tilejit
