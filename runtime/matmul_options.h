#pragma once
#include <cstdint>

namespace tilejit {

/// What matmul applies to alpha * a b + beta * c + bias. gelu goes through erf.
enum class Activation : std::int32_t { none, relu, gelu, silu };

/// tf32: f32 operands may be rounded to tf32, for tensor cores.
enum class Precision : std::int32_t { full, tf32 };

}  // namespace tilejit
