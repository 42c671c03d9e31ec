#include <fmt/format.h>

#include <algorithm>

#include <tilejit/runtime/device_state.h>

namespace tilejit {
namespace {

int attribute(const Device::State& state, CUdevice_attribute which) {
  int value = 0;
  const Driver& driver = *state.driver;
  driver.check(driver.call.cuDeviceGetAttribute(&value, which, state.device), "cuDeviceGetAttribute");
  return value;
}

std::string uuid_of(const Device::State& state) {
  CUuuid uuid{};
  state.driver->check(state.driver->call.cuDeviceGetUuid(&uuid, state.device), "cuDeviceGetUuid");
  std::string text = "GPU";
  for (int i = 0; i < 16; ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

Target target_of_device(const Device::State& state) {
  const int major = attribute(state, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  const int minor = attribute(state, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  const bool emulated = state.driver->emulated;
  // What stands behind the suffix from 9.0 on (wgmma, setmaxnreg) the emulated device does not have.
  const char* suffix = major >= 9 && !emulated ? "a" : "";
  Target target = target_of(fmt::format("sm_{}{}{}", major, minor, suffix));
  target.ptx_only = emulated;
  target.ptx_if_newer = !emulated;
  const auto without = [&](std::string_view feature) { std::erase(target.features, feature); };
  if (attribute(state, CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED) == 0) without("tma");
  if (attribute(state, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH) == 0) without("cluster");
  target.sms = attribute(state, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  target.shared_limit = attribute(state, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  target.registers_per_block = attribute(state, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
  target.threads_limit = attribute(state, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  return target;
}

}  // namespace

void read_facts(Device::State& state) {
  const Driver& driver = *state.driver;
  char name[256] = {};
  driver.check(driver.call.cuDeviceGetName(name, sizeof name - 1, state.device), "cuDeviceGetName");
  state.name = name;
  state.uuid = uuid_of(state);

  int count = 0;
  driver.check(driver.call.cuDeviceGetCount(&count), "cuDeviceGetCount");
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    CUdevice device = 0;
    driver.check(driver.call.cuDeviceGet(&device, ordinal), "cuDeviceGet");
    if (device == state.device) state.ordinal = ordinal;
  }

  std::size_t memory = 0;
  driver.check(driver.call.cuDeviceTotalMem(&memory, state.device), "cuDeviceTotalMem");
  state.total_memory = static_cast<std::int64_t>(memory);
  state.l2_bytes = attribute(state, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  state.grid_limits = {attribute(state, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
                       attribute(state, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
                       attribute(state, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)};
  state.target = target_of_device(state);
}

}  // namespace tilejit
