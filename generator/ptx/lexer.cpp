#include <tilejit/generator/ptx/lexer.h>

#include <charconv>

#include <tilejit/generator/ptx/module.h>

namespace tilejit::ptx {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool starts_word(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%'; }
bool in_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

constexpr std::string_view marks = ";,:{}[]()<>@!|+-*/=%&^~?.";

}  // namespace

std::string quoted(std::string_view text) {
  constexpr std::size_t limit = 40;
  std::string result = "'";
  for (const char c : text.substr(0, limit)) {
    if (c >= ' ' && c <= '~') {
      result += c;
    } else {
      const char* digits = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(c);
      result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return result + (text.size() > limit ? "...'" : "'");
}

Lexer::Lexer(std::string_view text) : text_(text) {
  token_ = scan();
  ahead_ = scan();
}

Token Lexer::next() {
  const Token result = token_;
  token_ = ahead_;
  if (ahead_.kind != Token::Kind::end) {
    ahead_ = scan();
  }
  return result;
}

bool Lexer::take(char mark) {
  const bool found = token_.is(mark);
  if (found) {
    next();
  }
  return found;
}

bool Lexer::take_dot(std::string_view word) {
  const bool found = token_.is_dot(word);
  if (found) {
    next();
  }
  return found;
}

Token Lexer::expect(Token::Kind kind, const char* what) {
  if (token_.kind != kind) {
    fail_expecting(what);
  }
  return next();
}

void Lexer::expect(char mark) {
  if (!take(mark)) {
    fail_expecting({'\'', mark, '\''});
  }
}

void Lexer::skip_line() {
  const int line = token_.line;
  while (token_.kind != Token::Kind::end && token_.line == line) {
    next();
  }
}

void Lexer::fail(const std::string& message) const { fail_at(token_, message); }

void Lexer::fail_at(const Token& token, const std::string& message) {
  throw SyntaxError(token.line, token.column, message);
}

void Lexer::fail_expecting(const std::string& what) const {
  fail("expected " + what + ", found " +
       (token_.kind == Token::Kind::end ? "the end of the text" : quoted(token_.text)));
}

void Lexer::fail_here(const std::string& message) const {
  throw SyntaxError(line_, static_cast<int>(at_ - line_start_) + 1, message);
}

Token Lexer::cut(Token::Kind kind, std::size_t end) {
  Token token;
  token.kind = kind;
  token.text = text_.substr(at_, end - at_);
  token.offset = at_;
  token.line = line_;
  token.column = static_cast<int>(at_ - line_start_) + 1;
  at_ = end;
  return token;
}

Token Lexer::scan() {
  skip_blanks();
  if (at_ == text_.size()) {
    return cut(Token::Kind::end, at_);
  }
  const auto behind_word = [&](std::size_t end) {
    while (end < text_.size() && in_word(text_[end])) {
      ++end;
    }
    return end;
  };
  const char c = text_[at_];
  const char following = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
  if (starts_word(c) && (c != '%' || in_word(following))) {
    return cut(Token::Kind::word, behind_word(at_ + 1));
  }
  if (is_digit(c)) {
    bool floating = false;
    const std::size_t end = end_of_number(at_, floating);
    return cut(floating ? Token::Kind::floating : Token::Kind::integer, end);
  }
  if (c == '.' && in_word(following)) {
    std::size_t end = behind_word(at_ + 1);
    while (end + 2 < text_.size() && text_[end] == ':' && text_[end + 1] == ':' && in_word(text_[end + 2])) {
      end = behind_word(end + 2);
    }
    Token token = cut(Token::Kind::dot_word, end);
    token.text.remove_prefix(1);
    return token;
  }
  if (c == '"') {
    const std::size_t end = text_.find_first_of("\"\n", at_ + 1);
    if (end == std::string_view::npos || text_[end] == '\n') {
      fail_here("a string without its closing quote");
    }
    Token token = cut(Token::Kind::string, end + 1);
    token.text = token.text.substr(1, token.text.size() - 2);
    return token;
  }
  if (marks.find(c) == std::string_view::npos) {
    fail_here("not PTX: " + quoted(text_.substr(at_, 1)));
  }
  return cut(Token::Kind::mark, at_ + 1);
}

std::size_t Lexer::end_of_number(std::size_t at, bool& floating) const {
  const auto has = [&](std::size_t i, auto test) { return i < text_.size() && test(text_[i]); };
  const auto is_one_of = [](const char* set) {
    return [set](char c) { return std::string_view(set).find(c) != std::string_view::npos; };
  };
  std::size_t end = at;
  if (text_[at] == '0' && has(at + 1, is_one_of("xXfFdDbB")) && has(at + 2, is_hex)) {
    floating = has(at + 1, is_one_of("fFdD"));
    end += 2;
    while (has(end, is_hex)) {
      ++end;
    }
  } else {
    while (has(end, is_digit)) {
      ++end;
    }
    if (has(end, is_one_of(".")) && has(end + 1, is_digit)) {
      floating = true;
      for (++end; has(end, is_digit);) {
        ++end;
      }
    }
    const std::size_t digits = end + (has(end + 1, is_one_of("+-")) ? 2 : 1);
    if (has(end, is_one_of("eE")) && has(digits, is_digit)) {
      floating = true;
      for (end = digits; has(end, is_digit);) {
        ++end;
      }
    }
  }
  if (!floating && has(end, is_one_of("U"))) {
    ++end;
  }
  // What clings to a number belongs to it, so that a message can show it.
  while (has(end, in_word)) {
    ++end;
  }
  return end;
}

void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') {
      line_start_ = ++at_;
      ++line_;
    } else if (is_blank(c)) {
      ++at_;
    } else if (text_.compare(at_, 2, "//") == 0) {
      line_comment();
    } else if (text_.compare(at_, 2, "/*") == 0) {
      skip_block_comment();
    } else {
      return;
    }
  }
}

void Lexer::skip_block_comment() {
  const std::size_t end = text_.find("*/", at_ + 2);
  if (end == std::string_view::npos) {
    fail_here("a comment without its closing */");
  }
  for (; at_ < end; ++at_) {
    if (text_[at_] == '\n') {
      line_start_ = at_ + 1;
      ++line_;
    }
  }
  at_ = end + 2;
}

void Lexer::line_comment() {
  const std::size_t start = at_;
  at_ = std::min(text_.find('\n', at_), text_.size());
  std::string_view comment = text_.substr(start + 2, at_ - start - 2);
  const auto skip_spaces = [&] { comment.remove_prefix(std::min(comment.find_first_not_of(" \t\r"), comment.size())); };
  constexpr std::string_view word = "tilejit.scratch";
  skip_spaces();
  if (!comment.starts_with(word)) {
    return;
  }
  comment.remove_prefix(word.size());
  skip_spaces();
  std::int64_t bytes = 0;
  const auto [end, error] = std::from_chars(comment.data(), comment.data() + comment.size(), bytes);
  comment.remove_prefix(static_cast<std::size_t>(end - comment.data()));
  skip_spaces();
  if (error == std::errc() && comment.empty()) {
    comments_.push_back({bytes, start, line_});
  }
}

}  // namespace tilejit::ptx
