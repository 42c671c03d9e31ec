// A library that looks like a driver from outside, for the loader's tests. What it says comes from the environment:
// STUB_VERSION, STUB_WITHOUT (an entry it does not have), STUB_INIT (what cuInit gives).
#include <cuda.h>

#include <cstdlib>
#include <cstring>

#undef cuGetProcAddress

namespace {

int number(const char* name, int otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

CUresult version_entry(int* version) {
  *version = number("STUB_VERSION", 12040);
  return CUDA_SUCCESS;
}
CUresult init_entry(unsigned) { return static_cast<CUresult>(number("STUB_INIT", 0)); }
CUresult name_entry(CUresult, const char** text) {
  *text = "stub";
  return CUDA_SUCCESS;
}
CUresult count_entry(int* count) {
  *count = 0;
  return CUDA_SUCCESS;
}
CUresult other_entry() { return CUDA_ERROR_NOT_SUPPORTED; }

}  // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT CUresult cuDriverGetVersion(int* version) { return version_entry(version); }

EXPORT CUresult cuGetProcAddress_v2(const char* name, void** entry, int version, cuuint64_t flags,
                                    CUdriverProcAddressQueryResult* status) {
  if (version != 12040 || flags != CU_GET_PROC_ADDRESS_LEGACY_STREAM) return CUDA_ERROR_INVALID_VALUE;
  const char* without = std::getenv("STUB_WITHOUT");
  if (without != nullptr && std::strcmp(without, name) == 0) {
    *entry = nullptr;
    *status = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return CUDA_SUCCESS;
  }
  // The names asked for carry no version suffix: choosing one is cuGetProcAddress's work.
  if (std::strstr(name, "_v2") != nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto is = [&](const char* other) { return std::strcmp(name, other) == 0; };
  *entry = is("cuInit")                                     ? reinterpret_cast<void*>(init_entry)
           : is("cuDriverGetVersion")                       ? reinterpret_cast<void*>(version_entry)
           : is("cuDeviceGetCount")                         ? reinterpret_cast<void*>(count_entry)
           : is("cuGetErrorName") || is("cuGetErrorString") ? reinterpret_cast<void*>(name_entry)
                                                            : reinterpret_cast<void*>(other_entry);
  *status = CU_GET_PROC_ADDRESS_SUCCESS;
  return CUDA_SUCCESS;
}
