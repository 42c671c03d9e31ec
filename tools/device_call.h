#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <tilejit/runtime/device.h>
#include <tilejit/runtime/jit_function.h>
#include <tilejit/tools/call.h>
#include <tilejit/tools/image.h>

namespace tilejit::tool {

void add_device_option(CLI::App& command, std::string& kind);  ///< --device gpu|emulated
void add_seed_option(CLI::App& command, std::uint64_t& seed);  ///< --seed N
DeviceKind device_kind_of(const std::string& kind);            ///< empty: any

/// What the arguments of `call` hold at first, one image a tensor that is there, in call order.
std::vector<Image> images_of(const Call& call, std::uint64_t seed, Poison poison);

/// A call whose tensors lie in a device's memory, each at its offset from a 256-byte boundary. Not copyable: the
/// arguments point into it.
class DeviceCall {
 public:
  DeviceCall(const Call& call, const Device& device, const std::vector<Image>& images);
  DeviceCall(const DeviceCall&) = delete;
  DeviceCall& operator=(const DeviceCall&) = delete;

  const std::vector<Argument>& arguments() const { return arguments_; }
  std::vector<Image> images(StreamRef stream) const;  ///< as they are now; waits for `stream`

 private:
  std::vector<Tensor> memory_;
  std::vector<TensorView> views_;
  std::vector<Argument> arguments_;
};

}  // namespace tilejit::tool
