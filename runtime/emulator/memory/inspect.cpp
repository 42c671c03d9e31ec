#include <tilejit/runtime/emulator/memory/access.h>

namespace tilejit::emulator {

void inspect_access(const Op*, Warp&, int, bool) {}

}  // namespace tilejit::emulator
