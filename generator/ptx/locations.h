#pragma once
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <tilejit/generator/ptx/lexer.h>
#include <tilejit/generator/ptx/module.h>

namespace tilejit::ptx {

/// The strings of .section .debug_str by label.
using DebugStrings = std::map<std::string_view, std::string>;

/// The .loc lines of one function: each place once, in order of the text.
class Locations {
 public:
  /// .loc file line column[, function_name label[+n], inlined_at file line column]; from .loc on.
  void read(Lexer& in);
  int current() const { return current_; }  ///< index into result(); -1: none yet
  /// Once the module's strings are known: names for what was inlined.
  std::vector<SourceLocation> finish(const DebugStrings& strings);

 private:
  using Place = std::tuple<int, int, int>;
  struct Name {
    std::string_view label;
    std::int64_t offset = 0;
    auto operator<=>(const Name&) const = default;
  };
  int index_of(const Place& place, int inlined_at, const Name& name);

  std::vector<SourceLocation> locations_;
  std::vector<Name> names_;  ///< beside locations_
  std::map<std::tuple<Place, int, Name>, int> known_;
  std::map<Place, int> latest_;
  int current_ = -1;
};

/// .file number "name"[, time, size]; from .file on.
void read_file(Lexer& in, std::map<int, std::string>& files);

/// .section name { ... }; keeps the strings of .debug_str.
void read_section(Lexer& in, DebugStrings& strings);

}  // namespace tilejit::ptx
