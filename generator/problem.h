#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include <tilejit/generator/dtype.h>
#include <tilejit/generator/template_library.h>

namespace tilejit {

inline constexpr int max_rank = 8;

/// What a call says of one tensor. Strides in elements, any sign.
struct TensorProblem {
  bool present = true;  ///< false: an optional tensor left out
  DType dtype = DType::f32;
  int rank = 0;
  std::array<std::int64_t, max_rank> shape{};
  std::array<std::int64_t, max_rank> strides{};
  int address_align = 16;  ///< the largest power of two up to 16 that divides the address, bytes
  bool operator==(const TensorProblem&) const = default;
};

/// What a call says of one scalar.
struct ScalarProblem {
  DType dtype = DType::f32;
  bool in_memory = false;  ///< the kernel reads it from device memory when it runs
  ScalarProblem(DType dtype, bool in_memory = false) : dtype(dtype), in_memory(in_memory) {}
  auto operator<=>(const ScalarProblem&) const = default;
};

/// What a call brings: one element an argument of the template, tensors and scalars each in call order.
struct Problem {
  std::vector<TensorProblem> tensors;
  std::vector<ScalarProblem> scalars;
  bool operator==(const Problem&) const = default;
};

/// The template's sizes (M, N, ...) in the order of FrontMatter::sizes; 0 for one that only absent tensors have. Throws
/// InvalidArgument for a wrong count of tensors or scalars, a missing tensor that is not optional, a wrong rank, dtype
/// or fixed extent, and for a size on which two tensors disagree (both and the axes are named).
TILEJIT_API std::vector<std::int64_t> sizes_of(const Template& kernel, const Problem& problem);

/// Strides as expressions see them and as they are compiled in: an axis of extent 1 has its contiguous stride (that of
/// the axis behind it times its extent; 1 for the last), whatever the view says, as no element depends on it.
TILEJIT_API std::array<std::int64_t, max_rank> settled_strides(const TensorProblem& tensor);

/// The axis of stride 1 and extent > 1, the last one if several; else the last axis where its extent is 1; -1: none.
TILEJIT_API int unit_stride_axis(const TensorProblem& tensor);

/// The alignment class of a tensor: the largest power of two up to 16 that divides the address, the byte strides of all
/// other axes of extent > 1, and the byte extent of the unit-stride axis: what holds for each vector of that many bytes
/// along it. Where there is no unit-stride axis: the dtype's size. Throws InvalidArgument, naming `tensor_name`, where
/// the address is not aligned to the dtype's size.
TILEJIT_API int alignment_class(const TensorProblem& tensor, const std::string& tensor_name);

}  // namespace tilejit
