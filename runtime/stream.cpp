#include <tilejit/runtime/stream.h>

#include <fmt/format.h>

#include <utility>

#include <tilejit/runtime/device_state.h>
#include <tilejit/runtime/errors.h>

namespace tilejit {
namespace {

const Device::State& state_of(const std::shared_ptr<const void>& keep) {
  if (!keep) throw InvalidArgument("a stream or event that was moved from");
  return *static_cast<const Device::State*>(keep.get());
}

/// For destructors: `destroy` with the context current; a failure is logged.
template <class Destroy>
void release(const std::shared_ptr<const void>& keep, const char* what, Destroy destroy) noexcept {
  const Device::State& state = state_of(keep);
  try {
    const CurrentContext current(*state.driver, state.context);
    state.driver->check(destroy(state.driver->call), what);
  } catch (const CudaError& error) {
    if (error.code() != CUDA_ERROR_DEINITIALIZED) state.log.warn(error.what());
  }
}

}  // namespace

Stream::Stream(const Device& device) : keep_(device.state()) {
  const Device::State& state = *device.state();
  const CurrentContext current(*state.driver, state.context);
  state.driver->check(state.driver->call.cuStreamCreate(&handle_, CU_STREAM_DEFAULT), "cuStreamCreate");
}

Stream::Stream(Stream&& other) noexcept
    : keep_(std::move(other.keep_)), handle_(std::exchange(other.handle_, nullptr)) {}

Stream& Stream::operator=(Stream&& other) noexcept {
  std::swap(keep_, other.keep_);
  std::swap(handle_, other.handle_);
  return *this;
}

Stream::~Stream() {
  if (handle_ == nullptr) return;
  release(keep_, "cuStreamDestroy", [&](const DriverTable& call) { return call.cuStreamDestroy(handle_); });
}

void Stream::synchronize() const {
  const Device::State& state = state_of(keep_);
  const CurrentContext current(*state.driver, state.context);
  state.driver->check(state.driver->call.cuStreamSynchronize(handle_), "cuStreamSynchronize");
}

Event::Event(const Device& device) : keep_(device.state()) {
  const Device::State& state = *device.state();
  const CurrentContext current(*state.driver, state.context);
  state.driver->check(state.driver->call.cuEventCreate(&handle_, CU_EVENT_DEFAULT), "cuEventCreate");
}

Event::Event(Event&& other) noexcept : keep_(std::move(other.keep_)), handle_(std::exchange(other.handle_, nullptr)) {}

Event& Event::operator=(Event&& other) noexcept {
  std::swap(keep_, other.keep_);
  std::swap(handle_, other.handle_);
  return *this;
}

Event::~Event() {
  if (handle_ == nullptr) return;
  release(keep_, "cuEventDestroy", [&](const DriverTable& call) { return call.cuEventDestroy(handle_); });
}

void Event::record(StreamRef stream) const {
  const Device::State& state = state_of(keep_);
  const CurrentContext current(*state.driver, state.context);
  state.driver->check(state.driver->call.cuEventRecord(handle_, stream.handle()), "cuEventRecord");
}

void Event::synchronize() const {
  const Device::State& state = state_of(keep_);
  const CurrentContext current(*state.driver, state.context);
  state.driver->check(state.driver->call.cuEventSynchronize(handle_), "cuEventSynchronize");
}

float Event::milliseconds_since(const Event& start) const {
  const Device::State& state = state_of(keep_);
  const CurrentContext current(*state.driver, state.context);
  float milliseconds = 0;
  state.driver->check(state.driver->call.cuEventElapsedTime(&milliseconds, start.handle_, handle_),
                      "cuEventElapsedTime");
  return milliseconds;
}

}  // namespace tilejit
