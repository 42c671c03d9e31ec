#pragma once
#include <functional>
#include <memory>
#include <string>

#include <tilejit/runtime/device.h>

namespace tilejit::bench {

/// CUB's reductions, from libtilejit_bench_cub.so beside the program: it is there where nvcc was found when this was
/// built. One context, the device's primary one.
class Cub {
 public:
  /// Null where the library is not there; `why` then says so.
  static std::unique_ptr<Cub> open(std::string& why);
  ~Cub();
  Cub(const Cub&) = delete;
  Cub& operator=(const Cub&) = delete;

  /// y[i] = the sum of x's row i (DeviceSegmentedReduce), or y[0] = the whole sum (DeviceReduce) where `whole`. x is
  /// contiguous f32 or bf16, y f32. Enqueues once a call; keeps its own workspace; x and y must outlive it.
  std::function<void()> sum(const Device& device, const TensorView& x, const TensorView& y, bool whole,
                            StreamRef stream) const;

 private:
  struct Entries;
  explicit Cub(std::unique_ptr<Entries> entries);
  std::unique_ptr<Entries> entries_;
};

}  // namespace tilejit::bench
