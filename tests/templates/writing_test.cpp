// The templates of docs/writing_a_template.md compute what it says, and a debug build stops where it says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include <tilejit/runtime/errors.h>
#include <tilejit/tests/templates/device_fixture.h>
#include <tilejit/tests/templates/tensor_case.h>
#include <tilejit/tests/templates/view_kinds.h>

namespace tilejit::test {
namespace {

using Tensors = std::span<const tool::HostTensor>;
using Scalars = std::span<const double>;

class Writing : public DeviceTest {};

TEST_F(Writing, TheFirstKernelScales) {
  const Tensor x = device().copy_of(std::vector<float>(1500, 1.5f), {1500}), y = device().empty(DType::f32, {1500});
  const Stream stream = device().stream();
  jit().function("scale")(stream, x, y, 2.0f);
  EXPECT_THAT(y.to_host<float>(stream), testing::Each(3.0f));
}

TEST_F(Writing, ABiasAndAGeluAreFused) {
  const auto reference = [](Tensors tensors, Scalars) {
    for (std::int64_t m = 0; m < tensors[0].size(0); ++m)
      for (std::int64_t n = 0; n < tensors[0].size(1); ++n) {
        const double t = tensors[0].number({m, n}) + tensors[1].number({n});
        tensors[2].put({m, n}, t / 2 * (1 + std::erf(t / std::sqrt(2.0))));
      }
  };
  for (const char* from : {"contiguous", "transposed"})
    ASSERT_TRUE(computes(jit(), "bias_gelu",
                         {kind(from).of(DType::bf16, {9, 700}),
                          {DType::f32, {700}, {1}},
                          kind("contiguous").output(DType::bf16, {9, 700})},
                         {}, Values::quarters, reference, 1e-6));
}

TEST_F(Writing, ASoftmaxOfItsRows) {
  ASSERT_TRUE(computes(jit(), "row_softmax",
                       {kind("contiguous").of(DType::f32, {9, 700}), kind("contiguous").output(DType::f32, {9, 700})},
                       {}, Values::quarters, tool::reference_for("softmax"), 1e-6));
}

TEST_F(Writing, RowsAreGatheredAndAdded) {
  const auto reference = [](Tensors tensors, Scalars) {
    for (std::int64_t m = 0; m < tensors[3].size(0); ++m)
      for (std::int64_t n = 0; n < tensors[3].size(1); ++n) {
        const std::int64_t row = tensors[1].integer({m});
        const double from = row < tensors[0].size(0) ? tensors[0].number({row, n}) : 0;
        tensors[3].put({m, n}, from + tensors[2].number({m, n}));
      }
  };
  ASSERT_TRUE(computes(jit(), "embedding",
                       {kind("contiguous").of(DType::f32, {12, 300}),
                        {DType::i32, {21}, {1}},
                        kind("contiguous").of(DType::f32, {21, 300}),
                        kind("contiguous").output(DType::f32, {21, 300})},
                       {}, Values::small, reference));
}

/// The fault ends the context: a device of its own, and on a GPU none (the process would lose it).
TEST_F(Writing, ADebugBuildStopsAtARowThatIsNotThere) {
  if (!emulated()) GTEST_SKIP() << "a failed assert ends the process' context";
  const Device other = Device::open(DeviceKind::emulated);
  Options options;
  options.cache_root = "";
  options.tuning = Tuning::off;
  const Jit jit(other, options);
  const Stream stream = other.stream();
  const auto gather = [&](int row) {
    const Tensor x = other.copy_of(std::vector<float>(40, 1.0f), {10, 4});
    const Tensor index = other.copy_of(std::vector<int>{3, row}, {2}), y = other.empty(DType::f32, {2, 4});
    jit.function("gather_rows").with_debug()(stream, x, index, y);
    return y.to_host<float>(stream);
  };
  EXPECT_THAT(gather(9), testing::Each(1.0f));
  try {
    gather(10);
    FAIL() << "nothing stopped it";
  } catch (const CudaError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("ASSERT")) << error.what();
  }
}

}  // namespace
}  // namespace tilejit::test
