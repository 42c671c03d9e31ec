#pragma once
#include <cuda.h>

#include <cstddef>
#include <memory>

#include <tilejit/runtime/device_state.h>
#include <tilejit/runtime/tensor.h>

namespace tilejit {

/// One allocation and what keeps it valid. Internal.
struct Tensor::Memory {
  Memory(std::shared_ptr<const Device::State> state_, std::size_t bytes_);  ///< 0 bytes: nothing is allocated
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  const std::shared_ptr<const Device::State> state;
  const std::size_t bytes;
  CUdeviceptr pointer = 0;
};

}  // namespace tilejit
