#pragma once
#include <cstdint>

namespace tilejit::bench {

/// How a short work is replayed: one graph of so many launches, each set of buffers in its turn.
struct Rotation {
  int sets = 0, launches = 0;
};

/// For a work that reads and writes `bytes`: as many sets of buffers as hold 120 MB together, so that none of a set is
/// in L2 when its turn comes again, and at least 8; as many launches as go round whole, and at least 64, so that the
/// graph's own start is a small part. InvalidArgument: no bytes.
Rotation rotation_of(double bytes);

}  // namespace tilejit::bench
