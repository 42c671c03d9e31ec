#pragma once
#include <tilejit/generator/front_matter.h>
#include <tilejit/generator/front_matter_reader.h>

namespace tilejit {

inline constexpr std::int64_t max_candidates = 65536;  ///< Configs that [config] may span

/// [config] and `default` (either may be null): `config`, `constants` and `default_config` of `info`. `front_matter` is
/// where it starts, for what is missing.
void read_config(const FrontMatterReader& reader, SourcePosition front_matter, const TomlNode::Entry* config,
                 const TomlNode::Entry* defaults, FrontMatter& info);

/// The default Config must pass what `where` says of constants alone.
void check_default(const FrontMatterReader& reader, const TomlNode& where, const FrontMatter& info);

/// Throws InvalidArgument where `name` cannot have this value: constants are C++ ints, num_warps a power of two up to
/// 32, num_stages 1 to 32.
void check_setting(const std::string& name, std::int64_t value);

}  // namespace tilejit
