#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <tilejit/runtime/errors.h>
#include <tilejit/runtime/stream.h>
#include <tilejit/runtime/tensor_view.h>

namespace tilejit {

/// Owns device memory, or shares its owner with the tensors it was derived from; move-only, converts to a TensorView.
/// The view verbs of a Tensor return TensorViews: they must not outlive it. Freed when the last owner goes, after the
/// work that was queued before then (cuMemFree waits).
class TILEJIT_API Tensor {
 public:
  struct Memory;  ///< internal
  Tensor(std::shared_ptr<const Memory> memory, const TensorView& view);
  /// What was moved from holds nothing: an absent view.
  Tensor(Tensor&& other) noexcept
      : memory_(std::move(other.memory_)), view_(std::exchange(other.view_, TensorView())) {}
  Tensor& operator=(Tensor&& other) noexcept {
    memory_ = std::move(other.memory_);
    view_ = std::exchange(other.view_, TensorView());
    return *this;
  }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  operator const TensorView&() const { return view_; }
  const TensorView& view() const { return view_; }

  void* data() const { return view_.data(); }
  DType dtype() const { return view_.dtype(); }
  int rank() const { return view_.rank(); }
  std::span<const std::int64_t> shape() const { return view_.shape(); }
  std::span<const std::int64_t> strides() const { return view_.strides(); }
  std::int64_t size(int axis) const { return view_.size(axis); }
  std::int64_t stride(int axis) const { return view_.stride(axis); }
  std::int64_t elements() const { return view_.elements(); }
  bool is_contiguous() const { return view_.is_contiguous(); }

  TensorView t() const { return view_.t(); }
  TensorView permute(std::initializer_list<int> axes) const { return view_.permute(axes); }
  TensorView transpose(int axis, int other) const { return view_.transpose(axis, other); }
  TensorView slice(int axis, std::int64_t start, std::int64_t stop, std::int64_t step = 1) const {
    return view_.slice(axis, start, stop, step);
  }
  TensorView select(int axis, std::int64_t index) const { return view_.select(axis, index); }
  TensorView broadcast_to(std::initializer_list<std::int64_t> shape) const { return view_.broadcast_to(shape); }
  TensorView squeeze(int axis) const { return view_.squeeze(axis); }
  TensorView unsqueeze(int axis) const { return view_.unsqueeze(axis); }
  TensorView view(std::initializer_list<std::int64_t> shape) const { return view_.view(shape); }

  /// All elements to the host, row-major; waits for `stream`. InvalidArgument: T is not the dtype's host type.
  template <class T>
  std::vector<T> to_host(StreamRef stream = nullptr) const;
  std::vector<std::byte> to_host_bytes(StreamRef stream = nullptr) const;
  /// From host elements, row-major, on `stream`; returns when `host` may be reused. The tensor must be contiguous.
  void copy_from_bytes(std::span<const std::byte> host, StreamRef stream = nullptr) const;
  void fill_bytes(unsigned char value,
                  StreamRef stream = nullptr) const;  ///< the whole allocation view; contiguous only

 private:
  std::shared_ptr<const Memory> memory_;
  TensorView view_;
};

template <class T>
std::vector<T> Tensor::to_host(StreamRef stream) const {
  static_assert(dtype_of<T>.has_value(), "no dtype for this host type: use to_host_bytes");
  static_assert(!std::is_same_v<T, bool>, "std::vector<bool> has no elements to copy to: use to_host_bytes");
  const std::vector<std::byte> bytes = to_host_bytes(stream);
  if (*dtype_of<T> != dtype()) {
    throw InvalidArgument("to_host: the tensor holds " + std::string(name_of(dtype())) + ", not " +
                          std::string(name_of(*dtype_of<T>)));
  }
  std::vector<T> host(bytes.size() / sizeof(T));
  std::copy_n(reinterpret_cast<const T*>(bytes.data()), host.size(), host.data());
  return host;
}

}  // namespace tilejit
