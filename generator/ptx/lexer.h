#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilejit::ptx {

/// A piece of the text, which it borrows.
struct Token {
  enum class Kind {
    end,
    word,      ///< name, %r1, $L__BB0_2, _
    dot_word,  ///< .global, .2d, .shared::cta; text without the first dot
    integer,   ///< 12, 0x1F, 017, 0b1, 3U
    floating,  ///< 0fHEX, 0dHEX, 1.5, 1e3
    string,    ///< text without the quotes
    mark,      ///< one character
  } kind = Kind::end;
  std::string_view text;
  std::size_t offset = 0;  ///< of the first character
  int line = 1, column = 1;

  bool is(char mark) const { return kind == Kind::mark && text[0] == mark; }
  bool is_word(std::string_view word) const { return kind == Kind::word && text == word; }
  bool is_dot(std::string_view word) const { return kind == Kind::dot_word && text == word; }
};

/// "// tilejit.scratch N"
struct ScratchComment {
  std::int64_t bytes = 0;
  std::size_t offset = 0;
  int line = 0;
};

/// Cuts the text into tokens, one ahead of the reader's wish. What cannot start a token is a SyntaxError.
class Lexer {
 public:
  explicit Lexer(std::string_view text);

  const Token& peek() const { return token_; }
  const Token& second() const { return ahead_; }  ///< the one behind peek()
  Token next();                                   ///< peek(), and moves on; the end stays the end
  bool take(char mark);                           ///< moves on if peek() is this mark
  bool take_dot(std::string_view word);
  Token expect(Token::Kind kind, const char* what);  ///< else a SyntaxError "expected <what>, found ..."
  void expect(char mark);
  void skip_line();  ///< on to the first token of a line below peek()'s

  /// Nothing stands between a word and what follows it, as in %tid.x.
  bool second_touches() const { return token_.offset + token_.text.size() == ahead_.offset; }

  [[noreturn]] void fail(const std::string& message) const;  ///< at peek()
  [[noreturn]] static void fail_at(const Token& token, const std::string& message);
  [[noreturn]] void fail_expecting(const std::string& what) const;

  const std::vector<ScratchComment>& comments() const { return comments_; }
  std::string_view text() const { return text_; }

 private:
  Token scan();
  void skip_blanks();
  void skip_block_comment();
  void line_comment();
  Token cut(Token::Kind kind, std::size_t end);
  std::size_t end_of_number(std::size_t at, bool& floating) const;
  [[noreturn]] void fail_here(const std::string& message) const;

  std::string_view text_;
  std::size_t at_ = 0;          ///< next character
  std::size_t line_start_ = 0;  ///< offset of the line's first character
  int line_ = 1;
  Token token_, ahead_;
  std::vector<ScratchComment> comments_;
};

/// Text for a message: cut short, unprintable bytes escaped.
std::string quoted(std::string_view text);

}  // namespace tilejit::ptx
