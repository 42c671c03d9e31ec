#pragma once
#include <optional>
#include <span>

#include <tilejit/generator/formula.h>
#include <tilejit/tools/reference/host_tensor.h>

namespace tilejit::tool {

/// A formula's value in double, or in int64 where it is computed in integers (which wrap).
double formula_value(const Formula& formula, std::span<const double> inputs);
std::int64_t formula_value(const Formula& formula, std::span<const std::int64_t> inputs);

/// A number that a formula's input is given as.
struct FormulaNumber {
  double value = 0;
  std::int64_t whole = 0;  ///< of one that is no fraction
  bool floating = false;
};
/// An input of a formula: a tensor that broadcasts to the output, or a number.
struct FormulaInput {
  HostTensor tensor;
  std::optional<FormulaNumber> number;
};

/// `output` = the formula of the inputs, slow and obvious: in double, rounded once to the output's dtype; in integers
/// where no tensor, number or part of the formula brings a fraction. A formula that names its input alone converts each
/// element.
void elementwise(const Formula& formula, std::span<const FormulaInput> inputs, const HostTensor& output);

}  // namespace tilejit::tool
