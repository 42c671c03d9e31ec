#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilejit::tool {

/// NAME=VALUE as a person types it.
struct Assignment {
  std::string name, value;
};

/// Splits at the first '='. InvalidArgument naming the text where there is none, or nothing before it; `expected` says
/// what would fit ("NAME=DTYPE:SHAPE").
Assignment parse_assignment(std::string_view text, std::string_view expected);

/// A decimal int64, sign included, nothing around it. InvalidArgument beginning with `what` ("x: stride 1").
std::int64_t parse_integer(std::string_view text, const std::string& what);

/// Each of "NAME=INTEGER". A name given twice is an InvalidArgument.
std::vector<std::pair<std::string, std::int64_t>> parse_settings(const std::vector<std::string>& texts);

}  // namespace tilejit::tool
