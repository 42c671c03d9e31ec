#include <algorithm>
#include <cstdio>

#include <tilejit/generator/ptx/print.h>
#include <tilejit/tests/ptx/normal.h>
#include <tilejit/tests/ptx/statements.h>

namespace tilejit::ptx {

namespace {

std::string linkage(bool external, bool visible, bool weak) {
  return std::string(external ? ".extern " : "") + (visible ? ".visible " : "") + (weak ? ".weak " : "");
}

std::string values_of(const Variable& variable) {
  const int size = bytes_of(variable.type);
  std::string result;
  std::size_t symbol = 0;
  for (std::size_t at = 0; at + static_cast<std::size_t>(size) <= variable.initial.size();
       at += static_cast<std::size_t>(size)) {
    result += result.empty() ? "" : ",";
    if (symbol < variable.initial_symbols.size() &&
        variable.initial_symbols[symbol].offset == static_cast<std::int64_t>(at)) {
      const InitialSymbol& here = variable.initial_symbols[symbol++];
      result += (here.generic ? "generic(" : "") + std::string(here.symbol) + (here.generic ? ")" : "");
      result += here.addend != 0 ? "+" + std::to_string(here.addend) : "";
      continue;
    }
    std::uint64_t value = 0;
    for (int i = size; i > 0; --i) {
      value = value << 8 | variable.initial[at + static_cast<std::size_t>(i - 1)];
    }
    char text[32];
    std::snprintf(text, sizeof text,
                  variable.type == "f32"   ? "0f%08llX"
                  : variable.type == "f64" ? "0d%016llX"
                                           : "%llu",
                  static_cast<unsigned long long>(value));
    result += text;
  }
  return variable.elements == 1 ? result : "{" + result + "}";
}

std::string declaration_of(const Variable& variable) {
  std::string result = linkage(variable.external, variable.visible, variable.weak) + "." + std::string(variable.space);
  if (variable.align != 0) {
    result += " .align " + std::to_string(variable.align);
  }
  if (variable.vector != 1) {
    result += " .v" + std::to_string(variable.vector);
  }
  result += " ." + std::string(variable.type) + " " + std::string(variable.name);
  if (variable.count != 0) {
    result += "<" + std::to_string(variable.count) + ">";
  }
  if (variable.elements != 1) {
    result += "[" + (variable.elements == 0 ? "" : std::to_string(variable.elements)) + "]";
  }
  if (!variable.initial.empty()) {
    result += "=" + values_of(variable);
  }
  return normal(result);
}

std::string list_of(const std::vector<Variable>& variables) {
  std::string result;
  for (const Variable& variable : variables) {
    result += (result.empty() ? "" : ",") + declaration_of(variable);
  }
  return "(" + result + ")";
}

std::string header_of(const Function& function) {
  std::string result =
      linkage(function.external, function.visible, function.weak) + (function.entry ? ".entry" : ".func");
  result += (function.results.empty() ? "" : list_of(function.results)) + " " + std::string(function.name);
  result += list_of(function.parameters);
  for (const auto& [name, values] : function.directives) {
    result += "." + std::string(name);
    for (const std::int64_t value : values) {
      result += "," + std::to_string(value);
    }
  }
  return normal(result);
}

}  // namespace

Statements statements_of(const Module& module) {
  Statements result;
  for (const Variable& variable : module.variables) {
    result.variables.push_back(declaration_of(variable));
  }
  for (const auto& [number, name] : module.files) {
    result.files.push_back(std::to_string(number) + " " + name);
  }
  for (const Function& function : module.functions) {
    result.functions.push_back(header_of(function));
    const auto place = [&](int scope) { return std::string(function.name) + "#" + std::to_string(scope) + " "; };
    for (int i = 0; i < static_cast<int>(function.scopes.size()); ++i) {
      const Scope& scope = function.scopes[static_cast<std::size_t>(i)];
      for (const Variable& variable : scope.variables) {
        result.declarations.push_back(place(i) + declaration_of(variable));
      }
      for (const Function& prototype : scope.prototypes) {
        result.declarations.push_back(place(i) + normal(std::string(prototype.name) + " .callprototype " +
                                                        (prototype.results.empty() ? "" : list_of(prototype.results)) +
                                                        " _" + list_of(prototype.parameters)));
      }
      for (const auto& [label, index] : scope.labels) {
        result.labels.push_back(place(i) + std::string(label) + " " + std::to_string(index));
      }
    }
    for (const Instruction& instruction : function.body) {
      std::string where = "- ";
      if (instruction.location >= 0) {
        const SourceLocation& location = function.locations[static_cast<std::size_t>(instruction.location)];
        where = std::to_string(location.file) + ":" + std::to_string(location.line) + ":" +
                std::to_string(location.column) + " ";
      }
      std::string text = to_text(instruction);
      text.pop_back();
      result.instructions.push_back(place(instruction.scope) + where + normal(text));
    }
  }
  for (auto* sorted : {&result.declarations, &result.labels, &result.files}) {
    std::sort(sorted->begin(), sorted->end());
  }
  return result;
}

}  // namespace tilejit::ptx
