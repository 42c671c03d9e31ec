#include <tilejit/generator/ptx/opcode_class.h>

#include <algorithm>
#include <array>

namespace tilejit::ptx {

namespace {

using enum OpcodeClass;

struct Row {
  std::string_view opcode;
  OpcodeClass kind;
};

// In order of the alphabet.
constexpr std::array rows = {
    Row{"abs", plain},
    Row{"activemask", plain},
    Row{"add", plain},
    Row{"addc", plain},
    Row{"alloca", plain},
    Row{"and", plain},
    Row{"applypriority", plain},
    Row{"atom", atomic},
    Row{"bar", barrier},
    Row{"barrier", barrier},
    Row{"bfe", plain},
    Row{"bfi", plain},
    Row{"bfind", plain},
    Row{"bmsk", plain},
    Row{"bra", branch},
    Row{"brev", plain},
    Row{"brkpt", plain},
    Row{"brx", branch},
    Row{"call", call},
    Row{"clusterlaunchcontrol", plain},
    Row{"clz", plain},
    Row{"cnot", plain},
    Row{"copysign", plain},
    Row{"cos", plain},
    Row{"createpolicy", plain},
    Row{"cvt", plain},
    Row{"cvta", plain},
    Row{"discard", plain},
    Row{"div", plain},
    Row{"dp2a", plain},
    Row{"dp4a", plain},
    Row{"elect", shuffle},
    Row{"ex2", plain},
    Row{"exit", plain},
    Row{"fence", fence},
    Row{"fma", plain},
    Row{"fns", plain},
    Row{"getctarank", plain},
    Row{"griddepcontrol", plain},
    Row{"isspacep", plain},
    Row{"istypep", plain},
    Row{"ld", load},
    Row{"ldmatrix", matrix_load},
    Row{"ldu", load},
    Row{"lg2", plain},
    Row{"lop3", plain},
    Row{"mad", plain},
    Row{"mad24", plain},
    Row{"madc", plain},
    Row{"mapa", plain},
    Row{"match", shuffle},
    Row{"max", plain},
    Row{"mbarrier", mbarrier},
    Row{"membar", fence},
    Row{"min", plain},
    Row{"mma", tensor},
    Row{"mov", plain},
    Row{"movmatrix", shuffle},
    Row{"mul", plain},
    Row{"mul24", plain},
    Row{"nanosleep", plain},
    Row{"neg", plain},
    Row{"not", plain},
    Row{"or", plain},
    Row{"pmevent", plain},
    Row{"popc", plain},
    Row{"prefetch", plain},
    Row{"prefetchu", plain},
    Row{"prmt", plain},
    Row{"rcp", plain},
    Row{"red", atomic},
    Row{"redux", shuffle},
    Row{"rem", plain},
    Row{"ret", plain},
    Row{"rsqrt", plain},
    Row{"sad", plain},
    Row{"selp", plain},
    Row{"set", plain},
    Row{"setmaxnreg", plain},
    Row{"setp", plain},
    Row{"shf", plain},
    Row{"shfl", shuffle},
    Row{"shl", plain},
    Row{"shr", plain},
    Row{"sin", plain},
    Row{"slct", plain},
    Row{"sqrt", plain},
    Row{"st", store},
    Row{"stackrestore", plain},
    Row{"stacksave", plain},
    Row{"stmatrix", matrix_store},
    Row{"sub", plain},
    Row{"subc", plain},
    Row{"szext", plain},
    Row{"tanh", plain},
    Row{"testp", plain},
    Row{"trap", plain},
    Row{"vote", shuffle},
    Row{"xor", plain},
};

static_assert(std::is_sorted(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.opcode < b.opcode; }));

std::string_view first_modifier(const Instruction& instruction) {
  return instruction.modifiers.empty() ? std::string_view() : instruction.modifiers[0];
}

/// cp.async waits and commits move nothing.
OpcodeClass class_of_copy(const Instruction& instruction) {
  const bool moves = !instruction.has("commit_group") && !instruction.has("wait_group") && !instruction.has("wait_all");
  if (instruction.has("mbarrier") || instruction.has("noinc")) {
    return mbarrier;
  }
  if (!moves || instruction.has("prefetch")) {
    return plain;
  }
  return instruction.has("bulk") ? tma : instruction.has("async") ? async_copy : unknown;
}

OpcodeClass class_of_multiply(const Instruction& instruction) {
  const std::string_view part = first_modifier(instruction);
  if (part == "mma" || part == "mma_async") {
    return tensor;
  }
  return part == "load" ? matrix_load : part == "store" ? matrix_store : plain;
}

}  // namespace

OpcodeClass class_of(const Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  if (opcode == "cp") {
    return class_of_copy(instruction);
  }
  if (opcode == "wmma" || opcode == "wgmma" || opcode == "tcgen05") {
    return class_of_multiply(instruction);
  }
  if (opcode == "multimem") {
    const std::string_view part = first_modifier(instruction);
    return part == "red" ? atomic : part == "st" ? store : part == "ld_reduce" ? load : unknown;
  }
  const auto* found = std::lower_bound(rows.begin(), rows.end(), opcode,
                                       [](const Row& row, std::string_view name) { return row.opcode < name; });
  return found != rows.end() && found->opcode == opcode ? found->kind : unknown;
}

}  // namespace tilejit::ptx
