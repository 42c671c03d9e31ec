#pragma once
#include <iosfwd>

#include "card.h"

namespace tilejit::testing {

/// Random tiles of every form on the GPU and on the emulated device (may be null), bit for bit; where they differ, or
/// there is no answer, the rule of mma_model.h that fits the GPU best. Prints what it finds; `golden` (may be null)
/// gets the GPU's answers. Returns how many forms differ.
int check_mma(const Card& gpu, const Card* emulated, int tiles, std::ostream* golden);

}  // namespace tilejit::testing
