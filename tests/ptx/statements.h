#pragma once
#include <string>
#include <vector>

#include <tilejit/generator/ptx/module.h>

namespace tilejit::ptx {

/// A PTX text as normalised statements, to be compared: one made from what was read, one by a plain walk over the text
/// that shares no code with the reader.
struct Statements {
  std::vector<std::string> variables;     ///< of module scope, with their values, in order
  std::vector<std::string> functions;     ///< linkage, name, parameters, directives, in order
  std::vector<std::string> declarations;  ///< of bodies: "function#scope .reg .b32 %r<4>", sorted
  std::vector<std::string> labels;        ///< "function#scope L 12", sorted
  std::vector<std::string> instructions;  ///< "function#scope file:line:column @%p1 bra L", in order
  std::vector<std::string> files;         ///< "1 name", sorted
};

Statements statements_of(const Module& module);
Statements statements_in(const std::string& text);

}  // namespace tilejit::ptx
