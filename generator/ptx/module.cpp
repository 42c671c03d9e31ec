#include <tilejit/generator/ptx/module.h>

#include <algorithm>

namespace tilejit::ptx {

SyntaxError::SyntaxError(int line, int column, const std::string& message)
    : line_(line), column_(column), text_(std::to_string(line) + ":" + std::to_string(column) + ": " + message) {}

bool Instruction::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

const Function* Module::find(std::string_view name) const {
  const auto found = function_index.find(name);
  return found == function_index.end() ? nullptr : &functions[found->second];
}

const Variable* Module::find_variable(std::string_view name) const {
  const auto found = variable_index.find(name);
  return found == variable_index.end() ? nullptr : &variables[found->second];
}

}  // namespace tilejit::ptx
