#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <tilejit/generator/dtype.h>

namespace tilejit::bench {

/// One row of the matmul table: c (m, n) = a (m, k) b (k, n).
struct MatmulShape {
  std::int64_t m, n, k;
  DType dtype;
  bool a_transposed = false, b_transposed = false;  ///< stored the other way round: T of NN, NT, TN, TT
  enum class Special {
    none,
    offset,  ///< a begins one element behind an aligned address, its rows 4 elements longer than k
    stepped  ///< every second element of a's and b's rows; the peer copies both first
  } special = Special::none;
  double bound;  ///< of the ratio of rates, at least; 0: none of its own
  std::string name() const;
};

/// The table, in its order.
std::vector<MatmulShape> matmul_shapes();

/// Products of random size (each of m, n, k from 64 to 8192, its logarithm uniform), layout and 16-bit dtype; every
/// other one of whole 16-byte rows. The same for the same seed. No bound.
std::vector<MatmulShape> random_matmul_shapes(int count, unsigned seed);

}  // namespace tilejit::bench
