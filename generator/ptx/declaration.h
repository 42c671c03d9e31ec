#pragma once
#include <vector>

#include <tilejit/generator/ptx/lexer.h>
#include <tilejit/generator/ptx/module.h>

namespace tilejit::ptx {

struct Linkage {
  bool external = false, visible = false, weak = false;
};

/// Zero or more of .extern, .visible, .weak and .common (which is a weak definition).
Linkage read_linkage(Lexer& in);

/// ( ... ) of an attribute, with what is nested in it.
void skip_parentheses(Lexer& in);

/// A state space that opens a declaration: .reg, .shared, ...
bool is_space(const Token& token);

/// .space type a, b[4] = {..}; from the space to the semicolon.
void read_declarations(Lexer& in, const Linkage& linkage, std::vector<Variable>& into);

/// ( .param .b32 a, .reg .u32 b ) of a function, or nothing at all.
std::vector<Variable> read_parameters(Lexer& in);

}  // namespace tilejit::ptx
