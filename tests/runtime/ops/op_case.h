#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <tilejit/runtime/jit.h>
#include <tilejit/tools/reference/host_tensor.h>

namespace tilejit::test {

/// A tensor of a case: strides in elements, any sign; `offset` moves it off the alignment that it would have.
struct Operand {
  DType dtype = DType::f32;
  std::vector<std::int64_t> shape, strides;
  std::int64_t offset = 0;
  bool output = false;
};
std::string to_string(const Operand& operand);
Operand contiguous(DType dtype, std::vector<std::int64_t> shape, bool output = false);

/// What a case may be off by: |actual - expected| <= absolute + relative * |expected|. 0: equal bits, NaN for NaN.
struct Closeness {
  double relative = 0, absolute = 0;
};

using Expectation = std::function<void(std::vector<tool::HostTensor>& tensors)>;
/// How a case calls: the tensors are in the operands' order.
using Caller = std::function<void(StreamRef stream, const std::vector<TensorView>& tensors)>;

/// Calls on poisoned outputs that lie between guard bytes, and compares every byte of every tensor with what `expect`
/// makes of the same memory: elements, gaps between them, and surroundings. Inputs hold quarters (-1, -0.75 ... 1) or
/// integers from -100 to 100; positive ones where asked for.
testing::AssertionResult holds(const Device& device, const std::vector<Operand>& operands, std::mt19937& random,
                               const Caller& call, const Expectation& expect, const Closeness& closeness = {},
                               bool positive = false);

}  // namespace tilejit::test
