// Every template over views of every kind, shapes that fit no block, and all dtypes, against slow references. Outputs
// are poisoned, and whatever surrounds a tensor is looked at. Sizes are arguments of a kernel, so a kind of view costs
// a compile and its shapes cost none.
#include <gtest/gtest.h>

#include <tilejit/tests/templates/device_fixture.h>
#include <tilejit/tests/templates/tensor_case.h>
#include <tilejit/tests/templates/view_kinds.h>

namespace tilejit::test {
namespace {

const std::vector<Shape> shapes{{1, 1},  {1, 7},     {7, 1},    {3, 5},    {16, 16},  {31, 33}, {64, 64},
                                {65, 7}, {128, 256}, {63, 130}, {1, 1000}, {1000, 1}, {0, 5},   {5, 0}};

class Views : public DeviceTest {
 protected:
  /// f(input, output) for each kind of input beside a kind of output; all pairs, or as many as there are inputs.
  template <class F>
  void for_each_pair(bool all, F f) {
    std::size_t next = 0;
    for (const ViewKind& input : input_kinds())
      for (std::size_t i = 0; i < (all ? output_kinds().size() : 1); ++i)
        f(input, output_kinds()[all ? i : next++ % output_kinds().size()]);
  }
};

TEST_F(Views, CopiesAreExactForEveryPair) {
  for (const DType dtype : {DType::f32, DType::u8, DType::bf16, DType::f64})
    for_each_pair(dtype == DType::f32, [&](const ViewKind& from, const ViewKind& to) {
      for (const Shape& shape : shapes)
        ASSERT_TRUE(computes(jit(), "copy_2d", {from.of(dtype, shape), to.output(dtype, shape)}, {}, Values::bits))
            << from.name << " to " << to.name;
    });
}

TEST_F(Views, CopiesAreExactForEveryDtype) {
  for (const DType dtype : all_dtypes())
    for (const Shape& shape : shapes)
      for (const char* from : {"contiguous", "transposed"})
        ASSERT_TRUE(computes(jit(), "copy_2d", {kind(from).of(dtype, shape), kind("contiguous").output(dtype, shape)},
                             {}, Values::bits));
}

/// Blocks of any shape, and any number of warps.
const std::vector<Settings> blocks{
    {{"BLOCK_M", 5}, {"BLOCK_N", 48}, {"num_warps", 4}},  {{"BLOCK_M", 1}, {"BLOCK_N", 1000}, {"num_warps", 2}},
    {{"BLOCK_M", 33}, {"BLOCK_N", 65}, {"num_warps", 8}}, {{"BLOCK_M", 2}, {"BLOCK_N", 3}, {"num_warps", 1}},
    {{"BLOCK_M", 96}, {"BLOCK_N", 24}, {"num_warps", 2}}, {{"BLOCK_M", 16}, {"BLOCK_N", 256}, {"num_warps", 32}}};

TEST_F(Views, CopiesAreExactForEveryBlock) {
  for (const Settings& block : blocks)
    for (const DType dtype : {DType::u8, DType::f32})
      for (const auto& [from, to] : {std::pair{"contiguous", "contiguous"}, std::pair{"transposed", "contiguous"},
                                     std::pair{"offset", "transposed"}})
        for (const Shape& shape : {Shape{63, 130}, Shape{128, 256}})
          ASSERT_TRUE(computes(jit(), "any_copy_2d", {kind(from).of(dtype, shape), kind(to).output(dtype, shape)},
                               block, Values::bits, tool::reference_for("copy_2d")));
}

TEST_F(Views, SumsAreRightForEveryBlock) {
  for (const Settings& block : blocks)
    for (const char* from : {"contiguous", "transposed", "offset"})
      for (const Shape& shape : {Shape{63, 130}, Shape{128, 256}}) {
        const ViewSpec x = kind(from).of(DType::f32, shape);
        ASSERT_TRUE(computes(jit(), "any_row_sum", {x, line_output(DType::f32, shape[0], 1)}, block, Values::quarters,
                             tool::reference_for("row_sum")));
        ASSERT_TRUE(computes(jit(), "any_column_sum", {x, line_output(DType::f32, shape[1], 1)}, block,
                             Values::quarters, tool::reference_for("column_sum")));
      }
}

TEST_F(Views, EveryCandidateOfTuningCopies) {
  const auto kernel = jit().templates().get("copy_2d");
  for (const char* from : {"contiguous", "transposed"}) {
    const ViewSpec x = kind(from).of(DType::f32, {192, 320}), y = kind("contiguous").output(DType::f32, {192, 320});
    const Problem problem{{problem_of(x), problem_of(y)}, {}};
    for (const Config& config : candidates(*kernel, problem, device().target())) {
      Settings settings = config.constants;
      settings.emplace_back("num_warps", config.num_warps);
      ASSERT_TRUE(computes(jit(), "copy_2d", {x, y}, settings, Values::bits));
    }
  }
}

TEST_F(Views, SumsAreRightForEveryView) {
  for (const DType dtype : {DType::f32, DType::bf16, DType::u8, DType::f64})
    for (const ViewKind& from : input_kinds())
      for (const Shape& shape : shapes) {
        const DType to = is_floating(dtype) ? dtype : DType::i64;
        const ViewSpec x = from.of(dtype, shape);
        ASSERT_TRUE(computes(jit(), "row_sum", {x, line_output(to, shape[0], 1)})) << from.name;
        ASSERT_TRUE(computes(jit(), "column_sum", {x, line_output(to, shape[1], from.name[0] % 2 ? 1 : 3)}))
            << from.name;
      }
}

TEST_F(Views, SumsAreRightForEveryPairOfDtypes) {
  const std::vector<DType> all(all_dtypes().begin(), all_dtypes().end());
  for (const DType from : all_dtypes())
    for (const DType to : from == DType::f32 || from == DType::i64 ? all : std::vector{from, DType::f32})
      for (const Shape& shape : {Shape{31, 33}, Shape{128, 256}}) {
        const ViewSpec x = kind("contiguous").of(from, shape);
        ASSERT_TRUE(computes(jit(), "row_sum", {x, line_output(to, shape[0], 1)}));
        ASSERT_TRUE(computes(jit(), "column_sum", {x, line_output(to, shape[1], 1)}));
      }
}

TEST_F(Views, EveryCandidateOfTuningSums) {
  for (const std::string name : {"row_sum", "column_sum"})
    for (const char* from : {"contiguous", "transposed"})
      for (const DType dtype : {DType::f32, DType::i8}) {
        const ViewSpec x = kind(from).of(dtype, {130, 610}), y = line_output(dtype, name == "row_sum" ? 130 : 610, 1);
        const Problem problem{{problem_of(x), problem_of(y)}, {}};
        for (const Config& config : candidates(*jit().templates().get(name), problem, device().target())) {
          Settings settings = config.constants;
          settings.emplace_back("num_warps", config.num_warps);
          ASSERT_TRUE(computes(jit(), name, {x, y}, settings));
        }
      }
}

TEST_F(Views, AdditionsAreRightForEveryDtypeStrideAndAlignment) {
  for (const DType dtype : all_dtypes())
    for (const std::int64_t n : {0, 1, 31, 256, 257, 1000, 1024}) {
      const ViewSpec unit{dtype, {n}, {1}}, offset{dtype, {n}, {1}, 1}, step{dtype, {n}, {3}}, back{dtype, {n}, {-1}};
      const ViewSpec one{dtype, {n}, {0}};
      ASSERT_TRUE(computes(jit(), "vector_add", {unit, unit, line_output(dtype, n, 1)}));
      ASSERT_TRUE(computes(jit(), "vector_add", {unit, offset, line_output(dtype, n, 1)}));
      if (size_of(dtype) == 4 || size_of(dtype) == 1) {
        ASSERT_TRUE(computes(jit(), "vector_add", {offset, one, line_output(dtype, n, 2)}));
        ASSERT_TRUE(computes(jit(), "vector_add", {step, back, line_output(dtype, n, 1)}));
      }
    }
}

TEST_F(Views, ProductsAreRightForEveryDtypeAndView) {
  for (const DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16})
    for (const DType to : {dtype, DType::f32})
      for (const char* a : {"contiguous", "transposed"})
        for (const char* b : {"contiguous", "transposed", "columns stepped"})
          for (const auto& [m, n, k] : std::vector<std::array<std::int64_t, 3>>{{1, 1, 1}, {3, 200, 17}, {5, 128, 0}})
            ASSERT_TRUE(computes(
                jit(), "matmul_row",
                {kind(a).of(dtype, {m, k}), kind(b).of(dtype, {k, n}), kind("contiguous").output(to, {m, n})}));
}

TEST_F(Views, KineticEnergiesAreRightForAnyStride) {
  for (const DType dtype : {DType::f32, DType::f64})
    for (const std::int64_t n : {0, 1, 31, 128, 1000}) {
      for (const Strides& strides : std::vector<Strides>{{7, 1}, {8, 1}, {1, n}, {-7, 1}, {0, 1}})
        ASSERT_TRUE(computes(jit(), "kinetic_energy_aos", {{dtype, {n, 7}, strides}, line_output(dtype, n, 1)}));
      const ViewSpec field{dtype, {n}, {1}}, stepped{dtype, {n}, {2}};
      ASSERT_TRUE(computes(jit(), "kinetic_energy_soa", {field, field, field, field, line_output(dtype, n, 1)}));
      ASSERT_TRUE(computes(jit(), "kinetic_energy_soa", {field, stepped, field, stepped, line_output(dtype, n, 2)}));
    }
}

TEST_F(Views, IdsAreRightForAnyStrideAndBlock) {
  for (const DType dtype : {DType::i32, DType::i64})
    for (const std::int64_t n : {0, 1, 300, 1000})
      for (const std::int64_t block : {8, 256, 1000})
        for (const std::int64_t stride : {1, 2, -1})
          ASSERT_TRUE(computes(jit(), "global_id", {line_output(dtype, n, stride)}, {{"BLOCK", block}}));
}

template <int DOWN, int RIGHT>
void shifted(std::span<const tool::HostTensor> tensors, std::span<const double>) {
  const tool::HostTensor &x = tensors[0], &y = tensors[1];
  for (std::int64_t m = 0; m < y.size(0); ++m)
    for (std::int64_t n = 0; n < y.size(1); ++n) {
      const std::int64_t row = m - DOWN, col = n - RIGHT;
      const bool inside = row >= 0 && row < x.size(0) && col >= 0 && col < x.size(1);
      y.put({m, n}, inside ? x.integer({row, col}) : std::int64_t{-1});
    }
}

TEST_F(Views, RangesMayStartAnywhere) {
  const auto check = [&](std::int64_t down, std::int64_t right, tool::Reference reference) {
    for (const char* from : {"contiguous", "transposed"})
      for (const Shape& shape : {Shape{40, 132}, Shape{3, 5}})
        ASSERT_TRUE(computes(jit(), "shift_2d",
                             {kind(from).of(DType::i32, shape), kind("contiguous").output(DType::i32, shape)},
                             {{"DOWN", down}, {"RIGHT", right}}, Values::quarters, reference));
  };
  check(0, 0, shifted<0, 0>);
  check(1, 0, shifted<1, 0>);
  check(0, 1, shifted<0, 1>);
  check(-3, 4, shifted<-3, 4>);
  check(5, -6, shifted<5, -6>);
  check(100, -200, shifted<100, -200>);
}

/// Whole blocks are stored: behind the end of x they hold 0.
template <int BY>
void scattered(std::span<const tool::HostTensor> tensors, std::span<const double>) {
  const tool::HostTensor &x = tensors[0], &y = tensors[1];
  for (std::int64_t n = 0; n < (x.size(0) + 255) / 256 * 256; ++n) {
    if (n + BY < 0 || n + BY >= y.size(0)) continue;
    if (n < x.size(0)) {
      tool::convert_element(x.dtype, x.at({n}), y.dtype, y.at({n + BY}));
    } else {
      y.put({n + BY}, std::int64_t{0});
    }
  }
}

TEST_F(Views, StoresMayStartAnywhere) {
  const auto check = [&](std::int64_t by, tool::Reference reference) {
    for (const DType dtype : {DType::u8, DType::f32})
      for (const std::int64_t n : {1, 256, 1000})
        ASSERT_TRUE(computes(jit(), "scatter_1d", {{dtype, {n}, {1}}, line_output(dtype, n, 1)}, {{"BY", by}},
                             Values::bits, reference));
  };
  check(0, scattered<0>);
  check(3, scattered<3>);
  check(-5, scattered<-5>);
  check(16, scattered<16>);
}

}  // namespace
}  // namespace tilejit::test
