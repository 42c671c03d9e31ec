#include <tilejit/generator/ptx/split_access.h>

#include <algorithm>

namespace tilejit::ptx {

namespace {

constexpr int widest = 16;

template <class Visit>
void each_written(const Instruction& instruction, const Visit& visit) {
  if (instruction.operands.empty()) {
    return;
  }
  const Operand& first = instruction.operands[0];
  if (first.kind == Operand::Kind::name) {
    visit(first.text);
  }
  for (const Operand& element : first.elements) {
    visit(element.text);
  }
}

}  // namespace

void SplitAccesses::see(const Instruction& instruction, std::string_view space, bool store, int bytes) {
  const std::size_t at = store ? 0 : 1;
  const bool plain_address = instruction.operands.size() > at &&
                             instruction.operands[at].kind == Operand::Kind::address &&
                             instruction.operands[at].elements.empty();
  if (plain_address && bytes > 0 && bytes < widest) {
    const Operand& address = instruction.operands[at];
    open_[{address.text, space, store, bytes, instruction.guard, instruction.guard_negated}].push_back(
        {address.integer, instruction.line, instruction.location});
  }
  if (!store) {
    see_other(instruction);
  }
}

void SplitAccesses::see_other(const Instruction& instruction) {
  each_written(instruction, [&](std::string_view name) { forget(name); });
}

void SplitAccesses::forget(std::string_view written) {
  auto entry = open_.lower_bound({written, {}, false, 0, {}, false});
  while (entry != open_.end() && std::get<0>(entry->first) == written) {
    close(entry->first, entry->second);
    entry = open_.erase(entry);
  }
}

void SplitAccesses::end_of_straight_line() {
  for (auto& [key, sites] : open_) {
    close(key, sites);
  }
  open_.clear();
}

void SplitAccesses::close(const Key& key, std::vector<Site>& sites) {
  const auto& [base, space, store, bytes, guard, negated] = key;
  std::stable_sort(sites.begin(), sites.end(), [](const Site& a, const Site& b) { return a.offset < b.offset; });
  for (std::size_t start = 0; start < sites.size();) {
    std::size_t end = start + 1;
    while (end < sites.size() &&
           static_cast<std::uint64_t>(sites[end].offset) - static_cast<std::uint64_t>(sites[end - 1].offset) ==
               static_cast<std::uint64_t>(bytes)) {
      ++end;
    }
    if (end - start > 1) {
      const auto first = std::min_element(sites.begin() + static_cast<std::ptrdiff_t>(start),
                                          sites.begin() + static_cast<std::ptrdiff_t>(end),
                                          [](const Site& a, const Site& b) { return a.line < b.line; });
      SplitAccess access{std::string(space), store, bytes, {}, first->line, first->location};
      for (std::size_t i = start; i < end; ++i) {
        access.offsets.push_back(sites[i].offset);
      }
      found_.push_back(std::move(access));
    }
    start = end;
  }
}

std::vector<SplitAccess> SplitAccesses::take() {
  end_of_straight_line();
  std::stable_sort(found_.begin(), found_.end(),
                   [](const SplitAccess& a, const SplitAccess& b) { return a.line < b.line; });
  return std::move(found_);
}

}  // namespace tilejit::ptx
