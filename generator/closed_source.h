#pragma once
#include <optional>
#include <string>

#include <tilejit/generator/codegen.h>

namespace tilejit {

/// A cache key holds what NVRTC is given in memory, so nothing else may decide what it makes. NVRTC is told to search
/// nowhere, and still opens absolute names. This names the first thing in a source that would reach outside: an
/// #include or __has_include of an absolute name that is not among the headers, or of a name that a macro computes; an
/// option that reads or writes files. "file:line: error: text", on the template's own lines; nullopt: closed.
std::optional<std::string> opening_in(const GeneratedSource& source);

}  // namespace tilejit
