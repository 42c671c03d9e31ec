#include <cstdio>
#include <string>

#include <tilejit/runtime/emulator/driver/entered.h>
#include <tilejit/runtime/emulator/driver/load.h>

/// Modules and libraries: PTX text in, kernels and variables out.
using namespace tilejit::emulator;

namespace {

template <class Holder>
CUresult load_into(Device& d, Holder*& out, CUmod_st& module, const void* code, CUjit_option* options, void** values,
                   unsigned count) {
  std::string log;
  const CUresult result = load(d, code, module, log);
  write_log(log, options, values, count);
  if (result != CUDA_SUCCESS) {
    unload(d, module);
    delete out;
    out = nullptr;
  }
  return result;
}

CUresult read_file(const char* path, std::string& text) {
  if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return CUDA_ERROR_FILE_NOT_FOUND;
  char buffer[1 << 16];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof(buffer), file)) > 0;) text.append(buffer, n);
  std::fclose(file);
  return CUDA_SUCCESS;
}

CUkern_st* kernel_named(CUmod_st& module, const char* name) {
  const auto found = module.kernels.find(name);
  return found == module.kernels.end() ? nullptr : found->second.get();
}

CUresult variable(CUmod_st& module, CUdeviceptr* address, size_t* bytes, const char* name) {
  const auto found = module.image.symbols.find(name);
  if (found == module.image.symbols.end()) return CUDA_ERROR_NOT_FOUND;
  if (address != nullptr) *address = static_cast<CUdeviceptr>(found->second.address);
  if (bytes != nullptr) *bytes = static_cast<size_t>(found->second.bytes);
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuModuleLoadDataEx(CUmodule* out, const void* code, unsigned count, CUjit_option* options,
                                    void** values) {
  return in_context([&](Device& d, CUctx_st& c) {
    if (out == nullptr || code == nullptr) return CUDA_ERROR_INVALID_VALUE;
    auto* module = new CUmod_st;
    module->context = &c;
    const CUresult result = load_into(d, module, *module, code, options, values, count);
    if (result != CUDA_SUCCESS) return result;
    const std::lock_guard lock(d.mutex);
    d.modules.insert(*out = module);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuModuleLoadData(CUmodule* out, const void* code) {
  return cuModuleLoadDataEx(out, code, 0, nullptr, nullptr);
}

CUresult CUDAAPI cuModuleLoadFatBinary(CUmodule* out, const void* code) { return cuModuleLoadData(out, code); }

CUresult CUDAAPI cuModuleLoad(CUmodule* out, const char* path) {
  std::string text;
  const CUresult result = read_file(path, text);
  return result == CUDA_SUCCESS ? cuModuleLoadData(out, text.c_str()) : result;
}

CUresult CUDAAPI cuModuleUnload(CUmodule module) {
  return initialised([&](Device& d) {
    {
      const std::lock_guard lock(d.mutex);
      if (d.modules.erase(module) == 0) return CUDA_ERROR_INVALID_HANDLE;
    }
    unload(d, *module);
    delete module;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuModuleGetFunction(CUfunction* out, CUmodule module, const char* name) {
  return in_context([&](Device& d, CUctx_st&) {
    if (out == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(d.mutex);
    if (!d.modules.contains(module)) return CUDA_ERROR_INVALID_HANDLE;
    *out = kernel_named(*module, name);
    return *out == nullptr ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
  return in_context([&](Device& d, CUctx_st&) {
    const std::lock_guard lock(d.mutex);
    if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!d.modules.contains(module)) return CUDA_ERROR_INVALID_HANDLE;
    *count = static_cast<unsigned>(module->kernels.size());
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuModuleGetGlobal(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name) {
  return in_context([&](Device& d, CUctx_st&) {
    const std::lock_guard lock(d.mutex);
    if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!d.modules.contains(module)) return CUDA_ERROR_INVALID_HANDLE;
    return variable(*module, address, bytes, name);
  });
}

CUresult CUDAAPI cuLibraryLoadData(CUlibrary* out, const void* code, CUjit_option* options, void** values,
                                   unsigned count, CUlibraryOption*, void**, unsigned) {
  return initialised([&](Device& d) {
    if (out == nullptr || code == nullptr) return CUDA_ERROR_INVALID_VALUE;
    auto* library = new CUlib_st;
    const CUresult result = load_into(d, library, library->module, code, options, values, count);
    if (result != CUDA_SUCCESS) return result;
    const std::lock_guard lock(d.mutex);
    d.libraries.insert(*out = library);
    d.modules.insert(&library->module);
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuLibraryLoadFromFile(CUlibrary* out, const char* path, CUjit_option* options, void** values,
                                       unsigned count, CUlibraryOption* library_options, void** library_values,
                                       unsigned library_count) {
  std::string text;
  const CUresult result = read_file(path, text);
  if (result != CUDA_SUCCESS) return result;
  return cuLibraryLoadData(out, text.c_str(), options, values, count, library_options, library_values, library_count);
}

CUresult CUDAAPI cuLibraryUnload(CUlibrary library) {
  return initialised([&](Device& d) {
    {
      const std::lock_guard lock(d.mutex);
      if (d.libraries.erase(library) == 0) return CUDA_ERROR_INVALID_HANDLE;
      d.modules.erase(&library->module);
    }
    unload(d, library->module);
    delete library;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuLibraryGetKernel(CUkernel* out, CUlibrary library, const char* name) {
  return initialised([&](Device& d) {
    if (out == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(d.mutex);
    if (!d.libraries.contains(library)) return CUDA_ERROR_INVALID_HANDLE;
    *out = kernel_named(library->module, name);
    return *out == nullptr ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuLibraryGetKernelCount(unsigned* count, CUlibrary library) {
  return initialised([&](Device& d) {
    const std::lock_guard lock(d.mutex);
    if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!d.libraries.contains(library)) return CUDA_ERROR_INVALID_HANDLE;
    *count = static_cast<unsigned>(library->module.kernels.size());
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuLibraryEnumerateKernels(CUkernel* out, unsigned count, CUlibrary library) {
  return initialised([&](Device& d) {
    const std::lock_guard lock(d.mutex);
    if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!d.libraries.contains(library)) return CUDA_ERROR_INVALID_HANDLE;
    for (const auto& [name, kernel] : library->module.kernels) {
      if (count-- == 0) break;
      *out++ = kernel.get();
    }
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuLibraryGetModule(CUmodule* out, CUlibrary library) {
  return in_context([&](Device& d, CUctx_st&) {
    const std::lock_guard lock(d.mutex);
    if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!d.libraries.contains(library)) return CUDA_ERROR_INVALID_HANDLE;
    *out = &library->module;
    return CUDA_SUCCESS;
  });
}

CUresult CUDAAPI cuLibraryGetGlobal(CUdeviceptr* address, size_t* bytes, CUlibrary library, const char* name) {
  return in_context([&](Device& d, CUctx_st&) {
    const std::lock_guard lock(d.mutex);
    if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (!d.libraries.contains(library)) return CUDA_ERROR_INVALID_HANDLE;
    return variable(library->module, address, bytes, name);
  });
}
}
