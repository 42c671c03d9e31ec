#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include <tilejit/tools/reference/host_tensor.h>

namespace tilejit::tool {

/// What matmul makes of a product, by the numbers of Activation (runtime/matmul_options.h).
struct MatmulFinish {
  double alpha = 1, beta = 0;
  int activation = 0;  ///< 0 none, 1 relu, 2 gelu, 3 silu
};

/// The outputs of an (M, N) product of depth K that a check looks at, (row, column) each: empty means all. Above 10^9
/// operations 4,096 of them, spread over all rows and columns, always the same.
std::vector<std::array<std::int64_t, 2>> sampled_outputs(std::int64_t m, std::int64_t n, std::int64_t k);

/// c = activation(alpha * a b + beta * previous + bias) + residual in double, integers in 64 bits, rounded once; at the
/// sampled outputs alone. bias broadcasts to c; what is absent has no data. `previous` may be c.
void matmul(const HostTensor& a, const HostTensor& b, const HostTensor& c, const HostTensor& bias,
            const HostTensor& previous, const HostTensor& residual, const MatmulFinish& finish);

}  // namespace tilejit::tool
