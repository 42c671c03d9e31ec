#pragma once
#include <cstdint>
#include <vector>

#include <tilejit/generator/ptx/lexer.h>
#include <tilejit/generator/ptx/module.h>

namespace tilejit::ptx {

/// What stands behind =, into the variable's bytes and symbols. `dimensions` outermost first, .v4 as the last; 0 in the
/// first asks for the count. Sets the variable's element count in that case.
void read_initializer(Lexer& in, std::vector<std::int64_t> dimensions, Variable& variable);

}  // namespace tilejit::ptx
