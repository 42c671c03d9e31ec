#pragma once
#include <string>

#include <tilejit/generator/formula.h>
#include <tilejit/runtime/ops/op.h>

namespace tilejit {

/// One output, element by element, of inputs that broadcast to it as in NumPy. An input is a tensor, or a number that
/// is rounded once to the type the formula is computed in:
///  - f64 where a tensor is f64;
///  - i64 (exact, wrapping to the output's dtype) where no tensor, number or part of the formula brings a fraction;
///  - else f32.
/// A formula that only names its input copies: same bits where the dtypes agree, else cast once. Arguments: the inputs
/// in order of first appearance, then the output. The output may be exactly one of the inputs (in place).
class ElementwiseOp : public Op {
 public:
  ElementwiseOp(const std::string& name, const std::string& summary, Formula formula);

  const Formula& formula() const { return formula_; }
  void read(std::span<const Argument> args, Call& call) const override;
  void check_aliases(const Call& call) const override;
  std::uint64_t key(const Call& call) const override { return call.floating; }
  Plan plan(const Call& call, const PlanContext& context) const override;

 private:
  const Formula formula_;
};

/// What a formula is computed in: see ElementwiseOp. `tensors` are the dtypes of inputs and output.
TILEJIT_API DType compute_type(const Formula& formula, std::span<const DType> tensors, bool floating_number);

}  // namespace tilejit
