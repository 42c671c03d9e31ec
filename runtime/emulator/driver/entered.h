#pragma once
#include <new>

#include <tilejit/runtime/emulator/driver/device.h>

namespace tilejit::emulator {

/// Runs the body of an entry that needs cuInit. No exception leaves an entry.
template <class F>
CUresult initialised(F body) {
  Device* d = device();
  if (d == nullptr) return CUDA_ERROR_NOT_INITIALIZED;
  try {
    return body(*d);
  } catch (const std::bad_alloc&) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  } catch (...) {
    return CUDA_ERROR_UNKNOWN;
  }
}

/// Of one that needs a current context too. Once a kernel has faulted, every such call gives that error.
template <class F>
CUresult in_context(F body) {
  return initialised([&](Device& d) -> CUresult {
    CUctx_st* context = current_context();
    if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (const CUresult failed = context->failed; failed != CUDA_SUCCESS) return failed;
    return body(d, *context);
  });
}

}  // namespace tilejit::emulator
