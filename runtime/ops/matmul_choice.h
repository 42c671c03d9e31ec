#pragma once
#include <memory>
#include <string>
#include <vector>

#include <tilejit/runtime/ops/matmul.h>

namespace tilejit {

/// A product as the templates take it: views of two axes, bias already broadcast; where c has a unit stride at all, it
/// lies along the columns.
struct Product {
  StepTensor a, b, c, bias, previous, residual;  ///< previous: c, where beta is not 0
  Activation activation = Activation::none;
  Precision precision = Precision::full;
  std::int64_t m() const { return c.layout.shape()[0]; }
  std::int64_t n() const { return c.layout.shape()[1]; }
  std::int64_t k() const { return a.layout.shape()[1]; }
  std::vector<StepTensor> tensors() const { return {a, b, c, bias, previous, residual}; }
};

/// Which template computes a product, and with which Config where nothing is tuned.
struct ProductChoice {
  std::shared_ptr<const Template> kernel;
  Config first;
  std::vector<std::string> notes;  ///< templates passed over, each with the reason
};

/// A step's tensor as a Problem has it; what lies in the workspace is aligned to 256 bytes.
TensorProblem problem_of(const StepTensor& tensor, const Call& call);

/// The first template of the list that takes the product on this device. `call` has the addresses. InvalidArgument:
/// none does, with each one's reason.
ProductChoice choose_product(const Product& product, const Call& call, const PlanContext& context);

}  // namespace tilejit
