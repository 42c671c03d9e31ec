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
/// (InvalidArgument, limit named) what the device cannot launch.
class Kernel {
 public:
  Kernel(const Device& device, ObjectCode object, std::int64_t dynamic_shared);
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  CUfunction function() const { return function_; }
  const ObjectCode& object() const { return object_; }
  unsigned dynamic_shared() const { return dynamic_shared_; }
  /// cuFuncGetAttribute's own figures.
  Resources loaded_resources() const;
  int blocks_per_multiprocessor() const;

 private:
  std::shared_ptr<const Device::State> state_;
  ObjectCode object_;
  CUlibrary library_ = nullptr;
  CUfunction function_ = nullptr;
  unsigned dynamic_shared_;
};

}  // namespace tilejit
