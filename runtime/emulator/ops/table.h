#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tilejit/runtime/emulator/ops/registry.h>

namespace tilejit::emulator {

/// One spelling for an opcode with modifiers in any order: opcode, what is not a type by the alphabet, then the types
/// as they stood. "div.ftz.rn.f32" and "div.rn.ftz.f32" are one.
std::string canonical(std::string_view opcode, const std::vector<std::string_view>& modifiers);

/// Whether a modifier is a type ("f32", "b16x2" and so on).
bool is_type(std::string_view modifier);

/// The op table for the instruction set that this host has. Immutable; safe from all threads.
class OpTable {
 public:
  /// The best set that both the host and `highest` ("v2", "v3", "v4", empty: no limit) allow.
  static const OpTable& of_host(std::string_view highest = {});

  const Row* find(const std::string& canonical_name) const;
  Handler handler(const std::string& canonical_name) const;  ///< of a row that is there
  Mover mover(int memory_bytes, int register_bytes, bool is_signed, bool store, int vector, bool local) const;
  std::string_view instruction_set() const { return instruction_set_; }
  std::vector<std::string> names() const;

 private:
  friend void put(Registry&, const Row&);
  friend void put(Registry&, const MoverRow&);
  friend struct Registry;
  std::string_view instruction_set_;
  std::unordered_map<std::string, Row> rows_;
  std::vector<MoverRow> movers_;
};

}  // namespace tilejit::emulator
