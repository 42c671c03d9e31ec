#include <tilejit/generator/diagnostics.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

namespace tilejit {
namespace {

struct Location {
  std::string_view file;
  int line = 0;
};

std::string spelled(const Location& at) { return std::string(at.file) + ":" + std::to_string(at.line); }

/// Takes lines off the front of a text.
std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

/// A number at the front of `text`; what follows it is left there. 0: none.
int take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::string_view between_quotes(std::string_view text) {
  const std::size_t open = text.find('"'), close = text.rfind('"');
  return open == close ? std::string_view() : text.substr(open + 1, close - open - 1);
}

/// The file that the generated source's #line directives name besides itself: the template's.
std::string_view template_file(const GeneratedSource& source) {
  std::string_view rest = source.text;
  while (!rest.empty()) {
    const std::string_view line = next_line(rest);
    if (!line.starts_with("#line ")) continue;
    const std::string_view file = between_quotes(line);
    if (!file.empty() && file != source.name) return file;
  }
  return source.name;
}

struct Diagnostic {
  Location at;
  std::string_view severity;  // "error", "catastrophic error", ...
  std::string_view text;
  std::vector<Location> reached_from;  // inside out
  bool is_error() const { return severity.find("error") != std::string_view::npos; }
};

/// "file(line): severity: text"
std::optional<Diagnostic> diagnostic_in(std::string_view line) {
  const std::size_t colon = line.find("): ");
  if (colon == std::string_view::npos) return std::nullopt;
  const std::size_t open = line.rfind('(', colon);
  if (open == std::string_view::npos || open == 0) return std::nullopt;
  std::string_view number = line.substr(open + 1, colon - open - 1);
  Diagnostic found;
  found.at = {line.substr(0, open), take_number(number)};
  const std::string_view rest = line.substr(colon + 3);
  const std::size_t end = rest.find(": ");
  if (found.at.line == 0 || !number.empty() || end == std::string_view::npos) return std::nullopt;
  found.severity = rest.substr(0, end);
  found.text = rest.substr(end + 2);
  return found;
}

/// "... at line 11 of /tilejit/templates/kernels/t.cuh", the file in quotes in some releases.
std::optional<Location> reached_from(std::string_view line) {
  constexpr std::string_view at_line = "at line ";
  const std::size_t start = line.rfind(at_line);
  if (start == std::string_view::npos) return std::nullopt;
  std::string_view rest = line.substr(start + at_line.size());
  Location from;
  from.line = take_number(rest);
  if (from.line == 0 || !rest.starts_with(" of ")) return std::nullopt;
  rest.remove_prefix(4);
  from.file = rest.starts_with('"') ? between_quotes(rest) : rest;
  return from;
}

std::vector<Diagnostic> diagnostics_in(std::string_view log) {
  std::vector<Diagnostic> diagnostics;
  while (!log.empty()) {
    const std::string_view line = next_line(log);
    if (auto found = diagnostic_in(line)) {
      diagnostics.push_back(std::move(*found));
    } else if (const auto from = reached_from(line); from && !diagnostics.empty()) {
      diagnostics.back().reached_from.push_back(*from);
    }
  }
  return diagnostics;
}

struct PtxError {
  int line = 0;  // of the PTX
  std::string_view text;
};

/// "ptxas application ptx input, line 24; error   : Unknown modifier '.op'"
std::optional<PtxError> first_ptx_error(std::string_view log) {
  constexpr std::string_view place = "ptx input, line ";
  while (!log.empty()) {
    std::string_view line = next_line(log);
    const std::size_t start = line.find(place);
    if (start == std::string_view::npos) continue;
    line.remove_prefix(start + place.size());
    PtxError error;
    error.line = take_number(line);
    const std::size_t colon = line.find(": ");
    if (line.find("error") == std::string_view::npos || colon == std::string_view::npos) continue;
    error.text = line.substr(colon + 2);
    return error;
  }
  return std::nullopt;
}

/// Where PTX line `line` comes from, inside out, as its .loc says: the place itself, then the one it is inlined at.
std::vector<Location> sources_of(std::string_view ptx, int line) {
  struct Mark {
    int file = 0, line = 0;
  };
  std::vector<Mark> marks;
  std::vector<std::pair<int, std::string_view>> files;
  int at = 0;
  while (!ptx.empty()) {
    std::string_view text = next_line(ptx);
    ++at;
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    const auto take_mark = [&] {
      Mark mark;
      mark.file = take_number(text);
      text.remove_prefix(std::min<std::size_t>(1, text.size()));
      mark.line = take_number(text);
      return mark;
    };
    if (text.starts_with(".file")) {
      text.remove_prefix(std::min<std::size_t>(6, text.size()));
      const int number = take_number(text);
      files.emplace_back(number, between_quotes(text));
    } else if (text.starts_with(".loc") && at <= line) {
      text.remove_prefix(std::min<std::size_t>(5, text.size()));
      marks = {take_mark()};
      const std::size_t inlined = text.find("inlined_at ");
      if (inlined != std::string_view::npos) {
        text.remove_prefix(inlined + 11);
        marks.push_back(take_mark());
      }
    }
  }
  std::vector<Location> places;
  for (const Mark& mark : marks)
    for (const auto& [number, file] : files)
      if (number == mark.file && mark.line > 0) places.push_back({file, mark.line});
  return places;
}

std::string headline(const Location& at, std::string_view text, const Location* really) {
  std::string line = spelled(at) + ": error: " + std::string(text);
  if (really != nullptr) line += " (in " + spelled(*really) + ")";
  return line;
}

}  // namespace

std::string first_error(const std::string& log, const GeneratedSource& source, std::string_view ptx) {
  const std::string_view own = template_file(source);
  const std::vector<Diagnostic> all = diagnostics_in(log);
  for (const Diagnostic& one : all) {
    if (!one.is_error()) continue;
    if (one.at.file == own) return headline(one.at, one.text, nullptr);
    for (const Location& from : one.reached_from)
      if (from.file == own) return headline(from, one.text, &one.at);
  }
  for (const Diagnostic& one : all)
    if (one.is_error()) return headline(one.at, one.text, nullptr);
  if (const auto error = first_ptx_error(log)) {
    const std::string text = std::string(error->text) + " (line " + std::to_string(error->line) + " of the PTX)";
    const std::vector<Location> places = sources_of(ptx, error->line);
    for (const Location& place : places)
      if (place.file == own) return headline(place, text, place.file == places[0].file ? nullptr : &places[0]);
    return places.empty() ? text : headline(places[0], text, nullptr);
  }
  return {};
}

}  // namespace tilejit
