#include <tilejit/generator/ptx/module.h>

#include <algorithm>

namespace tilejit::ptx {

SyntaxError::SyntaxError(int line, int column, const std::string& message)
    : line_(line), column_(column), text_(std::to_string(line) + ":" + std::to_string(column) + ": " + message) {}

bool Instruction::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

const Function* Module::find(std::string_view name) const {
  const Function* declared = nullptr;
  for (const Function& function : functions) {
    if (function.name == name) {
      if (!function.declaration) {
        return &function;
      }
      declared = &function;
    }
  }
  return declared;
}

}  // namespace tilejit::ptx
