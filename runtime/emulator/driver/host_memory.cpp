#include <cstdlib>

#include <tilejit/runtime/emulator/driver/entered.h>

/// Page-locked host memory, which kernels may use at its own address, and what pointers are.
using namespace tilejit::emulator;

namespace {

CUresult attribute(Device& d, const std::optional<Allocation>& a, void* value, CUpointer_attribute which,
                   CUdeviceptr pointer) {
  switch (which) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      *static_cast<CUcontext*>(value) = &d.primary;
      break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<unsigned*>(value) = a->host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
      break;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      *static_cast<CUdeviceptr*>(value) = pointer;
      break;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (!a->host) return CUDA_ERROR_INVALID_VALUE;
      *static_cast<void**>(value) = reinterpret_cast<void*>(pointer);
      break;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      *static_cast<unsigned long long*>(value) = a->id;
      break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *static_cast<bool*>(value) = false;
      break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *static_cast<int*>(value) = 0;
      break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      *static_cast<CUdeviceptr*>(value) = a->address;
      break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      *static_cast<size_t*>(value) = a->bytes;
      break;
    case CU_POINTER_ATTRIBUTE_MAPPED:
      *static_cast<bool*>(value) = true;
      break;
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
  return CUDA_SUCCESS;
}

/// What cuPointerGetAttributes gives for a pointer that no allocation holds.
void empty_attribute(void* value, CUpointer_attribute which) {
  switch (which) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      *static_cast<std::uint64_t*>(value) = 0;
      break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_MAPPED:
      *static_cast<bool*>(value) = false;
      break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *static_cast<int*>(value) = -2;
      break;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<unsigned*>(value) = 0;
      break;
    default:
      break;
  }
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuMemHostAlloc(void** out, size_t bytes, unsigned) {
  return in_context([&](Device& d, CUctx_st&) {
    if (out == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    *out = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    if (*out == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
    d.memory.adopt(reinterpret_cast<std::uint64_t>(*out), bytes);
    const std::lock_guard lock(d.mutex);
    d.host_allocations[reinterpret_cast<std::uint64_t>(*out)] = bytes;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemAllocHost(void** out, size_t bytes) { return cuMemHostAlloc(out, bytes, 0); }

CUresult CUDAAPI cuMemFreeHost(void* pointer) {
  return in_context([&](Device& d, CUctx_st&) {
    const std::lock_guard lock(d.mutex);
    if (d.host_allocations.erase(reinterpret_cast<std::uint64_t>(pointer)) == 0) return CUDA_ERROR_INVALID_VALUE;
    d.memory.free(reinterpret_cast<std::uint64_t>(pointer));
    std::free(pointer);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemHostRegister(void* pointer, size_t bytes, unsigned) {
  return in_context([&](Device& d, CUctx_st&) {
    if (pointer == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    d.memory.adopt(reinterpret_cast<std::uint64_t>(pointer), bytes);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemHostUnregister(void* pointer) {
  return in_context([&](Device& d, CUctx_st&) {
    return d.memory.free(reinterpret_cast<std::uint64_t>(pointer)) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult CUDAAPI cuMemHostGetDevicePointer(CUdeviceptr* out, void* pointer, unsigned) {
  return in_context([&](Device& d, CUctx_st&) {
    if (out == nullptr || !d.memory.find(reinterpret_cast<std::uint64_t>(pointer))) return CUDA_ERROR_INVALID_VALUE;
    *out = reinterpret_cast<CUdeviceptr>(pointer);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemGetAddressRange(CUdeviceptr* base, size_t* bytes, CUdeviceptr pointer) {
  return in_context([&](Device& d, CUctx_st&) {
    const auto found = d.memory.find(pointer);
    if (!found) return CUDA_ERROR_NOT_FOUND;
    if (base != nullptr) *base = found->address;
    if (bytes != nullptr) *bytes = found->bytes;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuPointerGetAttribute(void* value, CUpointer_attribute which, CUdeviceptr pointer) {
  return initialised([&](Device& d) -> CUresult {
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const auto found = d.memory.find(pointer);
    return found ? attribute(d, found, value, which, pointer) : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult CUDAAPI cuPointerGetAttributes(unsigned count, CUpointer_attribute* which, void** values,
                                        CUdeviceptr pointer) {
  return initialised([&](Device& d) {
    if (which == nullptr || values == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const auto found = d.memory.find(pointer);
    for (unsigned k = 0; k < count; ++k) {
      if (!found || attribute(d, found, values[k], which[k], pointer) != CUDA_SUCCESS)
        empty_attribute(values[k], which[k]);
    }
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuPointerSetAttribute(const void*, CUpointer_attribute which, CUdeviceptr pointer) {
  return initialised([&](Device& d) {
    if (which != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) return CUDA_ERROR_NOT_SUPPORTED;
    return d.memory.find(pointer) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}
}
