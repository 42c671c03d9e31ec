#include <tilejit/tests/ptx/normal.h>

#include <cctype>
#include <cstdlib>

namespace tilejit::ptx {

namespace {

bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::string number(std::string word) {
  const bool hex_float =
      word.size() > 2 && word[0] == '0' && std::string_view("fFdD").find(word[1]) != std::string::npos;
  if (hex_float) {
    word[1] = static_cast<char>(std::tolower(word[1]));
    for (std::size_t i = 2; i < word.size(); ++i) {
      word[i] = static_cast<char>(std::toupper(word[i]));
    }
    return word;
  }
  char* end = nullptr;
  const unsigned long long value = std::strtoull(word.c_str(), &end, 0);
  return *end == '\0' || *end == 'U' ? std::to_string(static_cast<long long>(value)) : word;
}

}  // namespace

std::string normal(std::string_view statement) {
  std::string result;
  for (std::size_t i = 0; i < statement.size();) {
    const char c = statement[i];
    if (is_blank(c)) {
      while (i < statement.size() && is_blank(statement[i])) {
        ++i;
      }
      const bool between = !result.empty() && i < statement.size() && in_word(result.back()) &&
                           (in_word(statement[i]) || statement[i] == '.');
      result += between ? " " : "";
      continue;
    }
    const bool starts = result.empty() || (!in_word(result.back()) && result.back() != '.');
    if (starts && is_digit(c)) {
      std::size_t end = i;
      while (end < statement.size() && in_word(statement[end])) {
        ++end;
      }
      result += number(std::string(statement.substr(i, end - i)));
      i = end;
      continue;
    }
    if (c == ']' && result.ends_with("+0")) {
      result.erase(result.size() - 2);
    }
    result += c;
    ++i;
  }
  return result;
}

}  // namespace tilejit::ptx
