#pragma once
#include <string>

#include <tilejit/cache/export.h>
#include <tilejit/generator/dtype.h>

namespace tilejit {

/// What sums of products of `operands` are kept in: f32 of narrower floats, i32 of narrower integers; f32, f64, i32 and
/// i64 themselves. As product_sum in templates/block/fma.cuh.
DType product_sum(DType operands);

/// A kernel multiplies such sums by `value`, in their type. InvalidArgument, which begins with `kernel`: it does not
/// hold that, so that another factor would come out: a fraction or what is beyond it of integers; a finite value that
/// f32 makes infinite, or 0.
TILEJIT_API void check_sum_factor(const std::string& kernel, const std::string& name, double value, DType operands);

}  // namespace tilejit
