#include <cstring>

#include "fake_driver.h"

namespace tilejit::test {

const FakeDriver::Allocation* FakeDriver::allocation_at(CUdeviceptr pointer, CUdeviceptr* begin) const {
  auto after = allocations_.upper_bound(pointer);
  if (after == allocations_.begin()) return nullptr;
  --after;
  if (pointer >= after->first + after->second.bytes) return nullptr;
  if (begin != nullptr) *begin = after->first;
  return &after->second;
}

CUresult FakeDriver::allocate(CUdeviceptr* pointer, std::size_t bytes) {
  if (stack().empty()) return CUDA_ERROR_INVALID_CONTEXT;
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  if (bytes > memory_limit - used_) return CUDA_ERROR_OUT_OF_MEMORY;
  constexpr std::size_t alignment = 256;
  Allocation allocation;
  allocation.bytes = bytes;
  allocation.context = current();
  allocation.ordinal = contexts_.at(current()).ordinal;
  allocation.storage.reset(new std::byte[bytes + alignment]);
  std::memset(allocation.storage.get(), 0xcd, bytes + alignment);
  *pointer = (reinterpret_cast<CUdeviceptr>(allocation.storage.get()) + alignment - 1) / alignment * alignment;
  allocation.device_address = *pointer;
  used_ += bytes;
  allocations_[*pointer] = std::move(allocation);
  return CUDA_SUCCESS;
}

CUresult FakeDriver::copy(void* to, const void* from, std::size_t bytes) {
  if (stack().empty()) return CUDA_ERROR_INVALID_CONTEXT;
  std::memcpy(to, from, bytes);
  return CUDA_SUCCESS;
}

CUresult FakeDriver::cuMemAlloc(CUdeviceptr* pointer, std::size_t bytes) { return allocate(pointer, bytes); }
CUresult FakeDriver::cuMemFree(CUdeviceptr pointer) {
  const auto found = allocations_.find(pointer);
  if (found == allocations_.end()) return CUDA_ERROR_INVALID_VALUE;
  used_ -= found->second.bytes;
  allocations_.erase(found);
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuMemAllocAsync(CUdeviceptr* pointer, std::size_t bytes, CUstream stream) {
  if (!known(stream)) return CUDA_ERROR_INVALID_HANDLE;
  const CUresult code = allocate(pointer, bytes);
  if (code == CUDA_SUCCESS) allocations_.at(*pointer).context = nullptr;  // a pool's, of no context
  return code;
}
CUresult FakeDriver::cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
  return known(stream) ? cuMemFree(pointer) : CUDA_ERROR_INVALID_HANDLE;
}
CUresult FakeDriver::cuMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  *free_bytes = memory_limit - used_;
  *total_bytes = memory_limit;
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuMemGetAddressRange(CUdeviceptr* base, std::size_t* bytes, CUdeviceptr pointer) {
  const Allocation* allocation = allocation_at(pointer, base);
  if (allocation == nullptr || allocation->type != CU_MEMORYTYPE_DEVICE) return CUDA_ERROR_NOT_FOUND;
  *bytes = allocation->bytes;
  return CUDA_SUCCESS;
}

CUresult FakeDriver::cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
  return copy(reinterpret_cast<void*>(to), from, bytes);
}
CUresult FakeDriver::cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
  return copy(to, reinterpret_cast<const void*>(from), bytes);
}
CUresult FakeDriver::cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  return known(stream) ? copy(reinterpret_cast<void*>(to), from, bytes) : CUDA_ERROR_INVALID_HANDLE;
}
CUresult FakeDriver::cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return known(stream) ? copy(to, reinterpret_cast<const void*>(from), bytes) : CUDA_ERROR_INVALID_HANDLE;
}
CUresult FakeDriver::cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  if (!known(stream)) return CUDA_ERROR_INVALID_HANDLE;
  return copy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
}
CUresult FakeDriver::cuMemsetD8(CUdeviceptr to, unsigned char value, std::size_t count) {
  std::memset(reinterpret_cast<void*>(to), value, count);
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t count, CUstream stream) {
  return known(stream) ? cuMemsetD8(to, value, count) : CUDA_ERROR_INVALID_HANDLE;
}
CUresult FakeDriver::cuMemsetD32Async(CUdeviceptr to, unsigned value, std::size_t count, CUstream stream) {
  if (!known(stream)) return CUDA_ERROR_INVALID_HANDLE;
  for (std::size_t i = 0; i < count; ++i) std::memcpy(reinterpret_cast<std::byte*>(to) + 4 * i, &value, 4);
  return CUDA_SUCCESS;
}

CUresult FakeDriver::cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
  if (allocation_at(pointer, nullptr) == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return cuPointerGetAttributes(1, &attribute, &value, pointer);
}
CUresult FakeDriver::cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** values,
                                            CUdeviceptr pointer) {
  // As the driver does: success and zeros for memory that it does not know.
  CUdeviceptr begin = 0;
  const Allocation* found = allocation_at(pointer, &begin);
  for (unsigned i = 0; i < count; ++i) {
    switch (attributes[i]) {
      case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *static_cast<unsigned*>(values[i]) = found ? found->type : 0;
        break;
      case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *static_cast<int*>(values[i]) = found ? found->ordinal : -2;
        break;
      case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *static_cast<unsigned*>(values[i]) = found && found->managed ? 1 : 0;
        break;
      case CU_POINTER_ATTRIBUTE_CONTEXT:
        *static_cast<CUcontext*>(values[i]) = found ? found->context : nullptr;
        break;
      case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *static_cast<CUdeviceptr*>(values[i]) =
            found && found->device_address != 0 ? found->device_address + (pointer - begin) : 0;
        break;
      case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        *static_cast<CUdeviceptr*>(values[i]) = found && found->range_known ? begin : 0;
        break;
      case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        *static_cast<std::size_t*>(values[i]) = found && found->range_known ? found->bytes : 0;
        break;
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
  }
  return CUDA_SUCCESS;
}

}  // namespace tilejit::test
