#pragma once
#include <string>

namespace tilejit::emulator {

struct Block;

/// Who waits where in a block that cannot go on: a line for each instruction that threads wait at.
std::string describe_waiters(const Block& block);

}  // namespace tilejit::emulator
