#include <tilejit/runtime/emulator/kernel/frame.h>

#include <charconv>

namespace tilejit::emulator {

std::optional<Frame::Found> Frame::find(std::string_view name, int scope) {
  if (names_.empty()) {
    names_.resize(function->scopes.size());
    for (std::size_t s = 0; s < function->scopes.size(); ++s) {
      for (const ptx::Variable& v : function->scopes[s].variables) names_[s].emplace(v.name, &v);
    }
  }
  std::size_t stem = name.size();
  while (stem > 0 && name[stem - 1] >= '0' && name[stem - 1] <= '9') --stem;
  int number = -1;
  if (stem < name.size()) std::from_chars(name.data() + stem, name.data() + name.size(), number);
  for (; scope >= 0; scope = function->scopes[static_cast<std::size_t>(scope)].parent) {
    const auto& names = names_[static_cast<std::size_t>(scope)];
    if (const auto exact = names.find(name); exact != names.end() && exact->second->count == 0) {
      return Found{exact->second, -1, scope};
    }
    if (number < 0) continue;
    const auto range = names.find(name.substr(0, stem));
    if (range != names.end() && number < range->second->count) return Found{range->second, number, scope};
  }
  return std::nullopt;
}

}  // namespace tilejit::emulator
