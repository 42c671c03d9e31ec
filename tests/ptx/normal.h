#pragma once
#include <string>
#include <string_view>

namespace tilejit::ptx {

/// Blanks only where two names would grow together; integers in decimal, hexadecimal floats in capitals, no "+0" in an
/// address.
std::string normal(std::string_view statement);

}  // namespace tilejit::ptx
