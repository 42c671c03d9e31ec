#pragma once
#include <deque>
#include <memory>
#include <string_view>
#include <vector>

#include <tilejit/runtime/device.h>

namespace tilejit::bench {

/// Tensors that works share; they live as long as the last work.
class EmulatedData {
 public:
  explicit EmulatedData(const Device& device) : device_(device) {}

  /// Floating elements in [-1, 1), integers of all bits.
  const Tensor& random(DType dtype, const std::vector<std::int64_t>& shape);
  const Tensor& zeros(DType dtype, const std::vector<std::int64_t>& shape);
  const Device& device() const { return device_; }

 private:
  Device device_;
  std::deque<Tensor> tensors_;
};

}  // namespace tilejit::bench
