#include <tilejit/generator/toml_document.h>

#include <fmt/format.h>

#include <algorithm>

#include <tilejit/generator/error.h>

namespace {
/// toml++ asserts that "[" is followed by a key's first character, and, where assertions are off, lets the compiler
/// take it for granted. A template is a user's file: whatever it asserts must be an error here, in every build.
struct Refused {};
[[noreturn]] void refuse() { throw Refused{}; }
}  // namespace
#undef NDEBUG
#define TOML_ASSERT(condition) ((condition) ? void() : refuse())
#define TOML_MAX_NESTED_VALUES 16
#include <toml++/toml.h>

namespace tilejit {
namespace {

constexpr int max_depth = 8;
constexpr int max_dots = 16;  // a line; dotted keys nest as deep as they are long

SourcePosition place_of(const toml::source_region& region) {
  return {static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

TomlNode converted(const toml::node& node, const std::string& file, int depth) {
  TomlNode result;
  result.at = place_of(node.source());
  if (depth > max_depth)
    throw TemplateError(file, result.at.line, result.at.column, fmt::format("values nest deeper than {}", max_depth));
  if (const toml::table* table = node.as_table()) {
    result.kind = TomlNode::Kind::table;
    for (const auto& [key, value] : *table)
      result.entries.push_back({std::string(key.str()), place_of(key.source()), converted(value, file, depth + 1)});
    std::stable_sort(result.entries.begin(), result.entries.end(), [](const auto& a, const auto& b) {
      return a.at.line != b.at.line ? a.at.line < b.at.line : a.at.column < b.at.column;
    });
  } else if (const toml::array* array = node.as_array()) {
    result.kind = TomlNode::Kind::array;
    for (const toml::node& item : *array) result.items.push_back(converted(item, file, depth + 1));
  } else if (const auto* string = node.as_string()) {
    result.kind = TomlNode::Kind::string;
    result.text = string->get();
  } else if (const auto* integer = node.as_integer()) {
    result.kind = TomlNode::Kind::integer;
    result.integer = integer->get();
  } else if (const auto* number = node.as_floating_point()) {
    result.kind = TomlNode::Kind::floating;
    result.number = number->get();
  } else if (const auto* boolean = node.as_boolean()) {
    result.kind = TomlNode::Kind::boolean;
    result.integer = boolean->get();
  } else {
    result.kind = TomlNode::Kind::date;
  }
  return result;
}

/// The index behind the string that starts at `begin`; a string of one line ends with the line, as an error would.
std::size_t behind_string(std::string_view source, std::size_t begin, std::size_t end) {
  const char quote = source[begin];
  const std::string block(3, quote);
  const bool long_form = source.substr(begin, 3) == block;
  for (std::size_t i = begin + (long_form ? 3 : 1); i < end; ++i) {
    if (source[i] == '\\' && quote == '"')
      ++i;
    else if (long_form ? source.substr(i, 3) == block : source[i] == quote)
      return std::min(end, i + (long_form ? 3 : 1));
    if (i < end && source[i] == '\n' && !long_form) return i;
  }
  return end;
}

/// What toml++ cannot stand outside of strings: dotted keys, which nest as deep as they are long, and some characters
/// beyond ASCII, for which its tables of white space run into code that they promise never to reach.
void refuse_dangerous_text(std::string_view source, std::size_t begin, std::size_t end, const std::string& file) {
  int dots = 0;
  const auto fail = [&](std::size_t at, const std::string& what) {
    const SourcePosition place = position_of(source, at);
    throw TemplateError(file, place.line, place.column, what);
  };
  for (std::size_t i = begin; i < end;) {
    const char c = source[i];
    if (c == '"' || c == '\'') {
      i = behind_string(source, i, end);
      continue;
    }
    if (c == '#') i = std::min(source.find('\n', i), end);
    if (c == '\n') dots = 0;
    if (c == '.' && ++dots > max_dots) fail(i, fmt::format("more than {} dots in one line", max_dots));
    if (static_cast<unsigned char>(c) >= 0x80) fail(i, "only strings and comments may hold characters beyond ASCII");
    if (c != '#') ++i;
  }
}

/// The first line with which the reader refuses: refusals say no place.
int refused_line(std::string_view text) {
  int line = 1;
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n', end + 1), ++line) {
    try {
      static_cast<void>(toml::parse(text.substr(0, end)));
    } catch (const toml::parse_error&) {
    } catch (const Refused&) {
      break;
    }
  }
  return line;
}

}  // namespace

SourcePosition position_of(std::string_view source, std::size_t at) {
  const std::string_view before = source.substr(0, at);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')), static_cast<int>(at - line_start) + 1};
}

const TomlNode::Entry* TomlNode::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

std::string_view kind_name(TomlNode::Kind kind) {
  switch (kind) {
    case TomlNode::Kind::string:
      return "a string";
    case TomlNode::Kind::integer:
      return "a whole number";
    case TomlNode::Kind::floating:
      return "a number with a point";
    case TomlNode::Kind::boolean:
      return "true or false";
    case TomlNode::Kind::date:
      return "a date or time";
    case TomlNode::Kind::array:
      return "an array";
    case TomlNode::Kind::table:
      return "a table";
  }
  return "";
}

TomlNode read_toml(std::string_view source, std::size_t begin, std::size_t end, const std::string& file) {
  refuse_dangerous_text(source, begin, end, file);
  // What stands before becomes spaces, so that the reader counts lines and columns as the file has them.
  std::string text(source.substr(0, end));
  for (std::size_t i = 0; i < begin; ++i)
    if (text[i] != '\n') text[i] = ' ';
  try {
    return converted(toml::parse(std::string_view(text)), file, 0);
  } catch (const toml::parse_error& error) {
    const SourcePosition at = place_of(error.source());
    throw TemplateError(file, at.line, at.column, fmt::format("this is not TOML: {}", error.description()));
  } catch (const Refused&) {
    throw TemplateError(file, refused_line(text), 1, "this line is not TOML");
  }
}

SourcePosition position_in_string(std::string_view source, const TomlNode& string, std::size_t index) {
  SourcePosition at{1, 1};
  std::size_t i = 0;
  const auto step = [&] {
    if (i >= source.size()) return;
    if (source[i++] == '\n')
      ++at.line, at.column = 1;
    else
      ++at.column;
  };
  while (i < source.size() && (at.line < string.at.line || at.column < string.at.column)) step();
  if (i >= source.size()) return string.at;
  const char quote = source[i];
  const bool block = source.substr(i, 3) == std::string(3, quote);
  for (int n = block ? 3 : 1; n > 0; --n) step();
  if (block && source.substr(i, 2) == "\r\n") step();
  if (block && i < source.size() && source[i] == '\n') step();
  for (std::size_t passed = 0; passed < index && i < source.size(); ++passed) {
    int characters = 1;
    if (quote == '"' && source[i] == '\\' && i + 1 < source.size())
      characters = source[i + 1] == 'u' ? 6 : source[i + 1] == 'U' ? 10 : 2;
    for (; characters > 0; --characters) step();
  }
  return at;
}

}  // namespace tilejit
