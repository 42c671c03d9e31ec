#pragma once
#include <cuda.h>

#include <memory>
#include <string>

#include <tilejit/runtime/errors.h>

namespace tilejit {

/// Every Driver API entry that TileJIT uses, once: name and signature. The table below, its loader, the fake and the
/// test that compares with the emulated device's exports are made from this list. Entries newer than 12.4 do not belong
/// here.
// clang-format off
#define TILEJIT_DRIVER_ENTRIES(X)                                                                                        \
  X(cuInit, (unsigned flags))                                                                                            \
  X(cuDriverGetVersion, (int* version))                                                                                  \
  X(cuGetErrorName, (CUresult code, const char** name))                                                                  \
  X(cuGetErrorString, (CUresult code, const char** text))                                                                \
  X(cuDeviceGetCount, (int* count))                                                                                      \
  X(cuDeviceGet, (CUdevice * device, int ordinal))                                                                       \
  X(cuDeviceGetName, (char* name, int bytes, CUdevice device))                                                           \
  X(cuDeviceGetUuid, (CUuuid * uuid, CUdevice device))                                                                   \
  X(cuDeviceGetAttribute, (int* value, CUdevice_attribute attribute, CUdevice device))                                   \
  X(cuDeviceTotalMem, (size_t* bytes, CUdevice device))                                                                  \
  X(cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device))                                                    \
  X(cuDevicePrimaryCtxRelease, (CUdevice device))                                                                        \
  X(cuCtxGetCurrent, (CUcontext * context))                                                                              \
  X(cuCtxSetCurrent, (CUcontext context))                                                                                \
  X(cuCtxPushCurrent, (CUcontext context))                                                                               \
  X(cuCtxPopCurrent, (CUcontext * context))                                                                              \
  X(cuCtxGetDevice, (CUdevice * device))                                                                                 \
  X(cuCtxSynchronize, (void))                                                                                            \
  X(cuLibraryLoadData, (CUlibrary * library, const void* code, CUjit_option* options, void** values, unsigned count,     \
                        CUlibraryOption* library_options, void** library_values, unsigned library_count))               \
  X(cuLibraryUnload, (CUlibrary library))                                                                                \
  X(cuLibraryGetKernel, (CUkernel * kernel, CUlibrary library, const char* name))                                        \
  X(cuKernelGetFunction, (CUfunction * function, CUkernel kernel))                                                       \
  X(cuFuncGetAttribute, (int* value, CUfunction_attribute attribute, CUfunction function))                               \
  X(cuFuncSetAttribute, (CUfunction function, CUfunction_attribute attribute, int value))                                \
  X(cuFuncGetParamInfo, (CUfunction function, size_t index, size_t* offset, size_t* size))                               \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor, (int* blocks, CUfunction function, int threads, size_t shared))         \
  X(cuLaunchKernelEx, (const CUlaunchConfig* config, CUfunction function, void** parameters, void** extra))              \
  X(cuTensorMapEncodeTiled, (CUtensorMap * map, CUtensorMapDataType type, cuuint32_t rank, void* address,                \
                             const cuuint64_t* extents, const cuuint64_t* byte_strides, const cuuint32_t* box,           \
                             const cuuint32_t* steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,      \
                             CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill))                            \
  X(cuMemAlloc, (CUdeviceptr * pointer, size_t bytes))                                                                   \
  X(cuMemFree, (CUdeviceptr pointer))                                                                                    \
  X(cuMemAllocAsync, (CUdeviceptr * pointer, size_t bytes, CUstream stream))                                             \
  X(cuMemFreeAsync, (CUdeviceptr pointer, CUstream stream))                                                              \
  X(cuMemGetInfo, (size_t* free_bytes, size_t* total_bytes))                                                             \
  X(cuMemGetAddressRange, (CUdeviceptr * base, size_t* bytes, CUdeviceptr pointer))                                      \
  X(cuMemcpyHtoD, (CUdeviceptr to, const void* from, size_t bytes))                                                      \
  X(cuMemcpyDtoH, (void* to, CUdeviceptr from, size_t bytes))                                                            \
  X(cuMemcpyHtoDAsync, (CUdeviceptr to, const void* from, size_t bytes, CUstream stream))                                \
  X(cuMemcpyDtoHAsync, (void* to, CUdeviceptr from, size_t bytes, CUstream stream))                                      \
  X(cuMemcpyDtoDAsync, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream))                                \
  X(cuMemsetD8, (CUdeviceptr to, unsigned char value, size_t count))                                                     \
  X(cuMemsetD8Async, (CUdeviceptr to, unsigned char value, size_t count, CUstream stream))                               \
  X(cuMemsetD32Async, (CUdeviceptr to, unsigned value, size_t count, CUstream stream))                                   \
  X(cuPointerGetAttribute, (void* value, CUpointer_attribute attribute, CUdeviceptr pointer))                            \
  X(cuPointerGetAttributes, (unsigned count, CUpointer_attribute* attributes, void** values, CUdeviceptr pointer))       \
  X(cuStreamCreate, (CUstream * stream, unsigned flags))                                                                 \
  X(cuStreamDestroy, (CUstream stream))                                                                                  \
  X(cuStreamSynchronize, (CUstream stream))                                                                              \
  X(cuStreamQuery, (CUstream stream))                                                                                    \
  X(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags))                                                 \
  X(cuStreamIsCapturing, (CUstream stream, CUstreamCaptureStatus * status))                                              \
  X(cuStreamGetCtx, (CUstream stream, CUcontext * context))                                                              \
  X(cuEventCreate, (CUevent * event, unsigned flags))                                                                    \
  X(cuEventDestroy, (CUevent event))                                                                                     \
  X(cuEventRecord, (CUevent event, CUstream stream))                                                                     \
  X(cuEventSynchronize, (CUevent event))                                                                                 \
  X(cuEventQuery, (CUevent event))                                                                                       \
  X(cuEventElapsedTime, (float* milliseconds, CUevent start, CUevent end))

// clang-format on

/// One pointer an entry; immutable once filled, shared by everything that a Device made. Internal.
struct DriverTable {
#define TILEJIT_ENTRY(NAME, SIGNATURE) CUresult(*NAME) SIGNATURE = nullptr;
  TILEJIT_DRIVER_ENTRIES(TILEJIT_ENTRY)
#undef TILEJIT_ENTRY
};

struct Driver {
  DriverTable call;
  std::string library;  ///< file it came from; "fake" in tests
  int version = 0;      ///< 13000 is 13.0
  bool emulated = false;
  std::shared_ptr<void> handle;  ///< keeps the library open

  /// Throws CudaError naming `what` unless `code` is success.
  void check(CUresult code, const char* what) const {
    if (code != CUDA_SUCCESS) [[unlikely]]
      throw error(code, what);
  }
  /// `code` in the driver's words; `detail` goes behind them.
  CudaError error(CUresult code, const char* what, const std::string& detail = {}) const;
};

/// The oldest driver that has every entry, as cuDriverGetVersion counts.
inline constexpr int oldest_driver = 12040;

/// dlopen and cuGetProcAddress on `library` (RTLD_LOCAL), then cuInit. NoDevice: not found (the loader's words), not a
/// driver, older than 12.4 (both versions), entries missing (which), or cuInit refused (code and text).
/// InvalidArgument: the emulated device refused one of its variables (which, and what it may be).
std::shared_ptr<const Driver> load_driver(const std::string& library, bool emulated);

/// libcuda.so.1, or the emulated device's library in the order: `emulator` (Options; alone if given), beside libtilejit
/// (static: beside the program), the loader path. NoDevice lists each place and what it answered.
std::shared_ptr<const Driver> gpu_driver();
std::shared_ptr<const Driver> emulated_driver(const std::string& emulator);

/// Makes `context` current for a scope and puts the caller's back, whatever happens between.
class CurrentContext {
 public:
  CurrentContext(const Driver& driver, CUcontext context);
  ~CurrentContext();
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

 private:
  const Driver& driver_;
  CUcontext previous_ = nullptr;
  bool pushed_ = false;
};

}  // namespace tilejit
