#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <tilejit/generator/expression.h>
#include <tilejit/generator/toml_document.h>

namespace tilejit {

/// Turns TOML values into ours; whatever does not fit is a TemplateError at its place. `what` names the key in
/// messages.
class FrontMatterReader {
 public:
  FrontMatterReader(std::string_view source, std::string file) : source_(source), file_(std::move(file)) {}

  [[noreturn]] void fail(SourcePosition at, const std::string& what_is_wrong) const;
  /// Every key of `table` must be one of `known`; `where` is "[cost]", "an argument".
  void check_keys(const TomlNode& table, std::initializer_list<std::string_view> known, std::string_view where) const;
  void expect(const TomlNode& node, TomlNode::Kind kind, std::string_view what) const;

  std::string string(const TomlNode& node, std::string_view what) const;
  std::int64_t integer(const TomlNode& node, std::string_view what) const;
  bool boolean(const TomlNode& node, std::string_view what) const;
  double number(const TomlNode& node, std::string_view what) const;  ///< finite
  std::vector<std::string> strings(const TomlNode& node, std::string_view what) const;
  /// An identifier that is neither a keyword nor a name with a meaning of its own (cdiv, sms, num_warps, f32, ...).
  std::string name(const TomlNode& node, std::string_view what) const;
  std::string name(const std::string& text, SourcePosition at, std::string_view what) const;
  /// One of `known`, which is a list of words.
  std::string word(const TomlNode& node, std::string_view what, const std::vector<std::string>& known) const;

  /// A string, or a whole number.
  Expression expression(const TomlNode& node, std::string_view what, const Symbols& symbols) const;
  std::vector<Expression> expressions(const TomlNode& node, std::string_view what, const Symbols& symbols) const;

  std::string_view source() const { return source_; }
  const std::string& file() const { return file_; }

 private:
  std::string_view source_;
  std::string file_;
};

}  // namespace tilejit
