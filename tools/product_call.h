#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include <tilejit/tools/op_call.h>

namespace tilejit::tool {

/// What a call of matmul amounts to.
struct ProductCall {
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t flops = 0, bytes = 0;  ///< 2 m n k; each tensor once, c twice where it is read
  std::string arithmetic;             ///< the operands' dtype, or "tf32"
  double norm_bound = 0;              ///< what the result's relative Frobenius error may be; 0: integers are exact
};

/// nullopt: another op, or a call without arguments.
std::optional<ProductCall> product_of(const OpCall& call);

}  // namespace tilejit::tool
