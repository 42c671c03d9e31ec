#pragma once
#include <memory>
#include <string>

#include <tilejit/generator/ptx/module.h>

namespace tilejit::ptx {

/// A module of these lines behind a header of three.
inline std::unique_ptr<const Module> read_module(const std::string& lines) {
  return read(".version 9.0\n.target sm_90\n.address_size 64\n" + lines);
}

/// A kernel `k` with this body; the body begins on line 5.
inline std::unique_ptr<const Module> read_body(const std::string& body) {
  return read_module(".visible .entry k(.param .u64 p) {\n" + body + "\n}\n");
}

/// The one instruction of a kernel, and the module that it borrows from.
struct OneInstruction {
  explicit OneInstruction(const std::string& text) : module(read_body(text)) {}
  const Instruction& operator*() const { return module->functions.at(0).body.at(0); }
  const Instruction* operator->() const { return &**this; }
  const Operand& operand(std::size_t i) const { return (**this).operands.at(i); }
  std::unique_ptr<const Module> module;
};

/// What reading this says is wrong; empty: nothing.
inline std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const SyntaxError& error) {
    return error.what();
  }
  return {};
}

inline std::string error_of_body(const std::string& body) {
  return error_of(".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n" + body +
                  "\n}\n");
}

}  // namespace tilejit::ptx
