#pragma once
#include <cstdint>
#include <exception>
#include <string>

#include <tilejit/runtime/emulator/kernel/op.h>

/// How a kernel's mistakes leave the interpreter: a Fault is thrown through the handlers and ends the launch.
namespace tilejit::emulator {

enum class FaultKind {
  none,
  out_of_bounds,
  misaligned,
  unwritten_read,
  race,
  barrier_deadlock,
  warp_deadlock,
  standstill,
  shuffle_lane,
  division_by_zero,
  trap,
  assertion,
  unsupported,
  cancelled,
};

struct Fault : std::exception {
  FaultKind kind = FaultKind::none;
  std::string text;  ///< the whole report, lines without indentation first
  std::uint64_t block = 0;
  const char* what() const noexcept override { return text.c_str(); }
};

/// Any fault at an instruction: `what` says what happened, `detail` (may be empty) more lines.
[[noreturn]] void fault(FaultKind kind, const Op* op, Warp& warp, int lane, const std::string& what,
                        const std::string& detail = {});

}  // namespace tilejit::emulator
