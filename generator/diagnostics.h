#pragma once
#include <string>
#include <string_view>

#include <tilejit/generator/codegen.h>

namespace tilejit {

/// The one line that a person should read first in a failed compile's log: "file:line: error: text". It names the
/// template's own line: that of its first error, else the line from which the template reaches what is wrong in a
/// header or in PTX (`ptx`: as far as it came to be made), else the first error wherever it stands. Empty: no error in
/// the log.
std::string first_error(const std::string& log, const GeneratedSource& source, std::string_view ptx);

}  // namespace tilejit
