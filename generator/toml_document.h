#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tilejit/generator/front_matter.h>

namespace tilejit {

/// A TOML value with its place in the file; tables keep the file's order.
struct TomlNode {
  enum class Kind { string, integer, floating, boolean, date, array, table } kind = Kind::table;
  struct Entry;
  std::string text;          ///< of a string
  std::int64_t integer = 0;  ///< also 1 and 0 of a boolean
  double number = 0;         ///< of a floating value
  std::vector<TomlNode> items;
  std::vector<Entry> entries;
  SourcePosition at;

  const Entry* find(std::string_view key) const;
};

struct TomlNode::Entry {
  std::string key;
  SourcePosition at;
  TomlNode value;
};

/// "a string", "a table", ... for messages.
std::string_view kind_name(TomlNode::Kind kind);

/// Reads `source` from `begin` to `end`; lines and columns are those of `source`. Throws TemplateError for what is not
/// TOML, for nesting beyond what any front matter needs (a reader of unlimited depth could be made to crash), and for
/// characters beyond ASCII outside of strings and comments.
TomlNode read_toml(std::string_view source, std::size_t begin, std::size_t end, const std::string& file);

/// Where byte `at` (from 0) of a text stands.
SourcePosition position_of(std::string_view source, std::size_t at);

/// Where character `index` (from 0) of a string value stands in the file: its quotes, escapes and lines counted.
SourcePosition position_in_string(std::string_view source, const TomlNode& string, std::size_t index);

}  // namespace tilejit
