#include <algorithm>
#include <set>

#include <tilejit/runtime/emulator/kernel/decoder.h>

/// Where a kernel's shared variables lie: static ones in the order they are met, behind them all dynamic ones together.
namespace tilejit::emulator {
namespace {

void names_in(const std::vector<ptx::Operand>& operands, std::set<std::string_view>& names) {
  for (const ptx::Operand& operand : operands) {
    if (!operand.text.empty()) names.insert(operand.text);
    names_in(operand.elements, names);
  }
}

std::int64_t alignment(const ptx::Variable& v) { return std::max({v.align, ptx::bytes_of(v.type) * v.vector, 1}); }

}  // namespace

Symbol Decoder::shared_symbol(const ptx::Variable& v) {
  if (v.external || v.elements == 0) return {Space::shared, dynamic_shared_, 0};
  const auto [place, added] = shared_.try_emplace(&v);
  if (added) {
    const std::int64_t bytes = ptx::bytes_of(v), align = alignment(v);
    const std::int64_t offset = (program_.shared_bytes + align - 1) / align * align;
    program_.shared_bytes = offset + bytes;
    program_.shared.push_back({std::string(v.name), shared_start + offset, bytes});
    place->second = {Space::shared, shared_start + offset, bytes};
  }
  return place->second;
}

void Decoder::place_shared(const ptx::Function& kernel) {
  std::vector<const ptx::Function*> reached{&kernel};
  std::set<std::string_view> names;
  std::set<const ptx::Function*> seen{&kernel};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const ptx::Function& function = *reached[i];
    for (const ptx::Scope& scope : function.scopes) {
      for (const ptx::Variable& v : scope.variables) {
        if (v.space == "shared" && !v.external) shared_symbol(v);
      }
    }
    for (const ptx::Instruction& in : function.body) names_in(in.operands, names);
    for (const ptx::Function& other : image_.module->functions) {
      if (!other.declaration && names.contains(other.name) && seen.insert(&other).second) reached.push_back(&other);
    }
  }
  std::int64_t align = 16;
  for (const ptx::Variable& v : image_.module->variables) {
    if (v.space != "shared" || !names.contains(v.name)) continue;
    if (v.external || v.elements == 0) {
      align = std::max(align, alignment(v));
    } else {
      shared_symbol(v);
    }
  }
  dynamic_shared_ = (shared_start + program_.shared_bytes + align - 1) / align * align;
  program_.dynamic_start = dynamic_shared_;
}

}  // namespace tilejit::emulator
