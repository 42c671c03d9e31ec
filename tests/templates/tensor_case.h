#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tilejit/runtime/jit.h>
#include <tilejit/tools/reference/reference.h>

namespace tilejit::test {

/// A view: strides in elements, any sign; `offset` moves it off the alignment that it would have.
struct ViewSpec {
  DType dtype = DType::f32;
  std::vector<std::int64_t> shape, strides;
  std::int64_t offset = 0;
  bool output = false;
  bool absent = false;  ///< an optional tensor that the call leaves out
};
std::string to_string(const ViewSpec& view);

/// What inputs hold.
enum class Values {
  quarters,  ///< -1, -0.75, ... 1; integers -100 to 100 (u8: 0 to 100): sums of these are exact in any order
  small,     ///< whole numbers from 0 to 15: for indices
  digits,    ///< floats from -2 to 2 with all their digits, so that another order of a sum shows; any integers
  bits,      ///< any bits at all, NaNs and infinities among them: for copies
};

using Settings = std::vector<std::pair<std::string, std::int64_t>>;

/// Calls the template at this Config on poisoned outputs that lie between guard bytes, and compares every byte of every
/// tensor with what `reference` (nullptr: the template's own) makes of the same memory: elements, gaps between them,
/// and surroundings. Equal bits count, and NaN for NaN; floats may lie `tolerance` away, relative to the greater of 1
/// and the reference, beyond their dtype's own rounding. Scalars have their defaults.
testing::AssertionResult computes(const Jit& jit, const std::string& name, const std::vector<ViewSpec>& views,
                                  const Settings& settings = {}, Values values = Values::quarters,
                                  tool::Reference reference = nullptr, double tolerance = 0);

}  // namespace tilejit::test
