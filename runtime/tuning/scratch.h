#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include <tilejit/runtime/device_state.h>
#include <tilejit/runtime/options.h>
#include <tilejit/runtime/tensor_view.h>

namespace tilejit {

/// Device memory from the Jit's allocator, given back on the same stream.
class Workspace {
 public:
  Workspace(std::shared_ptr<const Device::State> device, const std::optional<Allocator>& allocator, std::size_t bytes,
            CUstream stream);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  DevicePointer address() const { return address_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::shared_ptr<const Device::State> device_;
  Allocator allocator_;
  CUstream stream_;
  std::size_t bytes_;
  DevicePointer address_ = 0;
};

/// A stand-in for a tensor that trials write: the same shape, strides and address alignment, in memory of its own.
class ScratchTensor {
 public:
  static constexpr unsigned char poison = 0xFF;  ///< NaN in every floating dtype

  ScratchTensor(std::shared_ptr<const Device::State> device, const std::optional<Allocator>& allocator,
                const TensorView& like, CUstream stream);
  const TensorView& view() const { return view_; }
  /// All its memory, gaps included, as one row of `dtype`. Whole 16-byte units where dtype is i32.
  TensorView flat(DType dtype) const;
  void fill_with_poison() const;
  void copy_from(const TensorView& original) const;  ///< the whole extent of a view of the same shape and strides

 private:
  std::shared_ptr<const Device::State> device_;
  CUstream stream_;
  TensorView::Extent extent_;
  std::unique_ptr<Workspace> memory_;
  TensorView view_;
};

}  // namespace tilejit
