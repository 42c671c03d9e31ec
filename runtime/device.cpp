#include <tilejit/runtime/device.h>

#include <fmt/format.h>

#include <tilejit/runtime/device_state.h>

namespace tilejit {
namespace {

Logger logger(const Options& options) {
  return Logger("tilejit.device", {options.log_level.value_or(LogLevel::warning), options.log});
}

std::string emulator_of(const Options& options) { return options.emulator.value_or(""); }

Device open_any(int ordinal, const Options& given) {
  const Options options = Options::resolve(given);
  const DeviceKind kind = options.any.value_or(DeviceKind::any);
  if (kind != DeviceKind::any) return Device::open(kind, ordinal, options);
  std::string why;
  try {
    return Device::open(DeviceKind::gpu, ordinal, options);
  } catch (const NoDevice& error) {
    why = error.what();
  }
  try {
    Device device = Device::open(DeviceKind::emulated, ordinal, options);
    device.state()->log.warn("no GPU, kernels run on the emulated device: " + why);
    return device;
  } catch (const NoDevice& error) {
    throw NoDevice(fmt::format("no device\n  GPU: {}\n  emulated: {}", why, error.what()));
  }
}

}  // namespace

Device::State::~State() {
  if (!owns_primary) return;
  const CUresult code = driver->call.cuDevicePrimaryCtxRelease(device);
  // At the end of a process the driver may be gone already, and its contexts with it.
  if (code == CUDA_SUCCESS || code == CUDA_ERROR_DEINITIALIZED) return;
  log.warn(fmt::format("cuDevicePrimaryCtxRelease of {} failed with {}", name, static_cast<int>(code)));
}

Device Device::State::open(std::shared_ptr<const Driver> driver, int ordinal, const Logger& log) {
  int count = 0;
  driver->check(driver->call.cuDeviceGetCount(&count), "cuDeviceGetCount");
  if (count == 0) throw NoDevice(driver->library + ": the driver has no device (is CUDA_VISIBLE_DEVICES empty?)");
  if (ordinal < 0 || ordinal >= count) {
    throw InvalidArgument(
        fmt::format("device {} asked for, {} has {} (0 to {})", ordinal, driver->library, count, count - 1));
  }
  auto state = std::make_shared<State>();
  state->driver = std::move(driver);
  state->log = log;
  const DriverTable& call = state->driver->call;
  state->driver->check(call.cuDeviceGet(&state->device, ordinal), "cuDeviceGet");
  read_facts(*state);
  state->driver->check(call.cuDevicePrimaryCtxRetain(&state->context, state->device), "cuDevicePrimaryCtxRetain");
  state->owns_primary = true;
  return Device(std::move(state));
}

Device Device::State::adopt(std::shared_ptr<const Driver> driver, CUcontext context, const Logger& log) {
  auto state = std::make_shared<State>();
  state->driver = std::move(driver);
  state->log = log;
  state->context = context;
  try {
    const CurrentContext current(*state->driver, context);
    state->driver->check(state->driver->call.cuCtxGetDevice(&state->device), "cuCtxGetDevice");
  } catch (const CudaError& error) {
    throw InvalidArgument(
        fmt::format("of_context: {} does not take this context: {}", state->driver->library, error.what()));
  }
  read_facts(*state);
  return Device(std::move(state));
}

Device Device::open(DeviceKind kind, int ordinal, const Options& options) {
  switch (kind) {
    case DeviceKind::gpu:
      return State::open(gpu_driver(), ordinal, logger(options));
    case DeviceKind::emulated:
      return State::open(emulated_driver(emulator_of(options)), ordinal, logger(options));
    case DeviceKind::any:
      break;
  }
  return open_any(ordinal, options);
}

Device Device::of_context(ContextHandle context, const Options& options, DeviceKind kind) {
  if (context == nullptr) throw InvalidArgument("of_context: the context is null");
  if (kind == DeviceKind::any)
    throw InvalidArgument("of_context: a context is a GPU's or the emulated device's, not any's");
  return State::adopt(kind == DeviceKind::gpu ? gpu_driver() : emulated_driver(emulator_of(options)), context,
                      logger(options));
}

const std::string& Device::name() const { return state_->name; }
const std::string& Device::uuid() const { return state_->uuid; }
bool Device::is_emulated() const { return state_->driver->emulated; }
int Device::ordinal() const { return state_->ordinal; }
const Target& Device::target() const { return state_->target; }
int Device::driver_version() const { return state_->driver->version; }
std::int64_t Device::l2_bytes() const { return state_->l2_bytes; }
std::int64_t Device::total_memory() const { return state_->total_memory; }
ContextHandle Device::context() const { return state_->context; }
Device::GridLimits Device::grid_limits() const { return state_->grid_limits; }

Stream Device::stream() const { return Stream(*this); }

void Device::synchronize() const {
  const Driver& driver = *state_->driver;
  const CurrentContext current(driver, state_->context);
  driver.check(driver.call.cuCtxSynchronize(), "cuCtxSynchronize");
}

Tensor Device::empty(DType dtype, std::initializer_list<std::int64_t> shape) const {
  return empty(dtype, std::span(shape.begin(), shape.size()));
}

}  // namespace tilejit
