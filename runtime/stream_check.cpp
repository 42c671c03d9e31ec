#include <tilejit/runtime/stream_check.h>

#include <fmt/format.h>

namespace tilejit {
namespace {

/// For the message: which device a context is of, as far as the driver says.
std::string device_of(const Driver& driver, CUcontext context) {
  CUdevice device = 0;
  try {
    const CurrentContext current(driver, context);
    if (driver.call.cuCtxGetDevice(&device) == CUDA_SUCCESS) return fmt::format("device {}", device);
  } catch (const CudaError&) {
    // The stream is refused either way; only the message is shorter.
  }
  return "another device";
}

}  // namespace

void check_stream(const Device::State& state, StreamRef stream, const std::string& call) {
  if (stream.handle() == nullptr) return;
  const Driver& driver = *state.driver;
  CUcontext context = nullptr;
  driver.check(driver.call.cuStreamGetCtx(stream.handle(), &context), "cuStreamGetCtx");
  if (context == state.context) return;
  throw InvalidArgument(
      fmt::format("{}: the stream is of another context ({}) than this function's device ({}, device {})", call,
                  device_of(driver, context), state.name, state.ordinal));
}

}  // namespace tilejit
