#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tilejit/generator/ptx/module.h>
#include <tilejit/runtime/emulator/kernel/emitter.h>
#include <tilejit/runtime/emulator/kernel/image.h>

namespace tilejit::emulator {

/// A function while it is decoded once: the kernel, or one inlined call. Finds what its names stand for.
struct Frame {
  const ptx::Function* function = nullptr;
  Frame* caller = nullptr;
  int call_site = -1;                        ///< Site of the call
  std::uint32_t return_label = 0;            ///< of an inlined call
  std::map<std::string_view, Symbol> bound;  ///< parameters and results

  struct Found {
    const ptx::Variable* variable = nullptr;
    int number = -1;  ///< of %r<12>
    int scope = 0;
  };
  /// The variable that `name` means in `scope` or around it.
  std::optional<Found> find(std::string_view name, int scope);

  std::map<std::pair<const ptx::Variable*, int>, Value> registers;
  std::map<const ptx::Variable*, Symbol> variables;  ///< in memory
  std::map<std::pair<int, std::string_view>, std::uint32_t> labels;

 private:
  std::vector<std::unordered_map<std::string_view, const ptx::Variable*>> names_;
};

}  // namespace tilejit::emulator
