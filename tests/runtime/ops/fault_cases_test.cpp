// The few cases that each fault of tests/faults must fail, and that hold without one.
#include <gtest/gtest.h>

#include <tilejit/tests/runtime/ops/op_case.h>
#include <tilejit/tests/templates/device_fixture.h>
#include <tilejit/tools/reference/ops.h>

namespace tilejit::test {
namespace {

using tool::HostTensor;

class FaultCases : public DeviceTest {
 protected:
  void expect(const std::string& op, const std::vector<Operand>& operands, const Closeness& closeness = {}) {
    const JitFunction function = jit().function(op);
    std::mt19937 random(1);
    EXPECT_TRUE(holds(
        device(), operands, random,
        [&](StreamRef stream, const std::vector<TensorView>& views) {
          function.call(stream, std::vector<Argument>(views.begin(), views.end()));
        },
        [&](std::vector<HostTensor>& tensors) {
          if (op != "copy") return tool::op_reference_for(op)(tensors, {});
          for (std::int64_t m = 0; m < tensors[0].shape[0]; ++m)
            for (std::int64_t n = 0; n < tensors[0].shape[1]; ++n)
              tool::convert_element(tensors[0].dtype, tensors[0].at({m, n}), tensors[1].dtype, tensors[1].at({m, n}));
        },
        closeness));
  }
};

TEST_F(FaultCases, APaddedMatrixIsCopied) {
  expect("copy", {{f32, {100, 70}, {96, 1}}, {f32, {100, 70}, {80, 1}, 0, true}});
}
TEST_F(FaultCases, ATransposedMatrixIsCopied) {
  expect("copy", {{f32, {40, 64}, {1, 40}}, contiguous(f32, {40, 64}, true)});
}
TEST_F(FaultCases, RowsOffTheirAlignmentAreSummed) {
  expect("sum", {{f32, {3, 128}, {128, 1}, 1}, contiguous(f32, {3}, true)}, {1e-6, 1e-6});
}
TEST_F(FaultCases, ALongRowIsSummed) {
  expect("sum", {contiguous(f32, {3, 1031}), contiguous(f32, {3}, true)}, {1e-6, 1e-6});
}
TEST_F(FaultCases, ColumnsAreSummed) {
  expect("sum", {contiguous(f32, {300, 64}), contiguous(f32, {1, 64}, true)}, {1e-6, 1e-6});
}
TEST_F(FaultCases, TheGreatestOfNegativeNumbersIsNegative) {
  const Tensor x = device().copy_of(std::vector<float>(300, -3.0F), {3, 100});
  const Tensor y = device().empty(f32, {3});
  const Stream stream = device().stream();
  jit().function("max")(stream, x, y);
  EXPECT_EQ(y.to_host<float>(stream), std::vector<float>(3, -3.0F));
}

}  // namespace
}  // namespace tilejit::test
