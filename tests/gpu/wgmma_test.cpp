// block/wgmma.cuh alone: each form of descriptor and each width of an instruction, on whole numbers, whose products are
// exact.
#include <fmt/format.h>

#include <random>

#include <tilejit/runtime/jit.h>
#include <tilejit/tools/reference/element.h>

#include "../support/gpu_fixture.h"

namespace tilejit {
namespace {

constexpr std::int64_t edge = 64;

struct Operand {
  std::vector<double> values;  ///< row-major
  Tensor memory;
  TensorView view;
};

/// Whole numbers from -4 to 4; the axis of stride 1 is the last or the first one.
Operand operand(const Device& device, DType dtype, std::int64_t rows, std::int64_t columns, bool last, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> values(std::size_t(rows * columns));
  std::vector<std::byte> bytes(values.size() * size_of(dtype));
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) {
      const double value = double(random() % 9) - 4;
      values[std::size_t(i * columns + j)] = value;
      tool::put_double(dtype, bytes.data() + std::size_t(last ? i * columns + j : j * rows + i) * size_of(dtype),
                       value);
    }
  const std::int64_t shape[] = {last ? rows : columns, last ? columns : rows};
  Tensor memory = device.copy_of_bytes(dtype, bytes, shape);
  TensorView view = last ? memory.view() : memory.view().t();
  return {std::move(values), std::move(memory), view};
}

class Wgmma : public test::GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (!IsSkipped() && !HasFatalFailure() && !device().target().has("wgmma"))
      GTEST_SKIP() << device().name() << " has no wgmma";
  }
};

TEST_F(Wgmma, EachFormOfDescriptorFindsItsOperand) {
  Options options;
  options.cache_root = "";
  options.tuning = Tuning::off;
  options.template_paths = {TILEJIT_SOURCE_DIR "/tests/templates/fixtures/words_wgmma.cuh"};
  const Jit jit(device(), options);
  const Stream stream = device().stream();
  for (const DType dtype : {bf16, f16})
    for (const bool a_along_k : {true, false})
      for (const bool b_along_k : {true, false})
        for (const std::int64_t columns : {64, 96, 128, 160, 192, 224, 256}) {
          if (columns % 64 != 0 && !b_along_k) continue;
          const Operand a = operand(device(), dtype, edge, edge, a_along_k, 1),
                        b = operand(device(), dtype, edge, columns, !b_along_k, 2);
          const Tensor d = device().empty(f32, {edge, columns});
          d.fill_bytes(0xff, stream);
          jit.template_function("words_wgmma").with_config({{"COLUMNS", columns}})(stream, a.view, b.view, d);
          const std::vector<float> found = d.to_host<float>(stream);
          for (std::int64_t i = 0; i < edge; ++i)
            for (std::int64_t j = 0; j < columns; ++j) {
              double expected = 0;
              for (std::int64_t k = 0; k < edge; ++k)
                expected += a.values[std::size_t(i * edge + k)] * b.values[std::size_t(k * columns + j)];
              ASSERT_EQ(found[std::size_t(i * columns + j)], expected)
                  << fmt::format("({}, {}) of 64 x {}, {}, a along {}, b along {}", i, j, columns, name_of(dtype),
                                 a_along_k ? "K" : "M", b_along_k ? "K" : "N");
            }
        }
}

}  // namespace
}  // namespace tilejit
