#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include <tilejit/cache/entry.h>
#include <tilejit/generator/codegen.h>

namespace tilejit {

/// What ptxas said of the kernel; -1: not said (PTX alone).
struct Resources {
  int registers = -1;
  int shared = -1;                          ///< static, bytes
  int stack = -1;                           ///< bytes a thread
  int spill_stores = -1, spill_loads = -1;  ///< bytes
  int barriers = -1;
  bool operator==(const Resources&) const = default;
};

/// Parses each field of an NVRTC program log on its own; what is absent stays -1 (but shared and barriers, which ptxas
/// leaves out where they are 0).
TILEJIT_API Resources resources_in(const std::string& log, const std::string& entry);

/// The largest N of the lines "// tilejit.scratch N" in a PTX text; 0: none.
TILEJIT_API int scratch_in(const std::string& ptx);

/// Compiled, not loaded. A value.
struct ObjectCode {
  std::string entry;
  std::string arch;   ///< "sm_90a", or "compute_90" where there is PTX alone
  std::string cubin;  ///< empty where PTX alone
  std::string ptx;
  std::string source;
  std::string log;  ///< the compiler's, warnings included
  Resources resources;
  int scratch =
      0;  ///< dynamic shared memory the block library asked for, bytes: the largest "// tilejit.scratch N" in the PTX
  std::vector<Parameter> parameters;
  int threads = 0;
};

/// Of an entry's "meta" section, which docs/cache_format.md describes. Part of the key.
inline constexpr int meta_format = 1;

TILEJIT_API Entry to_entry(const ObjectCode& object, const std::string& key_material);
TILEJIT_API std::optional<ObjectCode> object_in(const Entry& entry);  ///< nullopt: an entry of another format: a miss

}  // namespace tilejit
