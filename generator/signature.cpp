#include <tilejit/generator/signature.h>

#include <algorithm>

namespace tilejit {
namespace {

struct Token {
  std::string_view text;  ///< a name, a number, or one character
  bool name = false;
  int line = 1, column = 1;
};

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_name_start(c) || (c >= '0' && c <= '9'); }

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<Token> tokens() {
    std::vector<Token> tokens;
    while (skip_blanks(), at_ < source_.size()) {
      const Token start{source_.substr(at_, 1), false, line_, column()};
      const char c = source_[at_];
      if (c == '#' && line_begins_) {
        skip_directive();
      } else if (raw_string_begins()) {
        skip_raw_string();
      } else if (c == '"' || c == '\'') {
        skip_literal(c);
      } else if (is_name_part(c)) {
        const std::size_t begin = at_;
        // 1'000 is one number; its quote opens nothing.
        while (at_ < source_.size() && (is_name_part(source_[at_]) || (!is_name_start(c) && source_[at_] == '\'')))
          ++at_;
        tokens.push_back({source_.substr(begin, at_ - begin), is_name_start(c), start.line, start.column});
      } else {
        ++at_;
        tokens.push_back(start);
      }
      line_begins_ = false;
    }
    return tokens;
  }

 private:
  int column() const { return static_cast<int>(at_ - line_start_) + 1; }
  bool looking_at(std::string_view text) const { return source_.substr(at_, text.size()) == text; }

  void step() {
    if (source_[at_++] == '\n') ++line_, line_start_ = at_, line_begins_ = true;
  }
  void skip_to(std::size_t end) {
    end = std::min(end, source_.size());
    while (at_ < end) step();
  }

  void skip_blanks() {
    while (at_ < source_.size()) {
      const char c = source_[at_];
      if (looking_at("//"))
        skip_line();
      else if (looking_at("/*"))
        skip_behind("*/", 2);
      else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v' || looking_at("\\\n"))
        step();
      else
        return;
    }
  }

  void skip_line() {
    while (at_ < source_.size() && source_[at_] != '\n') skip_to(at_ + (looking_at("\\\n") ? 2 : 1));
  }
  void skip_directive() {
    while (at_ < source_.size() && source_[at_] != '\n') {
      if (looking_at("//")) return skip_line();
      if (looking_at("/*"))
        skip_behind("*/", 2);
      else if (looking_at("\\\r\n"))
        skip_to(at_ + 3);
      else
        skip_to(at_ + (source_[at_] == '\\' ? 2 : 1));
    }
  }
  void skip_behind(std::string_view text, std::size_t from) {
    const std::size_t found = source_.find(text, at_ + from);
    const bool line_began = line_begins_;
    skip_to(found == source_.npos ? source_.size() : found + text.size());
    line_begins_ = line_began;
  }
  void skip_literal(char quote) {
    ++at_;
    while (at_ < source_.size() && source_[at_] != quote && source_[at_] != '\n')
      skip_to(at_ + (source_[at_] == '\\' ? 2 : 1));
    if (at_ < source_.size()) step();
  }
  bool raw_string_begins() const {
    for (std::string_view prefix : {"R\"", "LR\"", "uR\"", "UR\"", "u8R\""})
      if (looking_at(prefix)) return true;
    return false;
  }
  void skip_raw_string() {
    const std::size_t quote = source_.find('"', at_), open = source_.find('(', quote);
    if (open == source_.npos || open - quote > 17) return skip_to(quote + 1);
    skip_behind(")" + std::string(source_.substr(quote + 1, open - quote - 1)) + "\"", open - at_);
  }

  std::string_view source_;
  std::size_t at_ = 0, line_start_ = 0;
  int line_ = 1;
  bool line_begins_ = true;
};

using Tokens = std::vector<Token>;

bool is(const Tokens& tokens, std::size_t i, std::string_view text) {
  return i < tokens.size() && tokens[i].text == text;
}

/// The index behind the bracket that closes the one at `open`; tokens.size() where none does.
std::size_t behind_brackets(const Tokens& tokens, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    const std::string_view text = tokens[i].text;
    if (text == "(" || text == "[" || text == "{") ++depth;
    if ((text == ")" || text == "]" || text == "}") && --depth == 0) return i + 1;
  }
  return tokens.size();
}

/// Its name is the last one before a default value or an array's brackets; one name alone is the type's.
DeviceFunction::Parameter parameter(const Tokens& tokens, std::size_t begin, std::size_t end) {
  DeviceFunction::Parameter result{"", tokens[begin].line, tokens[begin].column};
  std::size_t words = 0;
  for (std::size_t i = begin; i < end && !is(tokens, i, "=") && !is(tokens, i, "["); ++i) {
    const bool type_word = tokens[i].text == "const" || tokens[i].text == "volatile" || tokens[i].text == "typename";
    if (tokens[i].name && !type_word) ++words;
    const bool last = i + 1 == end || is(tokens, i + 1, "=") || is(tokens, i + 1, "[");
    const bool qualified = i > begin && tokens[i - 1].text == ":";
    if (last && tokens[i].name && !type_word && words > 1 && !qualified)
      result = {std::string(tokens[i].text), tokens[i].line, tokens[i].column};
  }
  return result;
}

std::vector<DeviceFunction::Parameter> parameters(const Tokens& tokens, std::size_t open, std::size_t end) {
  std::vector<DeviceFunction::Parameter> result;
  std::size_t begin = open + 1, angles = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const std::string_view text = tokens[i].text;
    if (text == "(" || text == "[" || text == "{") {
      i = behind_brackets(tokens, i) - 1;
    } else if (text == "<") {
      ++angles;
    } else if (text == ">" && angles > 0) {
      --angles;
    } else if (text == "," && angles == 0) {
      if (i > begin) result.push_back(parameter(tokens, begin, i));
      begin = i + 1;
    }
  }
  const bool none = end == begin || (end == begin + 1 && is(tokens, begin, "void"));
  if (!none) result.push_back(parameter(tokens, begin, end));
  return result;
}

}  // namespace

std::vector<DeviceFunction> device_functions(std::string_view source) {
  const Tokens tokens = Lexer(source).tokens();
  std::vector<DeviceFunction> result;
  bool device = false;
  for (std::size_t i = 0; i < tokens.size();) {
    const std::string_view text = tokens[i].text;
    if (text == "__device__") device = true;
    if (text == ";" || text == "}") device = false;
    if (device && tokens[i].name && is(tokens, i + 1, "(")) {
      const std::size_t behind = behind_brackets(tokens, i + 1);
      std::size_t body = behind;
      while (body < tokens.size() && !is(tokens, body, "{") && !is(tokens, body, ";") && !is(tokens, body, "=")) ++body;
      const bool attribute = text.substr(0, 2) == "__" || text == "alignas" || text == "requires" ||
                             text == "noexcept" || text == "decltype";
      if (!attribute && is(tokens, body, "{"))
        result.push_back({std::string(text), tokens[i].line, tokens[i].column, parameters(tokens, i + 1, behind - 1)});
      i = behind;
    } else if (text == "{" || text == "(" || text == "[") {
      i = behind_brackets(tokens, i);
      if (text == "{") device = false;
    } else {
      ++i;
    }
  }
  return result;
}

}  // namespace tilejit
