#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include <tilejit/generator/codegen.h>
#include <tilejit/generator/compiler.h>
#include <tilejit/generator/error.h>
#include <tilejit/generator/ptx/module.h>

#include "tests/generator/template_text.h"

// Generated text goes through NVRTC, and the entry that comes out has the parameters that were promised.
namespace tilejit {
namespace {

using test::template_of;
using testing::HasSubstr;

TensorProblem tensor(DType dtype, std::vector<std::int64_t> shape, std::vector<std::int64_t> strides, int align = 16) {
  TensorProblem problem;
  problem.dtype = dtype;
  problem.rank = static_cast<int>(shape.size());
  std::copy(shape.begin(), shape.end(), problem.shape.begin());
  std::copy(strides.begin(), strides.end(), problem.strides.begin());
  problem.address_align = align;
  return problem;
}

/// Every size 64, every tensor contiguous, of `dtype` where it may be and else of the first dtype it may have.
Problem contiguous_problem(const Template& kernel, DType dtype) {
  Problem problem;
  for (const ArgumentInfo& info : kernel.info.arguments) {
    if (info.kind == ArgumentInfo::Kind::scalar) {
      problem.scalars.push_back(info.dtype);
      continue;
    }
    const bool may = info.dtypes.empty() || std::count(info.dtypes.begin(), info.dtypes.end(), dtype) > 0;
    std::vector<std::int64_t> shape, strides(info.shape.size(), 1);
    for (const Dimension& dimension : info.shape) shape.push_back(dimension.name.empty() ? dimension.extent : 64);
    for (std::size_t axis = shape.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * shape[axis];
    problem.tensors.push_back(tensor(may ? dtype : info.dtypes.front(), shape, strides));
  }
  std::size_t i = 0;
  std::map<std::string, DType> dtypes;
  for (const ArgumentInfo& info : kernel.info.arguments) {
    if (info.kind != ArgumentInfo::Kind::tensor) continue;
    dtypes[info.name] = problem.tensors[i].dtype;
    if (!info.same_dtype_as.empty()) problem.tensors[i].dtype = dtypes.at(info.same_dtype_as);
    ++i;
  }
  return problem;
}

class CodegenNvrtc : public testing::Test {
 protected:
  /// Compiles to PTX, and compares the entry's parameters with Parameter's promises.
  ObjectCode compiled(const Template& kernel, const Specialization& specialization, const char* arch = "compute_90") {
    const Target target = target_of(arch);
    const GeneratedSource source = generate(kernel, specialization, target);
    ObjectCode object = compile(nvrtc, source, target);
    EXPECT_EQ(object.ptx.find(std::filesystem::current_path().string()), std::string::npos)
        << "the same source must give the same PTX wherever it is compiled: " << to_string(specialization);
    const auto module = ptx::read(object.ptx);
    const ptx::Function* entry = module->find(source.entry);
    EXPECT_NE(entry, nullptr) << to_string(specialization);
    if (entry == nullptr) return object;
    EXPECT_EQ(entry->parameters.size(), source.parameters.size()) << to_string(specialization);
    int offset = 0;
    for (std::size_t i = 0; i < std::min(entry->parameters.size(), source.parameters.size()); ++i) {
      const ptx::Variable& parameter = entry->parameters[i];
      const int element = parameter.type.back() == '4'   ? 8
                          : parameter.type.back() == '2' ? 4
                          : parameter.type.back() == '6' ? 2
                                                         : 1;
      const int size = element * static_cast<int>(parameter.elements);
      const int align = parameter.align > 0 ? parameter.align : element;
      offset = (offset + align - 1) / align * align;
      EXPECT_EQ(source.parameters[i].size, size) << parameter.name << " in " << to_string(specialization);
      EXPECT_EQ(source.parameters[i].offset, offset) << parameter.name << " in " << to_string(specialization);
      offset += size;
    }
    EXPECT_EQ(source.parameter_bytes, offset);
    return object;
  }
  const Nvrtc nvrtc;
  const TemplateLibrary library;
};

TEST_F(CodegenNvrtc, EveryTemplateOfOursCompilesAtItsDefault) {
  for (const std::string& name : library.names()) {
    const auto kernel = library.get(name);
    const bool needs_met = kernel->info.needs.empty();
    if (!needs_met) continue;
    compiled(*kernel, specialize(*kernel, contiguous_problem(*kernel, f32), default_config(kernel->info), false));
  }
}

TEST_F(CodegenNvrtc, ACopyOfEveryDtypeLayoutAndGridCompiles) {
  const auto kernel = library.get("copy_2d");
  const Config config = config_with(kernel->info, {{"BLOCK_M", 16}, {"BLOCK_N", 32}, {"num_warps", 1}});
  for (DType dtype : all_dtypes())
    compiled(*kernel, specialize(*kernel, contiguous_problem(*kernel, dtype), config, false));
  for (std::vector<std::int64_t> strides : {std::vector<std::int64_t>{1, 64}, {0, 1}, {0, 0}, {128, 2}, {-64, -1}}) {
    Problem problem = contiguous_problem(*kernel, bf16);
    problem.tensors[0] = tensor(bf16, {64, 64}, strides, 2);
    compiled(*kernel, specialize(*kernel, problem, config, true));
  }
  Specialization debug = specialize(*kernel, contiguous_problem(*kernel, f32), config, false);
  debug.debug = true;
  compiled(*kernel, debug);
}

TEST_F(CodegenNvrtc, OptionalTensorsScalarsFixedExtentsAndMapsReachTheTemplate) {
  const std::string source = R"(/*---
summary = "every form of argument"
needs = ["tma"]
grid = [1]
[[arguments]]
name = "maybe"
shape = ["N"]
access = "read"
optional = true
[[arguments]]
name = "flag"
dtype = "bool"
[[arguments]]
name = "m"
shape = ["N", 32]
access = "read"
via = "tma"
box = [8, "16 * num_warps"]
swizzle = 64
[[arguments]]
name = "y"
shape = ["N", 7]
access = "update"
dtype = "f32"
[[arguments]]
name = "alpha"
dtype = "f64"
[[arguments]]
name = "point"
shape = []
access = "read"
---*/
template <class Maybe, class M, class Y, class Point>
__device__ void forms(Maybe maybe, bool_ flag, M m, Y y, double alpha, Point point) {
  static_assert(Y::writable && !M::writable && M::rank == 2 && M::swizzle == 64 && Point::rank == 0);
  static_assert(M::template box<0>() == 8 && M::template box<1>() == 64 && M::unit_axis == 1);
  static_assert(alignof(tensor_map) == 64 && sizeof(tensor_map) == 128);
  double value = alpha + point.data[0] + (flag.bits ? 1 : 0) + m.map->bytes[threadIdx.x] + m.template size<1>();
  if constexpr (Maybe::present) value += maybe.data[threadIdx.x * maybe.template stride<0>()];
  y.data[program_id<0>() * y.template stride<0>() + y.template size<1>()] += float(value);
}
)";
  Template kernel = template_of(source, "/test/forms.cuh");
  kernel.headers = library.get("copy_2d")->headers;
  kernel.info.use = {"block/dtype.cuh"};
  for (const bool present : {false, true})
    for (const bool folded : {false, true}) {
      Problem problem{
          {tensor(f32, {64}, {3}), tensor(bf16, {64, 32}, {32, 1}), tensor(f32, {64, 7}, {7, 1}), tensor(f32, {}, {})},
          {boolean, f64}};
      problem.tensors[0].present = present;
      const ObjectCode object =
          compiled(kernel, specialize(kernel, problem, default_config(kernel.info), folded), "sm_90a");
      EXPECT_THAT(object.ptx, HasSubstr(".param .align 64 .b8 forms_kernel_param_0[128]"));
      EXPECT_THAT(object.ptx, HasSubstr(".maxntid 128"));
      EXPECT_FALSE(object.cubin.empty());
    }
}

TEST_F(CodegenNvrtc, AMistakeInATemplateIsReportedOnItsOwnLine) {
  const std::string source = test::with(test::fixture("copy_2d.cuh"), "load(x, rows, cols)", "laod(x, rows, cols)");
  Template kernel = template_of(source, "/home/me/copy_2d.cuh");
  kernel.headers = library.get("copy_2d")->headers;
  kernel.info.use = library.get("copy_2d")->info.use;
  const Specialization specialization =
      specialize(kernel, contiguous_problem(kernel, f32), default_config(kernel.info), false);
  try {
    compiled(kernel, specialization);
    FAIL();
  } catch (const CompileError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/home/me/copy_2d.cuh(26)")) << error.what();
    EXPECT_THAT(error.what(), HasSubstr("laod"));
  }
}

}  // namespace
}  // namespace tilejit
