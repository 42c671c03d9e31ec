#include <cstring>

#include <tilejit/runtime/emulator/driver/entered.h>

/// Device memory: allocated, freed, copied, set. Everything is done when the call returns.
using namespace tilejit::emulator;

namespace {

bool holds(Device& d, CUdeviceptr pointer, size_t bytes) { return bytes == 0 || d.memory.holds(pointer, bytes); }

CUresult copy(Device& d, void* to, const void* from, size_t bytes) {
  if (bytes != 0 && (to == nullptr || from == nullptr)) return CUDA_ERROR_INVALID_VALUE;
  std::memmove(to, from, bytes);
  d.memory.mark_written(reinterpret_cast<std::uint64_t>(to), bytes);
  return CUDA_SUCCESS;
}

void* host(CUdeviceptr pointer) { return reinterpret_cast<void*>(pointer); }

template <class T>
CUresult set(CUdeviceptr to, T value, size_t count) {
  return in_context([&](Device& d, CUctx_st&) {
    if (to % sizeof(T) != 0 || count > (~size_t{0}) / sizeof(T) || !holds(d, to, count * sizeof(T))) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    d.memory.mark_written(to, count * sizeof(T));
    if constexpr (sizeof(T) == 1) {
      std::memset(host(to), static_cast<int>(value), count);
    } else {
      T* const at = static_cast<T*>(host(to));
      for (size_t k = 0; k < count; ++k) at[k] = value;
    }
    return CUDA_SUCCESS;
  });
}

template <class T>
CUresult set_rows(CUdeviceptr to, size_t pitch, T value, size_t width, size_t height) {
  for (size_t row = 0; row < height; ++row) {
    if (const CUresult code = set<T>(to + row * pitch, value, width); code != CUDA_SUCCESS) return code;
  }
  return CUDA_SUCCESS;
}

CUresult copy_rows(const CUDA_MEMCPY2D* c) {
  return in_context([&](Device& d, CUctx_st&) {
    if (c == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const auto start = [](CUmemorytype type, const void* on_host, CUdeviceptr on_device) {
      return type == CU_MEMORYTYPE_HOST ? reinterpret_cast<CUdeviceptr>(on_host) : on_device;
    };
    if (c->srcMemoryType == CU_MEMORYTYPE_ARRAY || c->dstMemoryType == CU_MEMORYTYPE_ARRAY)
      return CUDA_ERROR_NOT_SUPPORTED;
    const CUdeviceptr from = start(c->srcMemoryType, c->srcHost, c->srcDevice) + c->srcY * c->srcPitch + c->srcXInBytes;
    const CUdeviceptr to = start(c->dstMemoryType, c->dstHost, c->dstDevice) + c->dstY * c->dstPitch + c->dstXInBytes;
    for (size_t row = 0; row < c->Height; ++row) {
      const CUdeviceptr source = from + row * c->srcPitch, target = to + row * c->dstPitch;
      if (c->srcMemoryType == CU_MEMORYTYPE_DEVICE && !holds(d, source, c->WidthInBytes))
        return CUDA_ERROR_INVALID_VALUE;
      if (c->dstMemoryType == CU_MEMORYTYPE_DEVICE && !holds(d, target, c->WidthInBytes))
        return CUDA_ERROR_INVALID_VALUE;
      std::memmove(host(target), host(source), c->WidthInBytes);
      d.memory.mark_written(target, c->WidthInBytes);
    }
    return CUDA_SUCCESS;
  });
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuMemAlloc(CUdeviceptr* out, size_t bytes) {
  return in_context([&](Device& d, CUctx_st&) {
    if (out == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    *out = d.memory.allocate(bytes);
    return *out == 0 ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemAllocPitch(CUdeviceptr* out, size_t* pitch, size_t width, size_t height, unsigned) {
  if (pitch == nullptr || width == 0 || height == 0) return CUDA_ERROR_INVALID_VALUE;
  *pitch = (width + 511) / 512 * 512;
  return cuMemAlloc(out, *pitch * height);
}

CUresult CUDAAPI cuMemFree(CUdeviceptr pointer) {
  return in_context([&](Device& d, CUctx_st&) {
    return pointer == 0 || d.memory.free(pointer) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

CUresult CUDAAPI cuMemAllocAsync(CUdeviceptr* out, size_t bytes, CUstream) { return cuMemAlloc(out, bytes); }
CUresult CUDAAPI cuMemFreeAsync(CUdeviceptr pointer, CUstream) { return cuMemFree(pointer); }

CUresult CUDAAPI cuMemGetInfo(size_t* unused, size_t* total) {
  return in_context([&](Device& d, CUctx_st&) {
    if (unused != nullptr) *unused = d.memory.limit() - d.memory.used();
    if (total != nullptr) *total = d.memory.limit();
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  return in_context([&](Device& d, CUctx_st&) {
    return holds(d, to, bytes) ? copy(d, host(to), from, bytes) : CUDA_ERROR_INVALID_VALUE;
  });
}
CUresult CUDAAPI cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  return in_context([&](Device& d, CUctx_st&) {
    return holds(d, from, bytes) ? copy(d, to, host(from), bytes) : CUDA_ERROR_INVALID_VALUE;
  });
}
CUresult CUDAAPI cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return in_context([&](Device& d, CUctx_st&) {
    return holds(d, from, bytes) && holds(d, to, bytes) ? copy(d, host(to), host(from), bytes)
                                                        : CUDA_ERROR_INVALID_VALUE;
  });
}
CUresult CUDAAPI cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return in_context([&](Device& d, CUctx_st&) { return copy(d, host(to), host(from), bytes); });
}
CUresult CUDAAPI cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream) {
  return cuMemcpyHtoD(to, from, bytes);
}
CUresult CUDAAPI cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream) {
  return cuMemcpyDtoH(to, from, bytes);
}
CUresult CUDAAPI cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream) {
  return cuMemcpyDtoD(to, from, bytes);
}
CUresult CUDAAPI cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream) {
  return cuMemcpy(to, from, bytes);
}
CUresult CUDAAPI cuMemcpy2D(const CUDA_MEMCPY2D* c) { return copy_rows(c); }
CUresult CUDAAPI cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* c) { return copy_rows(c); }
CUresult CUDAAPI cuMemcpy2DAsync(const CUDA_MEMCPY2D* c, CUstream) { return copy_rows(c); }

CUresult CUDAAPI cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) { return set(to, value, count); }
CUresult CUDAAPI cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) { return set(to, value, count); }
CUresult CUDAAPI cuMemsetD32(CUdeviceptr to, unsigned value, size_t count) { return set(to, value, count); }
CUresult CUDAAPI cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream) {
  return set(to, value, count);
}
CUresult CUDAAPI cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream) {
  return set(to, value, count);
}
CUresult CUDAAPI cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream) {
  return set(to, value, count);
}
CUresult CUDAAPI cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height) {
  return set_rows(to, pitch, value, width, height);
}
CUresult CUDAAPI cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height) {
  return set_rows(to, pitch, value, width, height);
}
CUresult CUDAAPI cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height) {
  return set_rows(to, pitch, value, width, height);
}
}
