#pragma once
#include <string>

namespace tilejit::ptx {

/// What must hold for any bytes: reading them ends in a module whose indices and views are sound and whose statements
/// read again print the same, or in a SyntaxError on one of its lines. Returns what does not hold; empty: all does.
std::string broken_property(const std::string& bytes);

}  // namespace tilejit::ptx
