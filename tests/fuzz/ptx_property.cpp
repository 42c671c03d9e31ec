#include <tilejit/tests/fuzz/ptx_property.h>

#include <algorithm>
#include <functional>

#include <tilejit/generator/ptx/facts.h>
#include <tilejit/generator/ptx/module.h>
#include <tilejit/generator/ptx/print.h>

namespace tilejit::ptx {

namespace {

class Check {
 public:
  explicit Check(const Module& module) : module_(module) {}

  std::string run() {
    for (const Variable& variable : module_.variables) {
      check(variable);
    }
    for (const Function& function : module_.functions) {
      check(function);
    }
    return broken_;
  }

 private:
  void require(bool holds, const char* what) {
    if (!holds && broken_.empty()) {
      broken_ = what;
    }
  }

  void borrowed(std::string_view view) {
    const std::less_equal<const char*> before;
    const char* begin = module_.text.data();
    require(
        view.empty() || (before(begin, view.data()) && before(view.data() + view.size(), begin + module_.text.size())),
        "a view outside the module's text");
  }

  void check(const Variable& variable) {
    borrowed(variable.name);
    borrowed(variable.type);
    borrowed(variable.space);
    require(variable.elements >= 0 && variable.count >= 0 && bytes_of(variable) >= 0, "a negative size");
    require(variable.initial.empty() || static_cast<std::int64_t>(variable.initial.size()) <= bytes_of(variable),
            "more initial bytes than the variable has");
    std::int64_t last = -1;
    for (const InitialSymbol& symbol : variable.initial_symbols) {
      borrowed(symbol.symbol);
      require(symbol.offset > last, "initial symbols out of order");
      last = symbol.offset;
      require(symbol.offset + symbol.bytes <= static_cast<std::int64_t>(variable.initial.size()),
              "an initial symbol outside the variable");
    }
  }

  void check(const Operand& operand) {
    borrowed(operand.text);
    for (const Operand& element : operand.elements) {
      check(element);
    }
  }

  void check(const Function& function) {
    borrowed(function.name);
    const int scopes = static_cast<int>(function.scopes.size());
    const int locations = static_cast<int>(function.locations.size());
    const int instructions = static_cast<int>(function.body.size());
    require(function.declaration == function.scopes.empty(), "a body without a scope");
    for (int i = 0; i < scopes; ++i) {
      const Scope& scope = function.scopes[static_cast<std::size_t>(i)];
      require(i == 0 ? scope.parent == -1 : scope.parent >= 0 && scope.parent < i, "a scope before its parent");
      for (const Variable& variable : scope.variables) {
        check(variable);
      }
      for (const auto& [label, index] : scope.labels) {
        borrowed(label);
        require(index >= 0 && index <= instructions, "a label outside the body");
      }
    }
    for (int i = 0; i < locations; ++i) {
      require(function.locations[static_cast<std::size_t>(i)].inlined_at < i, "inlined at a later place");
    }
    for (const Instruction& instruction : function.body) {
      require(instruction.scope >= 0 && instruction.scope < scopes, "an instruction in no scope");
      require(instruction.location >= -1 && instruction.location < locations, "an instruction at no place");
      for (const Operand& operand : instruction.operands) {
        check(operand);
      }
    }
    facts_of(module_, function);
  }

  const Module& module_;
  std::string broken_;
};

/// One line an instruction, so that reading it again gives the same lines.
std::string printed(const Module& module) {
  std::string result;
  for (const Function& function : module.functions) {
    for (const Instruction& instruction : function.body) {
      result += to_text(instruction) + "\n";
    }
  }
  return result;
}

}  // namespace

std::string broken_property(const std::string& bytes) {
  std::unique_ptr<const Module> module;
  try {
    module = read(bytes);
  } catch (const SyntaxError& error) {
    const auto lines = std::count(bytes.begin(), bytes.end(), '\n') + 1;
    return error.line() >= 1 && error.line() <= lines && error.column() >= 1 ? "" : "an error outside the text";
  }
  const std::string broken = Check(*module).run();
  if (!broken.empty()) {
    return broken;
  }
  const std::string lines = printed(*module);
  try {
    const auto again = read(".version 9.0\n.target sm_90\n.func f() {\n" + lines + "}\n");
    return printed(*again) == lines ? "" : "a statement that prints otherwise when it is read again";
  } catch (const SyntaxError& error) {
    return std::string("a statement that cannot be read again: ") + error.what();
  }
}

}  // namespace tilejit::ptx
