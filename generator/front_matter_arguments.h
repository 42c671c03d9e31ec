#pragma once
#include <vector>

#include <tilejit/generator/front_matter.h>
#include <tilejit/generator/front_matter_reader.h>

namespace tilejit {

/// [[arguments]], each by itself and against the others; `map` is left for read_map, as it may name constants.
std::vector<ArgumentInfo> read_arguments(const FrontMatterReader& reader, const TomlNode& node);

/// Size names in order of first use in shapes.
std::vector<std::string> sizes_in(const FrontMatterReader& reader, const TomlNode& node,
                                  const std::vector<ArgumentInfo>& arguments);

/// The box and swizzle of a tensor that goes through a TMA map.
TmaMap read_map(const FrontMatterReader& reader, const TomlNode& argument, const ArgumentInfo& info,
                const Symbols& symbols);

/// The `__device__` function of the template's name must take exactly these arguments, in order.
void check_function(const FrontMatterReader& reader, SourcePosition front_matter,
                    const std::vector<ArgumentInfo>& arguments);

}  // namespace tilejit
