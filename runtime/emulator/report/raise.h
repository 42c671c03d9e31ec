#pragma once
#include <tilejit/runtime/emulator/kernel/op.h>

/// Faults that handlers in ops/ raise. Not inline and without the standard library: those are compiled for several
/// instruction sets.
namespace tilejit::emulator {

[[noreturn]] void fault_division(const Op* op, Warp& warp, int lane);

}  // namespace tilejit::emulator
