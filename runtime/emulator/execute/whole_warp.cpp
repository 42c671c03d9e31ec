#include <fmt/format.h>

#include <tilejit/runtime/emulator/execute/assemble.h>
#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/execute/worker.h>
#include <tilejit/runtime/emulator/report/faults.h>

/// .aligned instructions: all 32 lanes at one and the same op.
namespace tilejit::emulator {

const Op* run_whole_warp(const Op* op, Warp& w) {
  if (w.mask == ~0u) return reinterpret_cast<Handler>(const_cast<void*>(op->extra))(op, w);
  if (w.live != ~0u) {
    const Site& site = w.worker->program->sites[op->site];
    fault(FaultKind::shuffle_lane, op, w, __builtin_ctz(w.mask),
          fmt::format("{} wants all 32 lanes of the warp, and lanes 0x{:08x} have returned or never ran",
                      site.instruction->opcode, ~w.live));
  }
  park_lanes(w, op, op, w.mask, ~0u, at_aligned);
  leave_run(w, op, w.mask);
  w.limit = nullptr;
  return nullptr;
}

}  // namespace tilejit::emulator
