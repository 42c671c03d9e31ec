#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tilejit/generator/specialization.h>
#include <tilejit/runtime/grid.h>
#include <tilejit/runtime/kernel.h>
#include <tilejit/runtime/pointer_check.h>
#include <tilejit/runtime/tensor_map.h>

namespace tilejit {

/// A kernel in memory, and when it last served: in slow calls of its template, so that a warm call only stores a
/// number.
struct LoadedKernel {
  LoadedKernel(const Device& device, ObjectCode object, std::int64_t dynamic_shared)
      : kernel(device, std::move(object), dynamic_shared) {}
  Kernel kernel;
  mutable std::atomic<std::uint64_t> last_used{0};
};

/// Everything that is settled for one exact signature: what is left to a warm call is pointers and scalars. Immutable
/// but for the allocations last asked about.
struct Prepared {
  std::vector<std::uint64_t> signature;
  Specialization specialization;
  std::shared_ptr<const LoadedKernel> loaded;  ///< null: the grid is empty, nothing to launch
  Grid grid;
  std::array<unsigned, 3> cluster{1, 1, 1};
  std::vector<std::int64_t> sizes;
  std::vector<TensorMapForm> maps;
  std::string why;           ///< where the Config comes from
  std::string compiled_for;  ///< which argument made a new kernel necessary; empty: one was there
  bool from_cache = false;   ///< read from disk rather than compiled
  mutable std::vector<LastAllocation> allocations;  ///< one a tensor, one a scalar
};

}  // namespace tilejit
