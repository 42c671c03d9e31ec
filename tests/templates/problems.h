#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <tilejit/generator/problem.h>
#include <tilejit/generator/template_library.h>

namespace tilejit::test {

/// What the first tensor argument may hold.
inline std::vector<DType> dtypes_of(const Template& kernel) {
  const ArgumentInfo& first = kernel.info.arguments.front();
  if (!first.dtypes.empty()) return first.dtypes;
  return {all_dtypes().begin(), all_dtypes().end()};
}

/// A call with every size `extent`: tensors that name no dtype of their own have `dtype`, all are contiguous, and with
/// `transposed` the inputs of two axes are transposed views.
inline Problem problem_of(const Template& kernel, DType dtype, std::int64_t extent, bool transposed) {
  Problem problem;
  for (const ArgumentInfo& argument : kernel.info.arguments) {
    if (argument.kind == ArgumentInfo::Kind::scalar) {
      problem.scalars.push_back(argument.dtype);
      continue;
    }
    TensorProblem tensor;
    const std::vector<DType>& taken = argument.dtypes;
    const bool takes = taken.empty() || std::find(taken.begin(), taken.end(), dtype) != taken.end();
    tensor.dtype = takes ? dtype : taken[0];
    tensor.rank = int(argument.shape.size());
    std::int64_t stride = 1;
    for (int axis = tensor.rank; axis-- > 0;) {
      const Dimension& dimension = argument.shape[std::size_t(axis)];
      tensor.shape[std::size_t(axis)] = dimension.name.empty() ? dimension.extent : extent;
      tensor.strides[std::size_t(axis)] = stride;
      stride *= tensor.shape[std::size_t(axis)];
    }
    if (transposed && argument.access == Access::read && tensor.rank == 2 && !argument.shape[1].name.empty())
      std::swap(tensor.strides[0], tensor.strides[1]);
    problem.tensors.push_back(tensor);
  }
  return problem;
}

}  // namespace tilejit::test
