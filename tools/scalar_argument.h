#pragma once
#include <string>
#include <string_view>

#include <tilejit/generator/front_matter.h>
#include <tilejit/runtime/jit_function.h>

namespace tilejit::tool {

/// Reads VALUE of NAME=VALUE for a scalar that the template declares: an integer, a decimal ("0.5", "1e-3", "inf",
/// "nan"), or true and false. A decimal is rounded to f32 where that is what the template declares, as C++'s literals
/// are; everything else must convert exactly. InvalidArgument names the argument and what would fit.
Argument parse_scalar(const ArgumentInfo& declared, std::string_view value);

/// The declared default. InvalidArgument where there is none.
Argument default_scalar(const ArgumentInfo& declared);

}  // namespace tilejit::tool
