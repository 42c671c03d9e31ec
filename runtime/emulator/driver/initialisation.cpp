#include <cstring>

#include <tilejit/runtime/emulator/driver/entered.h>

/// cuInit and what a device says about itself.
using namespace tilejit::emulator;

extern "C" {

CUresult CUDAAPI cuInit(unsigned flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  return initialise() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult CUDAAPI cuDriverGetVersion(int* version) {
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *version = 13000;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuDeviceGetCount(int* count) {
  return initialised([&](Device&) {
    if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *count = 1;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuDeviceGet(CUdevice* out, int ordinal) {
  return initialised([&](Device&) {
    if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (ordinal != 0) return CUDA_ERROR_INVALID_DEVICE;
    *out = 0;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuDeviceGetName(char* name, int bytes, CUdevice dev) {
  return initialised([&](Device& d) {
    if (name == nullptr || bytes <= 0) return CUDA_ERROR_INVALID_VALUE;
    if (dev != 0) return CUDA_ERROR_INVALID_DEVICE;
    std::strncpy(name, d.name.c_str(), static_cast<std::size_t>(bytes));
    name[bytes - 1] = 0;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuDeviceGetUuid(CUuuid* uuid, CUdevice dev) {
  return initialised([&](Device& d) {
    if (uuid == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (dev != 0) return CUDA_ERROR_INVALID_DEVICE;
    std::memcpy(uuid->bytes, "tilejit emulated", 16);
    uuid->bytes[15] = static_cast<char>(10 * d.facts.major + d.facts.minor);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuDeviceTotalMem(size_t* bytes, CUdevice dev) {
  return initialised([&](Device& d) {
    if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (dev != 0) return CUDA_ERROR_INVALID_DEVICE;
    *bytes = d.memory.limit();
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice dev) {
  return initialised([&](Device& d) {
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (dev != 0) return CUDA_ERROR_INVALID_DEVICE;
    return attribute_of(d.facts, attribute, *value) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult CUDAAPI cuDeviceGetPCIBusId(char* text, int bytes, CUdevice dev) {
  return initialised([&](Device&) {
    if (text == nullptr || bytes < 13) return CUDA_ERROR_INVALID_VALUE;
    if (dev != 0) return CUDA_ERROR_INVALID_DEVICE;
    std::memcpy(text, "0000:00:00.0", 13);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuDeviceCanAccessPeer(int* can, CUdevice, CUdevice) {
  return initialised([&](Device&) {
    if (can == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *can = 0;
    return CUDA_SUCCESS;
  });
}
}
