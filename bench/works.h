#pragma once
#include <string>
#include <vector>

#include <tilejit/bench/row.h>
#include <tilejit/runtime/jit.h>

namespace tilejit::bench {

/// Host time of a call with two 2-D views, typed and bound, against cuLaunchKernelEx of the same kernel with the same
/// parameters. Bursts of at most 256 launches with a sync between them, so that a full queue hides nothing.
std::vector<Row> launch_rows(const Jit& jit, int rounds);

/// copy_2d of `edge` x `edge` fp32, plain and transposed, against cuMemcpyDtoDAsync of the same bytes. Random data, L2
/// cold, outputs poisoned and verified. Throws Error where an output is wrong: then no time is reported.
std::vector<Row> copy_rows(const Jit& jit, std::int64_t edge, int rounds);

struct BandwidthOptions {
  int rounds = 15;
  std::string only;               ///< rows whose name holds this; empty: all
  std::vector<std::string> rows;  ///< rows of exactly these names; empty: all
  double replay_below = 20;       ///< microseconds; shorter row ops and sums are replayed by graphs (contest.h)
};

/// The bandwidth family beside cuMemcpyDtoDAsync of the same bytes: copies, transposes, additions, sums, softmax and
/// norms. Random data, L2 cold, outputs poisoned; a sample of each output is checked, Error where it is wrong. What is
/// never replayed is far longer than what is.
std::vector<Row> bandwidth_rows(const Jit& jit, const BandwidthOptions& options);

/// Matrix products beside the faster of cublasGemmEx and what cublasLt's heuristics propose, in TFLOP/s. Rows whose
/// name holds `only` (empty: all). Random data, L2 cold, outputs poisoned and compared with cuBLAS's; Error where they
/// differ. Without cuBLAS: no rows, and a line that says why.
std::vector<Row> matmul_rows(const Jit& jit, int rounds, const std::string& only);

/// The Config that matmul's model takes untuned beside the one that `jit`, which tunes, finds: of the table's shapes
/// and of 20 random ones of a fixed seed, whose names begin with "random". Prints the ratios' geometric mean and the
/// least.
std::vector<Row> matmul_default_rows(const Jit& jit, int rounds, const std::string& only);

}  // namespace tilejit::bench
