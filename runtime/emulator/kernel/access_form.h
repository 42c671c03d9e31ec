#pragma once
#include <string_view>
#include <vector>

#include <tilejit/runtime/emulator/kernel/program.h>

namespace tilejit::emulator {

/// What the modifiers of ld, st, atom, red say. What only steers caches is dropped.
struct AccessForm {
  Space space = Space::generic;
  std::string_view type;
  int element_bytes = 0;
  bool is_signed = false;
  int vector = 1;
  bool read_only = false;
  bool polls = false;                  ///< others may change what is read: volatile, relaxed, acquire, mmio
  bool acquires = false;               ///< orders what follows
  bool releases = false;               ///< orders what went before
  std::vector<std::string_view> rest;  ///< what was not understood: for atom the operation
};

AccessForm access_form(const std::vector<std::string_view>& modifiers);

}  // namespace tilejit::emulator
