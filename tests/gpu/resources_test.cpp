#include <gtest/gtest.h>

#include <map>

#include <tilejit/generator/build.h>
#include <tilejit/runtime/kernel.h>
#include <tilejit/tests/support/gpu_fixture.h>

namespace tilejit {
namespace {

/// A Problem that any template takes: every size the same, contiguous, each tensor's first dtype.
Problem plain_problem(const Template& kernel, std::int64_t size) {
  Problem problem;
  std::map<std::string, DType> dtypes;
  for (const ArgumentInfo& info : kernel.info.arguments) {
    if (info.kind == ArgumentInfo::Kind::scalar) {
      problem.scalars.push_back(info.dtype);
      continue;
    }
    const DType own = info.dtypes.empty() ? DType::f32 : info.dtypes.front();
    const DType dtype = info.same_dtype_as.empty() ? own : dtypes.at(info.same_dtype_as);
    dtypes[info.name] = dtype;
    TensorProblem tensor{.dtype = dtype, .rank = int(info.shape.size())};
    std::int64_t stride = 1;
    for (std::size_t axis = info.shape.size(); axis-- > 0;) {
      tensor.shape[axis] = info.shape[axis].name.empty() ? info.shape[axis].extent : size;
      tensor.strides[axis] = stride;
      stride *= tensor.shape[axis];
    }
    problem.tensors.push_back(tensor);
  }
  return problem;
}

class ResourcesTest : public test::GpuTest {};

TEST_F(ResourcesTest, OfEveryTemplateAreWhatTheDriverSaysOfTheLoadedKernel) {
  const TemplateLibrary library;
  const Nvrtc nvrtc;
  Store store({.root = "", .log = {}});
  for (const std::string& name : library.names()) {
    SCOPED_TRACE(name);
    const std::shared_ptr<const Template> kernel = library.get(name);
    const Specialization specialization =
        specialize(*kernel, plain_problem(*kernel, 128), default_config(kernel->info), false);
    const BuildResult built = build(*kernel, specialization, device().target(), nvrtc, store);
    const Kernel loaded(device(), built.object, built.object.scratch);
    const Resources said = built.object.resources, found = loaded.loaded_resources();
    EXPECT_GT(said.registers, 0);
    EXPECT_EQ(said.registers, found.registers);
    EXPECT_EQ(said.shared, found.shared);
    EXPECT_EQ(said.stack, found.stack);
    EXPECT_EQ(said.spill_stores, 0);
    EXPECT_EQ(said.spill_loads, 0);
    EXPECT_GE(loaded.blocks_per_multiprocessor(), 1);
  }
}

}  // namespace
}  // namespace tilejit
