#include <cstring>

#include "fake_driver.h"

namespace tilejit::test {

CUresult FakeDriver::cuInit(unsigned) { return CUDA_SUCCESS; }
CUresult FakeDriver::cuDriverGetVersion(int* out) {
  *out = version;
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuGetErrorName(CUresult code, const char** name) {
  switch (code) {
    case CUDA_ERROR_OUT_OF_MEMORY:
      *name = "CUDA_ERROR_OUT_OF_MEMORY";
      return CUDA_SUCCESS;
    case CUDA_ERROR_ILLEGAL_ADDRESS:
      *name = "CUDA_ERROR_ILLEGAL_ADDRESS";
      return CUDA_SUCCESS;
    case CUDA_ERROR_INVALID_VALUE:
      *name = "CUDA_ERROR_INVALID_VALUE";
      return CUDA_SUCCESS;
    default:
      *name = "CUDA_ERROR_FAKE";
      return CUDA_SUCCESS;
  }
}
CUresult FakeDriver::cuGetErrorString(CUresult code, const char** text) {
  *text = code == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "as the test wanted";
  return CUDA_SUCCESS;
}

CUresult FakeDriver::cuDeviceGetCount(int* count) {
  *count = static_cast<int>(primaries_.size());
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuDeviceGet(CUdevice* device, int ordinal) {
  if (ordinal < 0 || ordinal >= static_cast<int>(primaries_.size())) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuDeviceGetName(char* name, int bytes, CUdevice device) {
  const std::string text = "Fake GPU " + std::to_string(device);
  std::strncpy(name, text.c_str(), static_cast<std::size_t>(bytes));
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  for (int i = 0; i < 16; ++i) uuid->bytes[i] = static_cast<char>(0xa0 + i);
  uuid->bytes[15] = static_cast<char>(device);
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
  const auto found = attributes.find(attribute);
  if (found == attributes.end()) return CUDA_ERROR_INVALID_VALUE;
  *value = found->second;
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuDeviceTotalMem(std::size_t* bytes, CUdevice) {
  *bytes = memory_limit;
  return CUDA_SUCCESS;
}

CUresult FakeDriver::cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  *context = primaries_.at(static_cast<std::size_t>(device));
  ++contexts_.at(*context).references;
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuDevicePrimaryCtxRelease(CUdevice device) {
  int& references = contexts_.at(primaries_.at(static_cast<std::size_t>(device))).references;
  if (references == 0) return CUDA_ERROR_INVALID_CONTEXT;
  --references;
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuCtxGetCurrent(CUcontext* context) {
  *context = current();
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuCtxSetCurrent(CUcontext context) {
  if (stack().empty()) {
    if (context != nullptr) push(context);
  } else if (context == nullptr) {
    pop();
  } else {
    stack().back() = context;
  }
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuCtxPushCurrent(CUcontext context) {
  if (!contexts_.contains(context)) return CUDA_ERROR_INVALID_CONTEXT;
  push(context);
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuCtxPopCurrent(CUcontext* context) {
  if (stack().empty()) return CUDA_ERROR_INVALID_CONTEXT;
  *context = current();
  pop();
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuCtxGetDevice(CUdevice* device) {
  if (stack().empty()) return CUDA_ERROR_INVALID_CONTEXT;
  *device = contexts_.at(current()).ordinal;
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuCtxSynchronize() { return stack().empty() ? CUDA_ERROR_INVALID_CONTEXT : CUDA_SUCCESS; }

CUresult FakeDriver::cuStreamCreate(CUstream* stream, unsigned) {
  if (stack().empty()) return CUDA_ERROR_INVALID_CONTEXT;
  *stream = new_handle<CUstream>();
  streams_[*stream] = {current()};
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuStreamDestroy(CUstream stream) {
  return streams_.erase(stream) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult FakeDriver::cuStreamSynchronize(CUstream stream) {
  return known(stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult FakeDriver::cuStreamQuery(CUstream stream) { return known(stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE; }
CUresult FakeDriver::cuStreamWaitEvent(CUstream stream, CUevent event, unsigned) {
  return known(stream) && events_.contains(event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult FakeDriver::cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  if (!known(stream)) return CUDA_ERROR_INVALID_HANDLE;
  const bool capturing = stream != nullptr && streams_.at(stream).capturing;
  *status = capturing ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuStreamGetCtx(CUstream stream, CUcontext* context) {
  if (!known(stream)) return CUDA_ERROR_INVALID_HANDLE;
  *context = stream == nullptr ? current() : streams_.at(stream).context;
  return CUDA_SUCCESS;
}

/// A record of what was asked for, in order, where the driver would keep its own form.
CUresult FakeDriver::cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                            const cuuint64_t* extents, const cuuint64_t* byte_strides,
                                            const cuuint32_t* box, const cuuint32_t*, CUtensorMapInterleave,
                                            CUtensorMapSwizzle swizzle, CUtensorMapL2promotion,
                                            CUtensorMapFloatOOBfill) {
  if (rank < 1 || rank > 5 || reinterpret_cast<std::uintptr_t>(address) % 16 != 0) return CUDA_ERROR_INVALID_VALUE;
  std::size_t at = 0;
  for (cuuint64_t& word : map->opaque) word = 0;
  map->opaque[at++] = static_cast<cuuint64_t>(type);
  map->opaque[at++] = reinterpret_cast<std::uintptr_t>(address);
  map->opaque[at++] = static_cast<cuuint64_t>(swizzle);
  for (cuuint32_t i = 0; i < rank; ++i) map->opaque[at++] = extents[i] | cuuint64_t(box[i]) << 32;
  for (cuuint32_t i = 0; i + 1 < rank; ++i) map->opaque[at++] = byte_strides[i];
  return CUDA_SUCCESS;
}

CUresult FakeDriver::cuEventCreate(CUevent* event, unsigned) {
  if (stack().empty()) return CUDA_ERROR_INVALID_CONTEXT;
  *event = new_handle<CUevent>();
  events_[*event] = 0;
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuEventDestroy(CUevent event) {
  recorded_.erase(event);
  return events_.erase(event) == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult FakeDriver::cuEventRecord(CUevent event, CUstream stream) {
  if (!known(stream) || !events_.contains(event)) return CUDA_ERROR_INVALID_HANDLE;
  events_[event] = clock_;
  recorded_.insert(event);
  return CUDA_SUCCESS;
}
CUresult FakeDriver::cuEventSynchronize(CUevent event) {
  return events_.contains(event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult FakeDriver::cuEventQuery(CUevent event) {
  return events_.contains(event) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult FakeDriver::cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  if (!recorded_.contains(start) || !recorded_.contains(end)) return CUDA_ERROR_INVALID_HANDLE;
  *milliseconds = events_.at(end) - events_.at(start);
  return CUDA_SUCCESS;
}

}  // namespace tilejit::test
