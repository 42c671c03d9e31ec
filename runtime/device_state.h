#pragma once
#include <memory>
#include <string>

#include <tilejit/runtime/device.h>
#include <tilejit/runtime/driver.h>

namespace tilejit {

/// What a Device shares with all it made. Internal; released (primary context too) when the last of them goes.
struct Device::State {
  std::shared_ptr<const Driver> driver;
  CUdevice device = 0;
  CUcontext context = nullptr;
  bool owns_primary = false;
  std::string name, uuid;
  int ordinal = 0;
  Target target;
  GridLimits grid_limits{};
  std::int64_t l2_bytes = 0, total_memory = 0;
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();
};

}  // namespace tilejit
