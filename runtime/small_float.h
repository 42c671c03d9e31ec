#pragma once
#include <cstdint>

#include <tilejit/generator/dtype.h>

namespace tilejit {

/// The floating dtypes of one and two bytes, on the host. `dtype` is f16, bf16, f8e4m3 or f8e5m2.

/// The bits of the value nearest to `value`, ties to even. Beyond the largest finite value (by half a step or more):
/// infinity, for f8e4m3 that largest value. NaN gives the dtype's quiet NaN with the sign kept.
std::uint16_t small_float_bits(double value, DType dtype);
/// The value that bits stand for.
double small_float_value(std::uint16_t bits, DType dtype);
/// The largest finite value.
double small_float_largest(DType dtype);

}  // namespace tilejit
