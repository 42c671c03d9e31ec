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
  int bytes = 0;           ///< a thread and access: .v4.f32 is 16; the bytes copied, of cp.async
  bool read_only = false;  ///< .nc
  bool async = false;      ///< cp.async: a load of global memory that ends in shared memory
  int sites = 0;
  int line = 0;       ///< of the first, in the PTX
  int location = -1;  ///< of the first, index into Function::locations
};

/// Scalar accesses side by side that one wider access could replace, if the address is aligned.
struct SplitAccess {
  std::string space;
  bool store = false;
  int bytes = 0;                      ///< of each
  std::vector<std::int64_t> offsets;  ///< from one base, ascending, without a gap
  int line = 0;                       ///< of the first in the text, in the PTX
  int location = -1;
};

/// What one function's PTX shows at a glance. Counts are sites in the text, not executions.
struct Facts {
  std::string function;
  int instructions = 0;
  int threads = 0;                     ///< maxntid's or reqntid's product; 0: not given
  int min_blocks = 0;                  ///< minnctapersm; 0: not given
  std::vector<AccessCount> accesses;   ///< by space, loads before stores, by width
  std::vector<SplitAccess> split;      ///< in order of the text; global and shared
  std::map<std::string, int> opcodes;  ///< "fma.rn.f32": 1024
  int tensor_core = 0, async_copy = 0, tma = 0, atomics = 0, barriers = 0, branches = 0, calls = 0, local_accesses = 0;
  int matrix_loads = 0, matrix_stores = 0;  ///< ldmatrix, stmatrix
  int mbarriers = 0, shuffles = 0, fences = 0;
  int unknown = 0;                               ///< instructions that no class above or plain arithmetic explains
  std::map<std::string, int> unknowns;           ///< those, by opcode
  std::int64_t shared_bytes = 0;                 ///< static, from declarations that the function or what it calls uses
  std::int64_t local_bytes = 0;                  ///< declared in the body
  std::int64_t scratch_bytes = 0;                ///< the largest "// tilejit.scratch N"
  int first_local = 0, first_local_at = -1;      ///< the first local access: line in the PTX, location
  int first_generic = 0, first_generic_at = -1;  ///< the first access without a space
};

/// Never fails, whatever the instructions are.
Facts facts_of(const Module& module, const Function& function);

}  // namespace tilejit::ptx
