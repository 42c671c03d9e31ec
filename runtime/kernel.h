#pragma once
#include <memory>
#include <string>
#include <vector>

#include <tilejit/generator/object_code.h>
#include <tilejit/runtime/device.h>
#include <tilejit/runtime/driver.h>

namespace tilejit {

/// A loaded ObjectCode, launchable; immutable, unloaded with its last owner. Loading checks the parameter layout
/// against the driver's (where it can tell), raises the dynamic shared memory limit where needed, and refuses
/// (InvalidArgument, limit named) what the device cannot launch. ToolchainError, both versions named: code of a toolkit
/// that the driver is too old for. CudaError: the driver refuses the code (its log is in the text). Nothing stays
/// loaded then.
class Kernel {
 public:
  static constexpr std::size_t max_parameters = 512;  ///< 4096 bytes of parameters, 8 bytes each

  /// `dynamic_shared` bytes are asked for on each launch; ObjectCode::scratch is part of them.
  Kernel(const Device& device, ObjectCode object, std::int64_t dynamic_shared);
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  const Device::State& device_state() const { return *state_; }
  CUfunction function() const { return function_; }
  const ObjectCode& object() const { return object_; }
  unsigned dynamic_shared() const { return dynamic_shared_; }
  /// cuFuncGetAttribute's own figures; `stack` is local memory a thread, what it does not say is -1.
  Resources loaded_resources() const;
  int blocks_per_multiprocessor() const;

 private:
  std::shared_ptr<const Device::State> state_;
  ObjectCode object_;
  std::shared_ptr<CUlib_st> library_;
  CUfunction function_ = nullptr;
  unsigned dynamic_shared_;
};

}  // namespace tilejit
