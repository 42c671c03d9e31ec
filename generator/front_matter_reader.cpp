#include <tilejit/generator/front_matter_reader.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <tilejit/generator/error.h>
#include <tilejit/generator/identifier.h>
#include <tilejit/generator/nearest.h>

namespace tilejit {
namespace {

constexpr std::string_view reserved[] = {"cdiv",       "min",         "max",         "size",         "floating",
                                         "align",      "stride",      "sms",         "shared_limit", "num_warps",
                                         "num_stages", "grid_folded", "debug_checks"};

}  // namespace

void FrontMatterReader::fail(SourcePosition at, const std::string& what_is_wrong) const {
  throw TemplateError(file_, at.line, at.column, what_is_wrong);
}

void FrontMatterReader::check_keys(const TomlNode& table, std::initializer_list<std::string_view> known,
                                   std::string_view where) const {
  for (const TomlNode::Entry& entry : table.entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    const std::vector<std::string> names(known.begin(), known.end());
    fail(entry.at, fmt::format("\"{}\" is not a key of {}{}", entry.key, where, suggestion(entry.key, names)));
  }
}

void FrontMatterReader::expect(const TomlNode& node, TomlNode::Kind kind, std::string_view what) const {
  if (node.kind != kind) fail(node.at, fmt::format("{} is {}, not {}", what, kind_name(kind), kind_name(node.kind)));
}

std::string FrontMatterReader::string(const TomlNode& node, std::string_view what) const {
  expect(node, TomlNode::Kind::string, what);
  return node.text;
}

std::int64_t FrontMatterReader::integer(const TomlNode& node, std::string_view what) const {
  expect(node, TomlNode::Kind::integer, what);
  return node.integer;
}

bool FrontMatterReader::boolean(const TomlNode& node, std::string_view what) const {
  expect(node, TomlNode::Kind::boolean, what);
  return node.integer != 0;
}

double FrontMatterReader::number(const TomlNode& node, std::string_view what) const {
  if (node.kind == TomlNode::Kind::integer) return static_cast<double>(node.integer);
  if (node.kind != TomlNode::Kind::floating || !std::isfinite(node.number))
    fail(node.at, fmt::format("{} is a finite number", what));
  return node.number;
}

std::vector<std::string> FrontMatterReader::strings(const TomlNode& node, std::string_view what) const {
  expect(node, TomlNode::Kind::array, what);
  std::vector<std::string> result;
  for (const TomlNode& item : node.items) result.push_back(string(item, fmt::format("an element of {}", what)));
  return result;
}

std::string FrontMatterReader::name(const TomlNode& node, std::string_view what) const {
  return name(string(node, what), node.at, what);
}

std::string FrontMatterReader::name(const std::string& text, SourcePosition at, std::string_view what) const {
  const auto refuse = [&](std::string_view why) { fail(at, fmt::format("{}: \"{}\" {}", what, text, why)); };
  if (!is_identifier(text)) refuse("is not a name: letters, digits and underscores, not a digit first");
  if (is_keyword(text)) refuse("is a word of CUDA C++");
  const bool taken = std::find(std::begin(reserved), std::end(reserved), text) != std::end(reserved);
  if (taken || dtype_named(text)) refuse("has a meaning of its own here");
  if (text.find("__") != text.npos) refuse("has two underscores together, which C++ keeps for itself");
  return text;
}

std::string FrontMatterReader::word(const TomlNode& node, std::string_view what,
                                    const std::vector<std::string>& known) const {
  const std::string text = string(node, what);
  if (std::find(known.begin(), known.end(), text) == known.end())
    fail(node.at, fmt::format("{}: \"{}\" is not one of {}{}", what, text, fmt::join(known, ", "),
                              nearest_names(text, known).empty() ? "" : suggestion(text, known)));
  return text;
}

Expression FrontMatterReader::expression(const TomlNode& node, std::string_view what, const Symbols& symbols) const {
  if (node.kind == TomlNode::Kind::integer) return Expression::parse(std::to_string(node.integer), symbols);
  if (node.kind != TomlNode::Kind::string)
    fail(node.at, fmt::format("{} is an expression (a string or a whole number), not {}", what, kind_name(node.kind)));
  try {
    return Expression::parse(node.text, symbols);
  } catch (const ExpressionError& error) {
    const SourcePosition at = position_in_string(source_, node, static_cast<std::size_t>(error.column()) - 1);
    fail(at, fmt::format("{}: {}", what, error.what_is_wrong()));
  }
}

std::vector<Expression> FrontMatterReader::expressions(const TomlNode& node, std::string_view what,
                                                       const Symbols& symbols) const {
  expect(node, TomlNode::Kind::array, what);
  std::vector<Expression> result;
  for (const TomlNode& item : node.items) result.push_back(expression(item, what, symbols));
  return result;
}

}  // namespace tilejit
