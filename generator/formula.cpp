#include <tilejit/generator/formula.h>

#include <fmt/format.h>

#include <algorithm>

#include <tilejit/generator/formula_functions.h>

namespace tilejit {

FormulaError::FormulaError(int column, const std::string& what_is_wrong, std::string_view text)
    : InvalidArgument(fmt::format("column {}: {}\n  {}\n  {:>{}}", column, what_is_wrong, text, '^', column)),
      column_(column) {}
FormulaError::~FormulaError() = default;

std::vector<std::string> Formula::known_functions() {
  std::vector<std::string> names;
  for (const FormulaFunction& function : formula_functions) names.emplace_back(function.name);
  return names;
}

bool Formula::keeps_integers() const {
  return std::all_of(nodes_.begin(), nodes_.end(), [](const Node& node) {
    switch (node.operation) {
      case Operation::number:
        return node.is_whole;
      case Operation::divide:
        return false;
      default:
        break;
    }
    for (const FormulaFunction& function : formula_functions)
      if (function.operation == node.operation) return function.keeps_integers;
    return true;
  });
}

std::string_view name_of(Formula::Operation operation) {
  using enum Formula::Operation;
  switch (operation) {
    case number:
      return "a number";
    case input:
      return "a name";
    case add:
      return "+";
    case subtract:
    case negate:
      return "-";
    case multiply:
      return "*";
    case divide:
      return "/";
    case less:
      return "<";
    case less_equal:
      return "<=";
    case greater:
      return ">";
    case greater_equal:
      return ">=";
    case equal:
      return "==";
    case not_equal:
      return "!=";
    default:
      break;
  }
  for (const FormulaFunction& function : formula_functions)
    if (function.operation == operation) return function.name;
  return "?";
}

}  // namespace tilejit
