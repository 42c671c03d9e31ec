#pragma once
#include <cstddef>
#include <cstdint>

/// The emulated device's one export besides Driver API names: `tilejit_emulated_counters`, an EmulatedTable. Plain
/// data, so that a program that opened the library by dlopen reads what kernels did, instruction by instruction.
extern "C" {

/// One PTX instruction of a kernel, inlined calls apart, summed over launches. Counts bear Nsight Compute's meaning:
/// a request is one warp's access; sectors are 32-byte segments that a request touches (sectors requested, never DRAM
/// bytes); wavefronts are passes over the 32 banks of shared memory, by a model of sm_70 and later. Strings last until
/// the next call of the table.
struct EmulatedInstruction {
  const char* ptx;     ///< its text
  int ptx_line;        ///< from 1
  const char* opcode;  ///< "ld"
  const char* source;  ///< "file:line, inlined at file:line"; empty: no line information
  const char* file;    ///< innermost
  int line;
  const char* space;             ///< global, shared, local, const, param, generic; empty: no access
  const char* kind;              ///< load, store, atomic, copy (cp.async: a row for each side); empty: no access
  int bytes;                     ///< a lane's access
  int flops;                     ///< a lane's floating-point operations
  std::uint64_t warps, threads;  ///< executions: by warps, by active threads (a guard that is false counts)
  std::uint64_t requests, lanes;
  std::uint64_t sectors, ideal_sectors;  ///< ideal: ceil(distinct bytes / 32)
  std::uint64_t unique_bytes;            ///< distinct bytes, request by request
  std::uint64_t wavefronts, ideal_wavefronts;
};

struct EmulatedKernel {
  const char* name;
  std::uint64_t launches, blocks, threads;
  /// Union over each warp's global loads, summed over warps; zero unless "distinct" was on.
  std::uint64_t warps, distinct_load_sectors, distinct_load_bytes;
  const EmulatedInstruction* instructions;
  std::size_t instruction_count;
};

struct EmulatedTable {
  std::uint32_t version;  ///< 1

  /// Calls `visitor` for every kernel that ran since the last reset, in the order of their first launches.
  void (*visit)(void (*visitor)(void* user, const EmulatedKernel* kernel), void* user);
  void (*reset)();
  /// The last fault's report; empty: none since the last reset. Where cuInit refused a TILEJIT_EMULATED_ variable,
  /// which one, and what it may be. A copy in `buffer`, cut to `size` with its zero;
  /// returns the whole length.
  std::size_t (*report)(char* buffer, std::size_t size);
  /// How launches run from now on: "workers" (0: one a core), "deterministic" (0, 1), "shuffle" (a seed, 0: off),
  /// "unwritten", "races", "distinct", "plain_mma" (0, 1). False: no such option or value.
  bool (*set)(const char* option, std::uint64_t value);
};

extern const EmulatedTable tilejit_emulated_counters;
}
