#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include <tilejit/generator/dtype.h>
#include <tilejit/generator/problem.h>
#include <tilejit/runtime/handles.h>

namespace tilejit {

/// Non-owning: an address in device memory, a dtype, a shape, and strides in elements (any sign, 0 for broadcast). A
/// cheap value without allocation. Up to 8 axes. The verbs follow PyTorch: they return views of the same memory and
/// copy nothing. Negative axes and indices count from the end. Errors: InvalidArgument naming axis and extent.
class TILEJIT_API TensorView {
 public:
  TensorView() = default;  ///< absent: stands for an optional tensor left out
  TensorView(void* data, DType dtype, std::span<const std::int64_t> shape);  ///< contiguous, row-major
  TensorView(void* data, DType dtype, std::span<const std::int64_t> shape, std::span<const std::int64_t> strides);
  TensorView(void* data, DType dtype, std::initializer_list<std::int64_t> shape);
  TensorView(void* data, DType dtype, std::initializer_list<std::int64_t> shape,
             std::initializer_list<std::int64_t> strides);

  bool present() const { return present_; }
  void* data() const { return data_; }  ///< address of element (0, 0, ...)
  DType dtype() const { return dtype_; }
  int rank() const { return rank_; }
  std::span<const std::int64_t> shape() const { return {shape_.data(), std::size_t(rank_)}; }
  std::span<const std::int64_t> strides() const { return {strides_.data(), std::size_t(rank_)}; }
  std::int64_t size(int axis) const;
  std::int64_t stride(int axis) const;
  std::int64_t elements() const;  ///< product of the shape
  bool is_contiguous() const;     ///< row-major without gaps; extents of 1 and empty tensors do not matter
  /// Bytes from data() to the lowest and one past the highest byte reached; both 0 for an empty tensor.
  struct Extent {
    std::int64_t lowest, end;
  };
  Extent byte_extent() const;

  TensorView t() const;  ///< 2-D: axes swapped; rank 0 and 1: itself
  TensorView permute(std::span<const int> axes) const;
  TensorView permute(std::initializer_list<int> axes) const;
  TensorView transpose(int axis, int other) const;
  /// Elements start, start + step, ... before stop; clamps like Python, step may be negative. All of an axis of extent
  /// n backwards: slice(axis, n - 1, -n - 1, -1).
  TensorView slice(int axis, std::int64_t start, std::int64_t stop, std::int64_t step = 1) const;
  TensorView select(int axis, std::int64_t index) const;  ///< drops the axis
  TensorView broadcast_to(
      std::span<const std::int64_t> shape) const;  ///< new and repeated axes get stride 0; -1: as it is
  TensorView broadcast_to(std::initializer_list<std::int64_t> shape) const;
  TensorView squeeze(int axis) const;  ///< an axis of another extent than 1 stays
  TensorView unsqueeze(int axis) const;
  /// Reshapes without copying; one extent may be -1. Throws where the strides do not allow it (names the axis that
  /// breaks it).
  TensorView view(std::span<const std::int64_t> shape) const;
  TensorView view(std::initializer_list<std::int64_t> shape) const;

  TensorView at(void* data) const;  ///< the same dtype, shape and strides elsewhere

  std::string to_string() const;  ///< "f32 (3, 4) strides (1, 3)"
  TensorProblem problem() const;

 private:
  int axis_of(int axis, int end, const char* verb) const;  ///< from 0; InvalidArgument: not within -end to end - 1
  TensorView without_axis(int axis) const;

  void* data_ = nullptr;
  DType dtype_ = DType::f32;
  bool present_ = false;
  std::int8_t rank_ = 0;
  std::array<std::int64_t, max_rank> shape_{}, strides_{};
};

/// Whether two elements of `view` share memory: exact where strides are equal or do not interleave.
enum class Overlap { no, yes, unknown };
TILEJIT_API Overlap self_overlap(const TensorView& view);
/// Whether two views share a byte: exact where their strides are equal or the ranges or lattices do not meet.
TILEJIT_API Overlap overlap(const TensorView& left, const TensorView& right);

}  // namespace tilejit
