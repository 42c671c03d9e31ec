#pragma once
#include <string>
#include <vector>

#include <tilejit/generator/template_library.h>
#include <tilejit/tests/templates/difference.h>
#include <tilejit/tests/templates/tensor_case.h>

namespace tilejit::test {

/// One call of a template: what each tensor is and holds.
struct TemplateCase {
  std::string dtypes, layout, rest;  ///< "f32 to bf16", "transposed", ", any bits"
  std::vector<ViewSpec> views;
  std::vector<Values> values;  ///< what each view holds
  std::vector<bool> results;   ///< whether the template writes it
};

/// The library's templates, and those of tests and examples that any device gives the same answer of.
std::vector<std::string> compared_templates();

/// Every dtype on contiguous tensors; some of them on views of each other kind (transposed, padded, stepped, offset).
std::vector<TemplateCase> cases_of(const Template& kernel);

/// Exact, but for those that go through an approximation of the hardware's (exp2, log2, the reciprocal root): what two
/// implementations within the ISA's bounds may differ by.
Bound bound_of(const std::string& name);

}  // namespace tilejit::test
