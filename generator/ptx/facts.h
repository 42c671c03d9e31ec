#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tilejit/generator/ptx/module.h>

namespace tilejit::ptx {

/// Loads or stores of one space and width.
struct AccessCount {
  std::string space;  ///< global, shared, local, const, generic
  bool store = false;
  int bytes = 0;           ///< a thread and access
  bool read_only = false;  ///< .nc
  int sites = 0;
};

/// What one function's PTX shows at a glance. Counts are sites in the text, not executions.
struct Facts {
  std::string function;
  int instructions = 0;
  int threads = 0;  ///< maxntid's product; 0: not given
  std::vector<AccessCount> accesses;
  std::map<std::string, int> opcodes;  ///< "fma.rn.f32": 1024
  int tensor_core = 0, async_copy = 0, tma = 0, atomics = 0, barriers = 0, branches = 0, calls = 0, local_accesses = 0;
  int unknown = 0;                ///< instructions that no class above or plain arithmetic explains
  std::int64_t shared_bytes = 0;  ///< static, from declarations
  int scratch_bytes = 0;          ///< the largest "// tilejit.scratch N"
};

Facts facts_of(const Module& module, const Function& function);

}  // namespace tilejit::ptx
