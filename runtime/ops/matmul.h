#pragma once
#include <tilejit/runtime/matmul_options.h>
#include <tilejit/runtime/ops/op.h>

namespace tilejit {

/// c = activation(alpha * a b + beta * c + bias) + residual for a (M, K), b (K, N), c (M, N) of any strides and sizes.
///
/// Arguments: a, b, c, [bias], [residual], alpha = 1, beta = 0, activation = none, precision = full.
///  - a and b have one dtype; what c may be then is refused by name, with all that exist. bias and residual may have
///  any
///    dtype of c's kind (floating, integer).
///  - bias broadcasts to c as in NumPy: (N) and (1, N) a row, (M, 1) a column, (M, N), () a number. residual has c's
///    shape, and may be exactly c.
///  - beta = 0: c is not read. Sums are f32 for floats (f64 for f64), i32 for i8 and i32, i64 for i64. Integers wrap;
///    they take whole alpha and beta, and no activation but relu.
///  - c shares no memory with a, b or bias.
/// Deterministic. alpha and beta are doubles that are rounded to the sum's type, and values, not device memory.
class MatmulOp : public Op {
 public:
  MatmulOp();
  void read(std::span<const Argument> args, Call& call) const override;
  void check_aliases(const Call& call) const override;
  std::uint64_t key(const Call& call) const override;
  Template declared_for(const Call& call) const override;
  Plan plan(const Call& call, const PlanContext& context) const override;
};

}  // namespace tilejit
