#include <algorithm>

#include <tilejit/runtime/emulator/driver/entered.h>
#include <tilejit/runtime/emulator/driver/load.h>
#include <tilejit/runtime/emulator/driver/resources.h>

/// What functions and kernels are: attributes, parameters, occupancy.
using namespace tilejit::emulator;

namespace {

CUresult get_attribute(Device& d, CUfunc_st& f, CUfunction_attribute which, int* value) {
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Program& program = *program_of(d, f);
  const tilejit::ptx::Module& text = *f.module->image.module;
  switch (which) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = threads_of(d.facts, program);
      break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(program.shared_bytes);
      break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      *value = 0;
      break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = static_cast<int>(program.local_bytes);
      break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = registers_of(program);
      break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      *value = 10 * text.version_major + text.version_minor;
      break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = 10 * d.facts.major + d.facts.minor;
      break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      *value = 0;
      break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = f.max_dynamic_shared > 0 ? f.max_dynamic_shared
                                        : d.facts.shared_per_block - static_cast<int>(program.shared_bytes);
      break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *value = f.carveout;
      break;
    default:
      if (which < 0 || which >= CU_FUNC_ATTRIBUTE_MAX) return CUDA_ERROR_INVALID_VALUE;
      *value = 0;  // of clusters
  }
  return CUDA_SUCCESS;
}

CUresult set_attribute(Device& d, CUfunc_st& f, CUfunction_attribute which, int value) {
  const Program& program = *program_of(d, f);
  const std::lock_guard lock(d.mutex);
  switch (which) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      if (value < 0 || value + program.shared_bytes > d.facts.shared_optin) return CUDA_ERROR_INVALID_VALUE;
      f.max_dynamic_shared = value;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      if (value < -1 || value > 100) return CUDA_ERROR_INVALID_VALUE;
      f.carveout = value;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
}

CUresult parameter(Device& d, CUfunc_st& f, size_t index, size_t* offset, size_t* size) {
  const Program& program = *program_of(d, f);
  if (index >= program.param_offsets.size()) return CUDA_ERROR_INVALID_VALUE;
  if (offset != nullptr) *offset = program.param_offsets[index];
  if (size != nullptr) *size = program.param_sizes[index];
  return CUDA_SUCCESS;
}

CUresult occupancy(int* blocks, CUfunction f, int threads, size_t shared) {
  return in_context([&](Device& d, CUctx_st&) {
    if (blocks == nullptr || f == nullptr || threads <= 0) return CUDA_ERROR_INVALID_VALUE;
    *blocks = blocks_per_sm(d.facts, *program_of(d, *f), threads, shared);
    return CUDA_SUCCESS;
  });
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuKernelGetFunction(CUfunction* out, CUkernel kernel) {
  return in_context([&](Device&, CUctx_st&) {
    if (out == nullptr || kernel == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *out = kernel;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuFuncGetAttribute(int* value, CUfunction_attribute which, CUfunction f) {
  return in_context([&](Device& d, CUctx_st&) {
    return f == nullptr ? CUDA_ERROR_INVALID_HANDLE : get_attribute(d, *f, which, value);
  });
}
CUresult CUDAAPI cuFuncSetAttribute(CUfunction f, CUfunction_attribute which, int value) {
  return in_context([&](Device& d, CUctx_st&) {
    return f == nullptr ? CUDA_ERROR_INVALID_HANDLE : set_attribute(d, *f, which, value);
  });
}
CUresult CUDAAPI cuKernelGetAttribute(int* value, CUfunction_attribute which, CUkernel k, CUdevice) {
  return initialised(
      [&](Device& d) { return k == nullptr ? CUDA_ERROR_INVALID_HANDLE : get_attribute(d, *k, which, value); });
}
CUresult CUDAAPI cuKernelSetAttribute(CUfunction_attribute which, int value, CUkernel k, CUdevice) {
  return initialised(
      [&](Device& d) { return k == nullptr ? CUDA_ERROR_INVALID_HANDLE : set_attribute(d, *k, which, value); });
}
CUresult CUDAAPI cuFuncGetParamInfo(CUfunction f, size_t index, size_t* offset, size_t* size) {
  return in_context([&](Device& d, CUctx_st&) {
    return f == nullptr ? CUDA_ERROR_INVALID_HANDLE : parameter(d, *f, index, offset, size);
  });
}
CUresult CUDAAPI cuKernelGetParamInfo(CUkernel k, size_t index, size_t* offset, size_t* size) {
  return initialised(
      [&](Device& d) { return k == nullptr ? CUDA_ERROR_INVALID_HANDLE : parameter(d, *k, index, offset, size); });
}
CUresult CUDAAPI cuFuncGetName(const char** name, CUfunction f) {
  return initialised([&](Device&) {
    if (name == nullptr || f == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *name = f->name.c_str();
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuKernelGetName(const char** name, CUkernel k) { return cuFuncGetName(name, k); }
CUresult CUDAAPI cuFuncGetModule(CUmodule* out, CUfunction f) {
  return initialised([&](Device&) {
    if (out == nullptr || f == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *out = f->module;
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction f) {
  return initialised([&](Device&) {
    if (state == nullptr || f == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *state = f->program ? CU_FUNCTION_LOADING_STATE_LOADED : CU_FUNCTION_LOADING_STATE_UNLOADED;
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuFuncLoad(CUfunction f) {
  return initialised([&](Device& d) {
    if (f == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    program_of(d, *f);
    return CUDA_SUCCESS;
  });
}
CUresult CUDAAPI cuFuncSetCacheConfig(CUfunction f, CUfunc_cache) {
  return in_context([&](Device&, CUctx_st&) { return f == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS; });
}

CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction f, int threads, size_t shared) {
  return occupancy(blocks, f, threads, shared);
}
CUresult CUDAAPI cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction f, int threads,
                                                                      size_t shared, unsigned) {
  return occupancy(blocks, f, threads, shared);
}
CUresult CUDAAPI cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction f, CUoccupancyB2DSize shared_of,
                                                  size_t shared, int limit) {
  return in_context([&](Device& d, CUctx_st&) {
    if (grid == nullptr || block == nullptr || f == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const Program& program = *program_of(d, *f);
    const int most = limit > 0 ? std::min(limit, threads_of(d.facts, program)) : threads_of(d.facts, program);
    int best = 0;
    for (int threads = most; threads > 0; threads = (threads - 1) / 32 * 32) {
      const int blocks = blocks_per_sm(d.facts, program, threads, shared_of != nullptr ? shared_of(threads) : shared);
      if (blocks * threads > best) {
        best = blocks * threads;
        *block = threads;
        *grid = blocks * d.facts.sms;
      }
    }
    return best > 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}
CUresult CUDAAPI cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction f,
                                                           CUoccupancyB2DSize shared_of, size_t shared, int limit,
                                                           unsigned) {
  return cuOccupancyMaxPotentialBlockSize(grid, block, f, shared_of, shared, limit);
}
}
