#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include <tilejit/generator/target.h>
#include <tilejit/runtime/errors.h>
#include <tilejit/runtime/options.h>
#include <tilejit/runtime/stream.h>
#include <tilejit/runtime/tensor.h>

namespace tilejit {

/// A device, real or emulated, with the context that work runs in. A cheap value: copies share one. Safe from all
/// threads. No call changes the calling thread's current context.
class TILEJIT_API Device {
 public:
  /// gpu (reads no environment): GPU `ordinal`, or NoDevice saying what was looked for. emulated: the emulated device,
  /// or NoDevice. any: Options::any or TILEJIT_DEVICE=gpu|emulated if set, else a GPU, else the emulated device with
  /// one warning. InvalidArgument: no such ordinal where there are devices, a bad TILEJIT_ variable.
  static Device open(DeviceKind kind = DeviceKind::gpu, int ordinal = 0, const Options& options = {});
  /// Adopts a host's context; the context must outlive the Device and all it made. `kind` says whose driver made it:
  /// gpu (the default) or emulated. InvalidArgument: null, or the driver does not take it.
  static Device of_context(ContextHandle context, const Options& options = {}, DeviceKind kind = DeviceKind::gpu);

  const std::string& name() const;
  bool is_emulated() const;
  int ordinal() const;
  const Target& target() const;  ///< arch "sm_90", with suffix where the arch has features behind one ("sm_90a")
  int driver_version() const;    ///< 13000 is 13.0
  std::int64_t l2_bytes() const;
  std::int64_t total_memory() const;  ///< bytes
  const std::string& uuid() const;    ///< "GPU-d3f5...": tells two equal GPUs apart
  ContextHandle context() const;
  struct GridLimits {
    std::int64_t x, y, z;
  };
  GridLimits grid_limits() const;

  /// A new stream, ordered with the context's default stream (a copy on either sees the other's earlier work).
  Stream stream() const;
  void synchronize() const;  ///< waits for all work in the context

  /// Owned device memory, uninitialised; contiguous. CudaError: out of memory (bytes asked for and free).
  Tensor empty(DType dtype, std::span<const std::int64_t> shape) const;
  Tensor empty(DType dtype, std::initializer_list<std::int64_t> shape) const;
  /// A copy of host elements; synchronous. InvalidArgument: `host` does not have the shape's number of elements.
  template <class T>
  Tensor copy_of(std::span<const T> host, std::initializer_list<std::int64_t> shape) const;
  template <class Range>
  Tensor copy_of(const Range& host, std::initializer_list<std::int64_t> shape) const {
    return copy_of(std::span<const typename Range::value_type>(host), shape);
  }
  Tensor copy_of_bytes(DType dtype, std::span<const std::byte> bytes, std::span<const std::int64_t> shape) const;

  struct State;  ///< internal: driver table, context, facts
  const std::shared_ptr<const State>& state() const { return state_; }

 private:
  explicit Device(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

template <class T>
Tensor Device::copy_of(std::span<const T> host, std::initializer_list<std::int64_t> shape) const {
  static_assert(dtype_of<T>.has_value(), "no dtype for this host type: use copy_of_bytes");
  return copy_of_bytes(*dtype_of<T>, std::as_bytes(host), shape);
}

}  // namespace tilejit
