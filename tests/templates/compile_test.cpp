#include <gtest/gtest.h>

#include <tilejit/tests/templates/compiled.h>
#include <tilejit/tests/templates/problems.h>

namespace tilejit {
namespace {

using test::Compiled;
using test::compiled;
using test::dtypes_of;
using test::expect_clean;
using test::library;
using test::matrix_problem;
using test::problem_of;

/// Every third dtype, another one to begin with in each template: all templates, and all dtypes many times.
TEST(TemplateCompiles, ForTheDtypesItTakes) {
  std::size_t number = 0;
  for (const std::string& name : library().names()) {
    const auto kernel = library().get(name);
    const std::vector<DType> dtypes = dtypes_of(*kernel);
    for (std::size_t i = number++ % 3 % dtypes.size(); i < dtypes.size(); i += 3)
      expect_clean(compiled(name, problem_of(*kernel, dtypes[i], 4096, false)),
                   name + " " + std::string(name_of(dtypes[i])));
  }
}

/// What tests/gpu/resources_test.cpp loads.
TEST(TemplateCompiles, ForItsFirstDtypeAndShortRows) {
  for (const std::string& name : library().names()) {
    const auto kernel = library().get(name);
    expect_clean(compiled(name, problem_of(*kernel, dtypes_of(*kernel)[0], 128, false)), name);
  }
}

TEST(TemplateCompiles, ForArchsWithoutTheNewConversions) {
  for (const std::string name : {"row_sum", "vector_add"})
    for (const DType dtype : {DType::f8e4m3, DType::f8e5m2, DType::bf16, DType::f16})
      expect_clean(compiled(name, problem_of(*library().get(name), dtype, 4096, false), "sm_80"),
                   name + " " + std::string(name_of(dtype)));
}

/// Every Config of the space once, dtypes, layouts and epilogues spread over them: no spill, and no warning that wgmma
/// was serialised (C7510, C7511).
TEST(TemplateCompiles, MatmulWgmmaWithEveryConfigOfItsSpace) {
  const auto kernel = library().get("matmul_wgmma");
  const Target target = target_of("sm_90a");
  std::size_t number = 0;
  const auto problem_for = [](std::size_t i) {
    const DType in = i % 2 == 0 ? DType::bf16 : DType::f16, out = i % 3 == 2 ? DType::f32 : in;
    const auto matrix = [](DType dtype, bool last) {
      return matrix_problem(dtype, 8192, last ? 8192 : 1, last ? 1 : 8192);
    };
    TensorProblem c = matrix(out, true);
    if (i % 3 == 1 || i % 6 == 5) c.strides[0] = 8193;  // no map: rows at any address
    TensorProblem bias = matrix_problem(out, 8192, 0, 1), residual = matrix(out, true);
    bias.present = i % 5 == 3, residual.present = i % 7 == 4;
    TensorProblem previous = residual;
    previous.present = i % 7 == 5;
    return Problem{{matrix(in, i % 4 < 2), matrix(in, i % 2 == 0), c, bias, previous, residual},
                   {DType::f64, DType::f64}};
  };
  const std::vector<Config> space = candidates(*kernel, problem_for(0), target);
  EXPECT_GE(space.size(), 12U);
  for (const Config& config : space) {
    const Problem problem = problem_for(number++);
    EXPECT_EQ(why_not(*kernel, ProblemScope(*kernel, problem, config, target), config, target), "");
    std::vector<std::pair<std::string, std::int64_t>> settings = config.constants;
    for (auto& [name, value] : settings)
      if (name == "ACTIVATION") value = static_cast<std::int64_t>(number % 4);
    settings.emplace_back("num_warps", config.num_warps);
    settings.emplace_back("num_stages", config.num_stages);
    expect_clean(compiled("matmul_wgmma", problem, "sm_90a", settings), to_string(config));
  }
}

TEST(TemplateCompiles, WithTheGridFolded) {
  for (const std::string& name : library().names()) {
    const auto kernel = library().get(name);
    const Compiled folded = compiled(name, problem_of(*kernel, dtypes_of(*kernel)[0], 4096, false), "sm_90a", {}, true);
    if (kernel->info.cluster.empty()) {
      EXPECT_EQ(folded.facts.shared_bytes, 48) << name;
    } else {  // and what its programs send each other
      EXPECT_GE(folded.facts.shared_bytes, 48) << name;
    }
  }
}

/// Strides and extents that leave no vector, in every combination with those that do.
TEST(TemplateCompiles, ForEveryPairOfLayouts) {
  const auto kernel = library().get("copy_2d");
  const std::vector<std::array<std::int64_t, 2>> layouts{{4096, 1}, {1, 4096}, {4097, 1}, {1, 4097},
                                                         {9000, 2}, {0, 1},    {1, 0},    {-4096, -1}};
  for (const DType dtype : {DType::u8, DType::bf16, DType::f32, DType::f64})
    for (const auto& x : layouts)
      for (const auto& y : layouts) {
        if (y[0] == 0 || y[1] == 0) continue;
        if (dtype != DType::f32 && (x[0] + y[1]) % 3 != 0) continue;
        Problem problem = problem_of(*kernel, dtype, 4096, false);
        std::copy(x.begin(), x.end(), problem.tensors[0].strides.begin());
        std::copy(y.begin(), y.end(), problem.tensors[1].strides.begin());
        const Compiled copy = compiled("copy_2d", problem);
        expect_clean(copy, copy.object.source.substr(0, copy.object.source.find('\n')));
      }
}

TEST(TemplatePtx, ContiguousCopiesMoveSixteenBytesAtOnce) {
  const auto kernel = library().get("copy_2d");
  for (const DType dtype : all_dtypes()) {
    const Compiled copy = compiled("copy_2d", problem_of(*kernel, dtype, 4096, false));
    const int vectors = 64 * 64 * int(size_of(dtype)) / 16 / 256;
    EXPECT_EQ(copy.accesses("global", false, 16), vectors) << name_of(dtype);
    EXPECT_EQ(copy.accesses("global", false, 0), vectors) << name_of(dtype);
    EXPECT_EQ(copy.accesses("global", true, 16), vectors) << name_of(dtype);
    EXPECT_EQ(copy.accesses("global", true, 0), vectors) << name_of(dtype);
    EXPECT_EQ(copy.facts.barriers, 0) << name_of(dtype);
    EXPECT_EQ(copy.object.scratch, 0) << name_of(dtype);
    EXPECT_LE(copy.object.resources.registers, dtype == DType::f64 || dtype == DType::i64 ? 64 : 32) << name_of(dtype);
  }
}

TEST(TemplatePtx, TransposedCopiesMoveSixteenBytesAtOnceOnBothSides) {
  const auto kernel = library().get("copy_2d");
  for (const DType dtype : all_dtypes()) {
    const int size = int(size_of(dtype)), block = size == 1 ? 128 : 64, vectors = block * block * size / 16 / 256;
    const Compiled copy = compiled("copy_2d", problem_of(*kernel, dtype, 4096, true), "sm_90a",
                                   {{"BLOCK_M", block}, {"BLOCK_N", block}, {"num_warps", 8}});
    EXPECT_EQ(copy.accesses("global", false, 16), vectors) << name_of(dtype);
    EXPECT_EQ(copy.accesses("global", true, 16), vectors) << name_of(dtype);
    EXPECT_EQ(copy.accesses("global", false, 0) + copy.accesses("global", true, 0), 2 * vectors) << name_of(dtype);
    EXPECT_EQ(copy.accesses("shared", false, 16), vectors) << name_of(dtype);
    // Narrow elements are packed: no store to shared memory is narrower than a word.
    EXPECT_EQ(copy.accesses("shared", true, 0), copy.accesses("shared", true, std::max(4, size))) << name_of(dtype);
    EXPECT_EQ(copy.object.scratch, block * block * size) << name_of(dtype);
    EXPECT_EQ(copy.facts.barriers, 2) << name_of(dtype);
  }
}

TEST(TemplatePtx, AlignmentClassLimitsTheVector) {
  const auto kernel = library().get("copy_2d");
  for (const int align : {4, 8, 16}) {
    Problem problem = problem_of(*kernel, DType::f32, 4096, false);
    for (TensorProblem& tensor : problem.tensors) tensor.address_align = align;
    const Compiled copy = compiled("copy_2d", problem);
    EXPECT_EQ(copy.accesses("global", false, align), 64 * 64 * 4 / 256 / align);
    EXPECT_EQ(copy.accesses("global", false, 0), copy.accesses("global", false, align));
  }
}

TEST(TemplatePtx, OneElementAThreadWhereTheBlockHasAsManyAsThreads) {
  for (const std::string name : {"kinetic_energy_aos", "kinetic_energy_soa"}) {
    const Compiled energy = compiled(name, problem_of(*library().get(name), DType::f32, 4096, false));
    EXPECT_EQ(energy.accesses("global", false, 4), 4) << name;
    EXPECT_EQ(energy.accesses("global", false, 0), 4) << name;
  }
  const Compiled product = compiled("matmul_row", problem_of(*library().get("matmul_row"), DType::bf16, 4096, false));
  EXPECT_EQ(product.accesses("global", false, 0), product.accesses("global", false, 2));
}

}  // namespace
}  // namespace tilejit
