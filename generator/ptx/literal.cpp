#include <tilejit/generator/ptx/literal.h>

#include <bit>
#include <charconv>
#include <limits>

namespace tilejit::ptx {

namespace {

std::uint64_t digits_of(const Token& token, std::string_view digits, int base) {
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
  if (error == std::errc::result_out_of_range) {
    Lexer::fail_at(token, "a number of more than 64 bits: " + quoted(token.text));
  }
  if (error != std::errc() || stop != end) {
    Lexer::fail_at(token, "not a number: " + quoted(token.text));
  }
  return value;
}

}  // namespace

double FloatLiteral::value() const {
  return is_double ? std::bit_cast<double>(bits) : std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

std::int64_t integer_of(const Token& token) {
  std::string_view text = token.text;
  const bool prefixed = text.size() > 2 && text[0] == '0' && (text[1] < '0' || text[1] > '9') && text[1] != 'U';
  if (text.ends_with('U')) {
    text.remove_suffix(1);
  }
  std::uint64_t value = 0;
  if (prefixed) {
    const bool binary = text[1] == 'b' || text[1] == 'B';
    const bool hex = text[1] == 'x' || text[1] == 'X';
    if (!binary && !hex) {
      Lexer::fail_at(token, "not a number: " + quoted(token.text));
    }
    value = digits_of(token, text.substr(2), binary ? 2 : 16);
  } else if (text.size() > 1 && text[0] == '0') {
    value = digits_of(token, text.substr(1), 8);
  } else {
    value = digits_of(token, text, 10);
  }
  return static_cast<std::int64_t>(value);
}

FloatLiteral float_of(const Token& token) {
  const std::string_view text = token.text;
  const char prefix = text.size() > 1 && text[0] == '0' ? text[1] : ' ';
  const bool single = prefix == 'f' || prefix == 'F';
  if (single || prefix == 'd' || prefix == 'D') {
    const std::size_t digits = single ? 8 : 16;
    if (text.size() != digits + 2) {
      Lexer::fail_at(token, "a literal " + std::string(text.substr(0, 2)) + " takes " + std::to_string(digits) +
                                " hexadecimal digits: " + quoted(text));
    }
    return {digits_of(token, text.substr(2), 16), !single};
  }
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) {
    Lexer::fail_at(token, "not a number that a double can hold: " + quoted(text));
  }
  return {std::bit_cast<std::uint64_t>(value), true};
}

}  // namespace tilejit::ptx
