#pragma once
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include <tilejit/generator/ptx/facts.h>

namespace tilejit::ptx {

/// Gathers scalar accesses of one base register while nothing between them can change the register or leave the
/// straight line of code, and finds those that stand side by side.
class SplitAccesses {
 public:
  void see(const Instruction& instruction, std::string_view space, bool store, int bytes);
  /// Any other instruction; one that writes a register ends what was gathered from it.
  void see_other(const Instruction& instruction);
  void end_of_straight_line();  ///< a label, a branch, a call, a barrier
  std::vector<SplitAccess> take();

 private:
  struct Site {
    std::int64_t offset;
    int line, location;
  };
  using Key = std::tuple<std::string_view, std::string_view, bool, int, std::string_view, bool>;
  void forget(std::string_view written);
  void close(const Key& key, std::vector<Site>& sites);

  std::map<Key, std::vector<Site>> open_;  ///< by base first
  std::vector<SplitAccess> found_;
};

}  // namespace tilejit::ptx
