#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>

#include <tilejit/generator/ptx/module.h>
#include <tilejit/runtime/emulator/kernel/program.h>

namespace tilejit::emulator {

/// A name and what it stands for. `address` is in its own space: a host address in global and constant memory.
struct Symbol {
  Space space = Space::none;
  std::int64_t address = 0;
  std::int64_t bytes = 0;
};

/// A module whose global and constant variables have memory.
struct Image {
  std::shared_ptr<const ptx::Module> module;
  std::map<std::string_view, Symbol> symbols;
  int compute_capability = 90;  ///< of the device it is loaded on: how tensor cores round
};

/// Generic addresses of functions: not memory, only names for calls.
constexpr std::uint64_t function_window = std::uint64_t{4} << 60;

}  // namespace tilejit::emulator
