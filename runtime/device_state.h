#pragma once
#include <memory>
#include <string>

#include <tilejit/cache/log.h>
#include <tilejit/runtime/device.h>
#include <tilejit/runtime/driver.h>

namespace tilejit {

/// What a Device shares with all it made. Internal; released (primary context too) when the last of them goes.
struct Device::State {
  /// Device `ordinal` of a driver, in its primary context. NoDevice: the driver has none; InvalidArgument: not that
  /// one.
  static Device open(std::shared_ptr<const Driver> driver, int ordinal, const Logger& log);
  /// The device that `context` is of.
  static Device adopt(std::shared_ptr<const Driver> driver, CUcontext context, const Logger& log);

  std::shared_ptr<const Driver> driver;
  CUdevice device = 0;
  CUcontext context = nullptr;
  bool owns_primary = false;
  std::string name, uuid;
  int ordinal = 0;
  Target target;
  GridLimits grid_limits{};
  std::int64_t l2_bytes = 0, total_memory = 0;
  Logger log;  ///< "tilejit.device"
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();
};

/// Asks the device for everything in State but driver, device, context and log.
void read_facts(Device::State& state);

}  // namespace tilejit
