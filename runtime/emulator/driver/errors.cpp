#include <tilejit/runtime/emulator/driver/api.h>

/// Names and texts of errors.
namespace {

struct Error {
  CUresult code;
  const char *name, *text;
};

#define TILEJIT_ERROR(NAME, TEXT) \
  { NAME, #NAME, TEXT }
constexpr Error errors[] = {
    TILEJIT_ERROR(CUDA_SUCCESS, "no error"),
    TILEJIT_ERROR(CUDA_ERROR_INVALID_VALUE, "invalid argument"),
    TILEJIT_ERROR(CUDA_ERROR_OUT_OF_MEMORY, "out of memory"),
    TILEJIT_ERROR(CUDA_ERROR_NOT_INITIALIZED, "initialization error"),
    TILEJIT_ERROR(CUDA_ERROR_DEINITIALIZED, "driver shutting down"),
    TILEJIT_ERROR(CUDA_ERROR_NO_DEVICE, "no CUDA-capable device is detected"),
    TILEJIT_ERROR(CUDA_ERROR_INVALID_DEVICE, "invalid device ordinal"),
    TILEJIT_ERROR(CUDA_ERROR_INVALID_IMAGE, "device kernel image is invalid"),
    TILEJIT_ERROR(CUDA_ERROR_INVALID_CONTEXT, "invalid device context"),
    TILEJIT_ERROR(CUDA_ERROR_NO_BINARY_FOR_GPU, "no kernel image is available for execution on the device"),
    TILEJIT_ERROR(CUDA_ERROR_INVALID_PTX, "a PTX JIT compilation failed"),
    TILEJIT_ERROR(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "the provided PTX was compiled with an unsupported toolchain"),
    TILEJIT_ERROR(CUDA_ERROR_INVALID_SOURCE, "device kernel image is invalid"),
    TILEJIT_ERROR(CUDA_ERROR_FILE_NOT_FOUND, "file not found"),
    TILEJIT_ERROR(CUDA_ERROR_INVALID_HANDLE, "invalid resource handle"),
    TILEJIT_ERROR(CUDA_ERROR_NOT_FOUND, "named symbol not found"),
    TILEJIT_ERROR(CUDA_ERROR_NOT_READY, "device not ready"),
    TILEJIT_ERROR(CUDA_ERROR_ILLEGAL_ADDRESS, "an illegal memory access was encountered"),
    TILEJIT_ERROR(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "too many resources requested for launch"),
    TILEJIT_ERROR(CUDA_ERROR_LAUNCH_TIMEOUT, "the launch timed out and was terminated"),
    TILEJIT_ERROR(CUDA_ERROR_ASSERT, "device-side assert triggered"),
    TILEJIT_ERROR(CUDA_ERROR_ILLEGAL_INSTRUCTION, "an illegal instruction was encountered"),
    TILEJIT_ERROR(CUDA_ERROR_MISALIGNED_ADDRESS, "misaligned address"),
    TILEJIT_ERROR(CUDA_ERROR_LAUNCH_FAILED, "unspecified launch failure"),
    TILEJIT_ERROR(CUDA_ERROR_NOT_PERMITTED, "operation not permitted"),
    TILEJIT_ERROR(CUDA_ERROR_NOT_SUPPORTED, "operation not supported"),
    TILEJIT_ERROR(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "operation not permitted when stream is capturing"),
    TILEJIT_ERROR(CUDA_ERROR_UNKNOWN, "unknown error"),
};
#undef TILEJIT_ERROR

const Error* find(CUresult code) {
  for (const Error& error : errors) {
    if (error.code == code) return &error;
  }
  return nullptr;
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuGetErrorName(CUresult code, const char** name) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Error* error = find(code);
  *name = error == nullptr ? nullptr : error->name;
  return error == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult CUDAAPI cuGetErrorString(CUresult code, const char** text) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Error* error = find(code);
  *text = error == nullptr ? nullptr : error->text;
  return error == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
}
