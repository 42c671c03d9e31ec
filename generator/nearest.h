#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilejit {

/// The known names that `name` was perhaps meant to be, nearest first, at most three: few edits away (insert, delete,
/// replace, swap neighbours; upper and lower case count half), or one a part of the other. Empty: none is near.
std::vector<std::string> nearest_names(std::string_view name, std::span<const std::string> known);

/// " (did you mean copy_2d or copy_3d?)"; where none is near and `known` is short, " (known: a, b, c)"; else empty.
std::string suggestion(std::string_view name, std::span<const std::string> known);

}  // namespace tilejit
