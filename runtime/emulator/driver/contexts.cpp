#include <tilejit/runtime/emulator/driver/entered.h>

/// Contexts: the primary one, others, and each thread's stack of them.
using namespace tilejit::emulator;

namespace {

bool known(Device& d, CUcontext context) { return d.contexts.contains(context) || context == &d.primary; }

CUresult create(CUcontext* out, unsigned flags, CUdevice dev) {
  return initialised([&](Device& d) {
    if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (dev != 0) return CUDA_ERROR_INVALID_DEVICE;
    const std::lock_guard lock(d.mutex);
    auto* context = new CUctx_st;
    context->flags = flags;
    context->id = d.next_id++;
    d.contexts.insert(context);
    context_stack().push_back(*out = context);
    return CUDA_SUCCESS;
  });
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuDevicePrimaryCtxRetain(CUcontext* out, CUdevice dev) {
  return initialised([&](Device& d) {
    if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (dev != 0) return CUDA_ERROR_INVALID_DEVICE;
    const std::lock_guard lock(d.mutex);
    ++d.primary.retained;
    *out = &d.primary;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuDevicePrimaryCtxRelease(CUdevice dev) {
  return initialised([&](Device& d) {
    if (dev != 0) return CUDA_ERROR_INVALID_DEVICE;
    const std::lock_guard lock(d.mutex);
    if (d.primary.retained == 0) return CUDA_ERROR_INVALID_CONTEXT;
    if (--d.primary.retained == 0) d.primary.failed = CUDA_SUCCESS;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuDevicePrimaryCtxReset(CUdevice dev) {
  return initialised([&](Device& d) {
    if (dev != 0) return CUDA_ERROR_INVALID_DEVICE;
    d.primary.failed = CUDA_SUCCESS;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned flags) {
  return initialised([&](Device& d) {
    if (dev != 0) return CUDA_ERROR_INVALID_DEVICE;
    d.primary.flags = flags;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuDevicePrimaryCtxGetState(CUdevice dev, unsigned* flags, int* active) {
  return initialised([&](Device& d) {
    if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (dev != 0) return CUDA_ERROR_INVALID_DEVICE;
    *flags = d.primary.flags;
    *active = d.primary.retained > 0 ? 1 : 0;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxCreate_v2(CUcontext* out, unsigned flags, CUdevice dev);
CUresult CUDAAPI cuCtxCreate_v2(CUcontext* out, unsigned flags, CUdevice dev) { return create(out, flags, dev); }
CUresult CUDAAPI cuCtxCreate(CUcontext* out, CUctxCreateParams*, unsigned flags, CUdevice dev) {
  return create(out, flags, dev);
}

CUresult CUDAAPI cuCtxDestroy(CUcontext context) {
  return initialised([&](Device& d) {
    const std::lock_guard lock(d.mutex);
    if (d.contexts.erase(context) == 0) return CUDA_ERROR_INVALID_CONTEXT;
    auto& stack = context_stack();
    if (!stack.empty() && stack.back() == context) stack.pop_back();
    delete context;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxGetCurrent(CUcontext* out) {
  return initialised([&](Device&) {
    if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *out = current_context();
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxSetCurrent(CUcontext context) {
  return initialised([&](Device& d) {
    const std::lock_guard lock(d.mutex);
    if (context != nullptr && !known(d, context)) return CUDA_ERROR_INVALID_CONTEXT;
    auto& stack = context_stack();
    if (!stack.empty()) stack.pop_back();
    if (context != nullptr) stack.push_back(context);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxPushCurrent(CUcontext context) {
  return initialised([&](Device& d) {
    const std::lock_guard lock(d.mutex);
    if (!known(d, context)) return CUDA_ERROR_INVALID_CONTEXT;
    context_stack().push_back(context);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxPopCurrent(CUcontext* out) {
  return initialised([&](Device&) {
    auto& stack = context_stack();
    if (stack.empty()) return CUDA_ERROR_INVALID_CONTEXT;
    if (out != nullptr) *out = stack.back();
    stack.pop_back();
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxGetDevice(CUdevice* out) {
  return initialised([&](Device&) {
    if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    *out = 0;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxSynchronize(void) {
  return in_context([](Device&, CUctx_st&) { return CUDA_SUCCESS; });
}

CUresult CUDAAPI cuCtxGetFlags(unsigned* flags) {
  return in_context([&](Device&, CUctx_st& c) {
    if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *flags = c.flags;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxGetId(CUcontext context, unsigned long long* id) {
  return initialised([&](Device&) {
    const CUcontext c = context != nullptr ? context : current_context();
    if (c == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    if (id == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *id = c->id;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxGetApiVersion(CUcontext context, unsigned* version) {
  return initialised([&](Device&) {
    if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (context == nullptr && current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    *version = 3020;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return in_context([&](Device&, CUctx_st&) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = 0;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxGetLimit(size_t* value, CUlimit limit) {
  return in_context([&](Device& d, CUctx_st& c) {
    if (value == nullptr || limit >= CU_LIMIT_MAX) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(d.mutex);
    const auto found = c.limits.find(limit);
    *value = found != c.limits.end() ? found->second : limit == CU_LIMIT_STACK_SIZE ? 1024 : size_t{8} << 20;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuCtxSetLimit(CUlimit limit, size_t value) {
  return in_context([&](Device& d, CUctx_st& c) {
    if (limit >= CU_LIMIT_MAX) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(d.mutex);
    c.limits[limit] = value;
    return CUDA_SUCCESS;
  });
}
}
