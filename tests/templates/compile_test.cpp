#include <gtest/gtest.h>

#include <tilejit/generator/compiler.h>
#include <tilejit/generator/ptx/facts.h>
#include <tilejit/generator/ptx/module.h>
#include <tilejit/generator/specialization.h>
#include <tilejit/generator/template_library.h>
#include <tilejit/tests/templates/problems.h>

namespace tilejit {
namespace {

using test::dtypes_of;
using test::problem_of;

struct Compiled {
  ObjectCode object;
  ptx::Facts facts;
  int accesses(std::string_view space, bool store, int bytes) const {
    int sites = 0;
    for (const ptx::AccessCount& access : facts.accesses)
      if (access.space == space && access.store == store && (bytes == 0 || access.bytes == bytes))
        sites += access.sites;
    return sites;
  }
};

const Nvrtc& nvrtc() {
  static const Nvrtc library;
  return library;
}
const TemplateLibrary& library() {
  static const TemplateLibrary templates;
  return templates;
}

Compiled compiled(const std::string& name, const Problem& problem, std::string_view arch = "sm_90a",
                  const std::vector<std::pair<std::string, std::int64_t>>& settings = {}, bool folded = false) {
  const auto kernel = library().get(name);
  const Target target = target_of(arch);
  const Config config = config_with(kernel->info, settings);
  Compiled result;
  result.object = compile(nvrtc(), generate(*kernel, specialize(*kernel, problem, config, folded), target), target);
  const auto module = ptx::read(result.object.ptx);
  result.facts = ptx::facts_of(*module, module->functions.back());
  return result;
}

/// No spills, no local memory, nothing for the compiler to complain about.
void expect_clean(const Compiled& kernel, const std::string& what) {
  EXPECT_EQ(kernel.object.resources.spill_stores, 0) << what;
  EXPECT_EQ(kernel.object.resources.stack, 0) << what;
  EXPECT_EQ(kernel.facts.local_accesses, 0) << what;
  EXPECT_EQ(kernel.facts.calls, 0) << what;
  EXPECT_EQ(kernel.object.log.find("warning"), std::string::npos) << what << "\n" << kernel.object.log;
}

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

TEST(TemplateCompiles, ForArchsWithoutTheNewConversions) {
  for (const std::string name : {"row_sum", "vector_add"})
    for (const DType dtype : {DType::f8e4m3, DType::f8e5m2, DType::bf16, DType::f16})
      expect_clean(compiled(name, problem_of(*library().get(name), dtype, 4096, false), "sm_80"),
                   name + " " + std::string(name_of(dtype)));
}

TensorProblem matrix_problem(DType dtype, std::int64_t edge, std::int64_t row_stride, std::int64_t column_stride) {
  TensorProblem tensor;
  tensor.dtype = dtype;
  tensor.rank = 2;
  tensor.shape[0] = tensor.shape[1] = edge;
  tensor.strides[0] = row_stride, tensor.strides[1] = column_stride;
  tensor.address_align = 256;
  return tensor;
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
