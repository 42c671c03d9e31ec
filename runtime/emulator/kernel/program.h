#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <tilejit/generator/ptx/module.h>
#include <tilejit/runtime/emulator/kernel/op.h>

namespace tilejit::emulator {

enum class Space : std::uint8_t { none, global, shared, local, constant, param, generic };
const char* name_of(Space space);

/// One PTX instruction of a decoded kernel, inlined calls included: what reports and counters say about its ops.
struct Site {
  const ptx::Function* function = nullptr;
  const ptx::Instruction* instruction = nullptr;  ///< null: made by the decoder
  int called_from = -1;                           ///< site of the call that brought it in; -1: the kernel's own
  std::uint32_t first_op = 0;
  Space space = Space::none;
  bool store = false, atomic = false;
  bool copy = false;        ///< one side of a cp.async: reads global memory, or writes shared memory later
  bool strong = false;      ///< volatile, relaxed, acquire, release: meant to meet others'
  std::uint8_t bytes = 0;   ///< a lane's access
  std::uint16_t flops = 0;  ///< floating-point operations a lane
};

/// What a place holds that is known only at launch, for a block, or for a warp.
enum class Special : std::uint8_t {
  param,  ///< kernel argument bytes
  tid_x,
  tid_y,
  tid_z,
  warpid,  // a warp's registers
  ctaid_x,
  ctaid_y,
  ctaid_z,
  smid,  // a block's constants
  ntid_x,
  ntid_y,
  ntid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,  // a launch's constants
  nwarpid,
  nsmid,
  gridid,
  dynamic_shared,
  total_shared,
};
struct Fill {
  Special what;
  Place place;
  std::uint32_t offset = 0;  ///< param
  std::uint8_t memory_bytes = 4, register_bytes = 4;
  bool is_signed = false;
};

/// A variable in shared memory and where it lies.
struct SharedVariable {
  std::string name;
  std::int64_t offset = 0, bytes = 0;
};

/// A kernel ready to run. Immutable once decoded.
struct Program {
  std::string name;
  std::shared_ptr<const ptx::Module> module;
  const ptx::Function* function = nullptr;

  std::unique_ptr<Op[]> ops;
  std::uint32_t op_count = 0;
  std::unique_ptr<Place[]> lists;
  std::vector<std::byte> constants;  ///< image; Fills write into a copy
  std::vector<Fill> fills;
  std::vector<Site> sites;
  std::vector<std::string> messages;  ///< of ops that cannot run, by their immediate
  std::vector<Mover> local_movers;    ///< of generic accesses whose lanes point into local memory, by Op::b

  Handler global_access = nullptr, shared_access = nullptr;  ///< for lanes of generic accesses
  Handler check[2][2] = {};  ///< what checks and counts without moving: [shared][64-bit addresses]

  std::uint32_t register_bytes = 0;  ///< a warp's registers
  int live_words = 0;                ///< most 32-bit words alive at once: an estimate of registers
  bool calls = false;
  std::vector<SharedVariable> shared;
  std::int64_t shared_bytes = 0;   ///< static
  std::int64_t dynamic_start = 0;  ///< shared address behind the static variables
  std::int64_t local_bytes = 0;    ///< a thread's
  std::vector<std::uint32_t> param_offsets, param_sizes;
  std::uint32_t param_bytes = 0;
  int max_threads = 1024;
  int most_registers = 255;  ///< a thread's, by what the kernel says of its launches
  int required_threads[3] = {0, 0, 0};
};

/// Shared address of the first variable: below lies what the hardware keeps for itself.
constexpr std::int64_t shared_start = 1024;

}  // namespace tilejit::emulator
