#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <tilejit/runtime/jit.h>
#include <tilejit/tests/runtime/ops/view_maker.h>

namespace tilejit::test {

/// Ops that are tested by one process, since their plans share kernels.
enum class Group { elementwise, reductions, rows };

/// What must hold of one op for every way in which its tensors may lie, and every dtype that it takes.
struct Property {
  std::string op;         ///< or a name of our own for a formula
  std::string templates;  ///< that it runs, for the table
  std::string formula;    ///< of an elementwise op
  Closeness closeness;
  Group group = Group::elementwise;
};
const std::vector<Property>& properties();
std::vector<DType> dtypes_of(const Property& property);

/// One generated case against its reference. A failure names the seed.
testing::AssertionResult property_holds(const Jit& jit, const Property& property, ViewWay way, DType dtype,
                                        unsigned round);

}  // namespace tilejit::test
