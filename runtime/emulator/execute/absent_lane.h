#pragma once
#include <tilejit/runtime/emulator/execute/warp.h>

namespace tilejit::emulator {

/// A lane takes a value from one that is not there: a Fault. Not inline: called from code compiled for several
/// instruction sets.
[[noreturn]] void fault_absent_lane(const Op* op, Warp& w, int lane, int from);

}  // namespace tilejit::emulator
