#include <tilejit/generator/closed_source.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

namespace tilejit {
namespace {

/// The text as the preprocessor sees its lines: comments blanked, spliced lines joined, every line still at its number.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  std::string visible() {
    while (at_ < text_.size()) step();
    end_line();
    return std::move(out_);
  }

 private:
  bool ahead(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  void end_line() {
    out_.append(joined_, '\n');
    joined_ = 0;
  }
  void copy() {
    out_.push_back(text_[at_]);
    if (text_[at_++] == '\n') end_line();
  }
  void blank_until(std::string_view end) {
    while (at_ < text_.size() && !ahead(end)) {
      if (text_[at_] == '\n') ++joined_;
      ++at_;
    }
  }
  bool follows_a_word() const {
    return !out_.empty() && (std::isalnum(static_cast<unsigned char>(out_.back())) != 0 || out_.back() == '_');
  }
  void copy_quoted(char quote) {
    copy();
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') copy();
      copy();
    }
    if (at_ < text_.size()) copy();
  }
  void skip_raw_string() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return copy();
    const std::string end = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    blank_until(end);
    at_ = std::min(at_ + end.size(), text_.size());
    out_ += "\"\"";
  }
  void step() {
    if (ahead("\\\n")) {
      ++joined_;
      at_ += 2;
    } else if (ahead("//")) {
      while (at_ < text_.size() && text_[at_] != '\n') {
        const bool spliced = ahead("\\\n");
        joined_ += spliced ? 1 : 0;
        at_ += spliced ? 2 : 1;
      }
    } else if (ahead("/*")) {
      blank_until("*/");
      at_ = std::min(at_ + 2, text_.size());
      out_.push_back(' ');
    } else if (text_[at_] == '"' && !out_.empty() && out_.back() == 'R') {
      skip_raw_string();
    } else if (text_[at_] == '"' || (text_[at_] == '\'' && !follows_a_word())) {
      copy_quoted(text_[at_]);
    } else {
      copy();
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t joined_ = 0;  // newlines owed to the end of this line
  std::string out_;
};

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\f\v"), text.size()));
  return text;
}

/// A directive's name, and what follows it; empty: the line is no directive.
std::pair<std::string_view, std::string_view> directive_in(std::string_view line) {
  line = trimmed(line);
  if (line.starts_with('#')) {
    line.remove_prefix(1);
  } else if (line.starts_with("%:")) {
    line.remove_prefix(2);
  } else {
    return {};
  }
  line = trimmed(line);
  const std::size_t end = std::min(line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), line.size());
  return {line.substr(0, end), trimmed(line.substr(end))};
}

/// Why including `operand`, the text behind the directive, reaches outside; empty: it does not.
std::string opening_in_include(std::string_view operand, const std::vector<SourceFile>& headers) {
  const char close = operand.starts_with('"') ? '"' : operand.starts_with('<') ? '>' : '\0';
  const std::size_t end = close == '\0' ? std::string_view::npos : operand.find(close, 1);
  if (end == std::string_view::npos) return "includes a name that is not written out, which a cache key cannot cover";
  const std::string_view name = operand.substr(1, end - 1);
  const bool known = std::any_of(headers.begin(), headers.end(), [&](const SourceFile& h) { return h.name == name; });
  if (known || !name.starts_with('/')) return {};
  return "'" + std::string(name) + "' would be read from the disk, which a cache key cannot cover; templates reach " +
         "their headers by relative names";
}

std::string opening_in_line(std::string_view line, const std::vector<SourceFile>& headers) {
  const auto [directive, operand] = directive_in(line);
  if (directive == "include" || directive == "include_next" || directive == "import" || directive == "embed")
    return opening_in_include(operand, headers);
  constexpr std::string_view asks = "__has_include";
  for (std::size_t at = line.find(asks); at != std::string_view::npos; at = line.find(asks, at + 1)) {
    const std::string_view behind = trimmed(line.substr(at + asks.size()));
    if (!behind.starts_with('(')) continue;  // "#ifdef __has_include"
    std::string why = opening_in_include(trimmed(behind.substr(1)), headers);
    if (!why.empty()) return why;
  }
  return {};
}

std::optional<std::string> opening_in_text(const SourceFile& file, const std::vector<SourceFile>& headers) {
  const std::string visible = Lines(file.text).visible();
  std::string_view rest = visible;
  std::string name = file.name;
  for (int number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::string why = opening_in_line(line, headers);
    if (!why.empty()) return name + ":" + std::to_string(number) + ": error: " + why;
    const auto [directive, operand] = directive_in(line);
    if (directive != "line") continue;
    int next = 0;
    std::from_chars(operand.data(), operand.data() + operand.size(), next);
    number = next - 1;
    const std::size_t open = operand.find('"'), close = operand.rfind('"');
    if (open != close) name = operand.substr(open + 1, close - open - 1);
  }
  return std::nullopt;
}

std::optional<std::string> opening_in_options(const GeneratedSource& source) {
  static constexpr std::array<std::string_view, 15> outside = {
      "-I",    "-include", "--include",           "--pre-include",        "-pch",
      "--pch", "-use-pch", "--use-pch",           "-create-pch",          "--create-pch",
      "-time", "--time",   "-fdevice-time-trace", "--fdevice-time-trace", "--device-time-trace"};
  for (const std::string& option : source.options)
    for (const std::string_view prefix : outside)
      if (option.starts_with(prefix))
        return source.name + ": error: the option " + option +
               " reads or writes files, which a cache key cannot cover; templates reach their headers by relative "
               "names";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> opening_in(const GeneratedSource& source) {
  if (auto opening = opening_in_options(source)) return opening;
  if (auto opening = opening_in_text({source.name, source.text}, source.headers)) return opening;
  for (const SourceFile& header : source.headers)
    if (auto opening = opening_in_text(header, source.headers)) return opening;
  return std::nullopt;
}

}  // namespace tilejit
