#pragma once
#include <tilejit/generator/ptx/declaration.h>
#include <tilejit/generator/ptx/lexer.h>
#include <tilejit/generator/ptx/locations.h>
#include <tilejit/generator/ptx/module.h>

namespace tilejit::ptx {

/// A function whose source locations still want the module's strings, which stand behind it.
struct ReadFunction {
  Function function;
  Locations locations;
};

/// .entry or .func with its body, or a declaration; from that word on. .file lines in the body go to `files`.
ReadFunction read_function(Lexer& in, const Linkage& linkage, std::map<int, std::string>& files);

/// .pragma "a", "b"; from .pragma on.
void read_pragma(Lexer& in, std::vector<std::string_view>& pragmas);

/// A directive that nothing here knows: up to its ';', or over its { }.
void skip_directive(Lexer& in);

}  // namespace tilejit::ptx
