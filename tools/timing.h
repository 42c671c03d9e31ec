#pragma once
#include <tilejit/runtime/device.h>
#include <tilejit/runtime/jit_function.h>

namespace tilejit::tool {

/// Milliseconds by the device's own events.
struct Timing {
  int rounds = 0;
  double median = 0, lowest = 0, highest = 0;
};

/// Launches `rounds` times on `stream`, each with the L2 cache emptied of what the launch reads.
Timing time_launches(const Device& device, StreamRef stream, const BoundLaunch& launch, int rounds);

}  // namespace tilejit::tool
