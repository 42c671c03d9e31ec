#include <tilejit/runtime/emulator/report/faults.h>

#include <fmt/format.h>

#include <tilejit/runtime/emulator/execute/block.h>
#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/execute/worker.h>
#include <tilejit/runtime/emulator/report/places.h>
#include <tilejit/runtime/emulator/report/raise.h>

namespace tilejit::emulator {

void fault(FaultKind kind, const Op* op, Warp& w, int lane, const std::string& what, const std::string& detail) {
  const Program& program = *w.worker->program;
  Fault f;
  f.kind = kind;
  f.block = w.block->index;
  f.text = fmt::format("{}\n  kernel {}, {}\n", what, program.name, describe_thread(w, lane));
  f.text += describe_instruction(program, op->site);
  if (!detail.empty()) f.text += "  " + detail + "\n";
  throw f;
}

void fault_division(const Op* op, Warp& w, int lane) {
  fault(FaultKind::division_by_zero, op, w, lane, "integer division by zero");
}

const Op* run_unsupported(const Op* op, Warp& w) {
  const std::string& why = w.worker->program->messages[static_cast<std::size_t>(op->immediate)];
  fault(FaultKind::unsupported, op, w, __builtin_ctz(w.mask),
        "the emulated device cannot run this instruction: " + why);
}

}  // namespace tilejit::emulator
