#pragma once
#include <string_view>

namespace tilejit {

/// Letters, digits and underscores, not starting with a digit.
bool is_identifier(std::string_view text);

/// A keyword of C++ or CUDA, which no template may use as a name.
bool is_keyword(std::string_view text);

}  // namespace tilejit
