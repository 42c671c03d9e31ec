#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <string_view>

#include <tilejit/runtime/emulator/driver/api.h>

/// cuGetProcAddress: every entry by the name that cuda.h's users write.
extern "C" {
CUresult CUDAAPI cuCtxCreate_v2(CUcontext*, unsigned, CUdevice);
CUresult CUDAAPI cuStreamGetCaptureInfo_v2(CUstream, CUstreamCaptureStatus*, cuuint64_t*, CUgraph*, const CUgraphNode**,
                                           size_t*);
}

namespace {

// clang-format off
#define TILEJIT_EMULATED_ENTRIES(X) \
  X(cuInit) X(cuDriverGetVersion) X(cuDeviceGetCount) X(cuDeviceGet) X(cuDeviceGetName) X(cuDeviceGetUuid) \
  X(cuDeviceTotalMem) X(cuDeviceGetAttribute) X(cuDeviceGetPCIBusId) \
  X(cuDeviceCanAccessPeer) X(cuGetErrorName) X(cuGetErrorString) \
  X(cuDevicePrimaryCtxRetain) X(cuDevicePrimaryCtxRelease) X(cuDevicePrimaryCtxReset) \
  X(cuDevicePrimaryCtxSetFlags) X(cuDevicePrimaryCtxGetState) X(cuCtxCreate) X(cuCtxDestroy) X(cuCtxGetCurrent) \
  X(cuCtxSetCurrent) X(cuCtxPushCurrent) X(cuCtxPopCurrent) X(cuCtxGetDevice) X(cuCtxSynchronize) \
  X(cuCtxGetFlags) X(cuCtxGetId) X(cuCtxGetApiVersion) X(cuCtxGetStreamPriorityRange) X(cuCtxGetLimit) \
  X(cuCtxSetLimit) X(cuMemAlloc) X(cuMemAllocPitch) X(cuMemFree) X(cuMemAllocAsync) X(cuMemFreeAsync) \
  X(cuMemGetInfo) X(cuMemcpyHtoD) X(cuMemcpyDtoH) X(cuMemcpyDtoD) X(cuMemcpy) X(cuMemcpyHtoDAsync) \
  X(cuMemcpyDtoHAsync) X(cuMemcpyDtoDAsync) X(cuMemcpyAsync) X(cuMemcpy2D) X(cuMemcpy2DUnaligned) \
  X(cuMemcpy2DAsync) X(cuMemsetD8) X(cuMemsetD16) X(cuMemsetD32) X(cuMemsetD8Async) X(cuMemsetD16Async) \
  X(cuMemsetD32Async) X(cuMemsetD2D8) X(cuMemsetD2D16) X(cuMemsetD2D32) X(cuMemHostAlloc) X(cuMemAllocHost) \
  X(cuMemFreeHost) X(cuMemHostRegister) X(cuMemHostUnregister) X(cuMemHostGetDevicePointer) \
  X(cuMemGetAddressRange) X(cuPointerGetAttribute) X(cuPointerGetAttributes) X(cuPointerSetAttribute) \
  X(cuModuleLoadDataEx) X(cuModuleLoadData) X(cuModuleLoadFatBinary) X(cuModuleLoad) X(cuModuleUnload) \
  X(cuModuleGetFunction) X(cuModuleGetFunctionCount) X(cuModuleGetGlobal) X(cuLibraryLoadData) \
  X(cuLibraryLoadFromFile) X(cuLibraryUnload) X(cuLibraryGetKernel) X(cuLibraryGetKernelCount) \
  X(cuLibraryEnumerateKernels) X(cuLibraryGetModule) X(cuLibraryGetGlobal) X(cuKernelGetFunction) \
  X(cuFuncGetAttribute) X(cuFuncSetAttribute) X(cuKernelGetAttribute) X(cuKernelSetAttribute) \
  X(cuFuncGetParamInfo) X(cuKernelGetParamInfo) X(cuFuncGetName) X(cuKernelGetName) X(cuFuncGetModule) \
  X(cuFuncIsLoaded) X(cuFuncLoad) X(cuFuncSetCacheConfig) X(cuOccupancyMaxActiveBlocksPerMultiprocessor) \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags) X(cuOccupancyMaxPotentialBlockSize) \
  X(cuOccupancyMaxPotentialBlockSizeWithFlags) X(cuLaunchKernelEx) X(cuLaunchKernel) \
  X(cuLaunchCooperativeKernel) X(cuStreamCreateWithPriority) X(cuStreamCreate) X(cuStreamDestroy) \
  X(cuStreamSynchronize) X(cuStreamQuery) X(cuStreamWaitEvent) X(cuStreamGetCtx) X(cuStreamGetFlags) \
  X(cuStreamGetPriority) X(cuStreamGetId) X(cuStreamIsCapturing) X(cuStreamGetCaptureInfo) \
  X(cuStreamBeginCapture) X(cuStreamEndCapture) X(cuThreadExchangeStreamCaptureMode) X(cuLaunchHostFunc) \
  X(cuStreamAddCallback) X(cuEventCreate) X(cuEventDestroy) X(cuEventRecord) X(cuEventRecordWithFlags) \
  X(cuEventSynchronize) X(cuEventQuery) X(cuEventElapsedTime) X(cuTensorMapEncodeTiled) \
  X(cuGetProcAddress)
// clang-format on

const std::map<std::string_view, void*>& entries() {
  // Never destroyed: other libraries ask until the process ends.
#define TILEJIT_ENTRY(NAME) {#NAME, reinterpret_cast<void*>(&NAME)},
  static const auto* all = new std::map<std::string_view, void*>{TILEJIT_EMULATED_ENTRIES(TILEJIT_ENTRY)};
#undef TILEJIT_ENTRY
  return *all;
}

/// "cuMemAlloc_v2_ptds" is cuMemAlloc here.
std::string_view plain(std::string_view name) {
  for (const std::string_view end : {"_ptsz", "_ptds"}) {
    if (name.ends_with(end)) name.remove_suffix(end.size());
  }
  const std::size_t at = name.rfind("_v");
  if (at != std::string_view::npos && at + 2 < name.size() &&
      std::all_of(name.begin() + static_cast<std::ptrdiff_t>(at) + 2, name.end(),
                  [](char c) { return c >= '0' && c <= '9'; })) {
    name = name.substr(0, at);
  }
  return name;
}

/// Entries whose parameters changed with a version of CUDA.
void* older(std::string_view name, int version) {
  if (version >= 13000) return nullptr;
  if (name == "cuCtxCreate") return reinterpret_cast<void*>(&cuCtxCreate_v2);
  if (name == "cuStreamGetCaptureInfo") return reinterpret_cast<void*>(&cuStreamGetCaptureInfo_v2);
  return nullptr;
}

}  // namespace

extern "C" CUresult CUDAAPI cuGetProcAddress(const char* name, void** entry, int version, cuuint64_t,
                                             CUdriverProcAddressQueryResult* status) {
  if (name == nullptr || entry == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const std::string_view wanted = plain(name);
  const auto found = entries().find(wanted);
  void* const old = older(wanted, version);
  *entry = old != nullptr ? old : found == entries().end() ? nullptr : found->second;
  if (status != nullptr) {
    *status = *entry != nullptr ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  }
  return *entry != nullptr ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
