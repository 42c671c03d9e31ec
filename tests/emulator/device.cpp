#include "device.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <nvrtc.h>

#include <tilejit/tests/support/nvrtc_builtins.h>
#include <cstdlib>
#include <stdexcept>

namespace tilejit::testing {
namespace {

void* library() {
  static void* const opened = [] {
    void* handle = dlopen(TILEJIT_BINARY_DIR "/lib/libtilejit_emulated_cuda.so", RTLD_LOCAL | RTLD_NOW);
    if (handle == nullptr) throw std::runtime_error(dlerror());
    return handle;
  }();
  return opened;
}

void check(CUresult code, const char* what) {
  if (code != CUDA_SUCCESS) throw std::runtime_error(std::string(what) + ": " + std::to_string(code));
}

void* nvrtc(const char* name) {
  static void* const opened = [] {
    const char* root = std::getenv("CUDA_PATH");
    const std::string in_root = root == nullptr ? std::string() : std::string(root) + "/lib64/libnvrtc.so.13";
    for (const char* path :
         {static_cast<const char*>(std::getenv("TILEJIT_NVRTC")), in_root.c_str(), "libnvrtc.so.13",
          "/usr/local/cuda/lib64/libnvrtc.so.13", "/usr/local/cuda/lib64/libnvrtc.so", "libnvrtc.so.12"}) {
      if (path == nullptr || *path == '\0') continue;
      void* handle = dlopen(path, RTLD_LOCAL | RTLD_NOW);
      if (handle == nullptr) continue;
      test::load_builtins_beside(path);
      return handle;
    }
    throw std::runtime_error("no NVRTC");
  }();
  return dlsym(opened, name);
}
#define NVRTC(NAME) reinterpret_cast<decltype(&NAME)>(nvrtc(#NAME))

}  // namespace

void* symbol(const char* name) { return dlsym(library(), name); }

void* entry(const char* name) {
  using Get = CUresult (*)(const char*, void**, int, cuuint64_t, CUdriverProcAddressQueryResult*);
  void* found = nullptr;
  const auto get = reinterpret_cast<Get>(symbol("cuGetProcAddress_v2"));
  check(get(name, &found, 12040, 0, nullptr), name);
  return found;
}

const EmulatedTable& table() { return *static_cast<const EmulatedTable*>(symbol("tilejit_emulated_counters")); }

void use_device() {
  check(TILEJIT_ENTRY(cuInit)(0), "cuInit");
  CUcontext context = nullptr;
  check(TILEJIT_ENTRY(cuDevicePrimaryCtxRetain)(&context, 0), "retain");
  check(TILEJIT_ENTRY(cuCtxSetCurrent)(context), "set current");
  check(TILEJIT_ENTRY(cuDevicePrimaryCtxReset)(0), "reset");
}

std::string compile(const std::string& source, const std::string& arch, const std::vector<std::string>& options) {
  nvrtcProgram program = nullptr;
  NVRTC(nvrtcCreateProgram)(&program, source.c_str(), "/test.cu", 0, nullptr, nullptr);
  std::vector<std::string> all = {"--gpu-architecture=" + arch, "-lineinfo", "--fmad=false",
                                  "-I/usr/local/cuda/include"};
  all.insert(all.end(), options.begin(), options.end());
  std::vector<const char*> pointers;
  for (const std::string& o : all) pointers.push_back(o.c_str());
  const nvrtcResult result = NVRTC(nvrtcCompileProgram)(program, static_cast<int>(pointers.size()), pointers.data());
  std::size_t bytes = 0;
  if (result != NVRTC_SUCCESS) {
    NVRTC(nvrtcGetProgramLogSize)(program, &bytes);
    std::string log(bytes, '\0');
    NVRTC(nvrtcGetProgramLog)(program, log.data());
    throw std::runtime_error(log);
  }
  NVRTC(nvrtcGetPTXSize)(program, &bytes);
  std::string ptx(bytes, '\0');
  NVRTC(nvrtcGetPTX)(program, ptx.data());
  NVRTC(nvrtcDestroyProgram)(&program);
  return ptx;
}

CUdeviceptr allocate(std::size_t bytes) {
  use_device();
  CUdeviceptr pointer = 0;
  check(TILEJIT_ENTRY(cuMemAlloc)(&pointer, bytes), "cuMemAlloc");
  return pointer;
}
void release(CUdeviceptr pointer) {
  TILEJIT_ENTRY(cuDevicePrimaryCtxReset)(0);
  TILEJIT_ENTRY(cuMemFree)(pointer);
}
void write(CUdeviceptr to, const void* from, std::size_t bytes) {
  check(TILEJIT_ENTRY(cuMemcpyHtoD)(to, from, bytes), "cuMemcpyHtoD");
}
CUresult read(void* to, CUdeviceptr from, std::size_t bytes) { return TILEJIT_ENTRY(cuMemcpyDtoH)(to, from, bytes); }

Module::Module(const std::string& ptx) {
  use_device();
  char log[4096] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof(log))};
  const CUresult result = TILEJIT_ENTRY(cuModuleLoadDataEx)(&module_, ptx.c_str(), 2, options, values);
  if (result != CUDA_SUCCESS) throw std::runtime_error("cuModuleLoadDataEx: " + std::to_string(result) + " " + log);
}
Module::~Module() { TILEJIT_ENTRY(cuModuleUnload)(module_); }

CUfunction Module::function(const char* name) const {
  CUfunction function = nullptr;
  check(TILEJIT_ENTRY(cuModuleGetFunction)(&function, module_, name), name);
  return function;
}

CUresult Module::launch(CUfunction function, Shape grid, Shape block, unsigned shared, void** parameters) {
  const CUresult code = TILEJIT_ENTRY(cuLaunchKernel)(function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                                      shared, nullptr, parameters, nullptr);
  return code != CUDA_SUCCESS ? code : TILEJIT_ENTRY(cuCtxSynchronize)();
}

Traffic traffic(const std::string& kernel, const std::string& space, const std::string& kind) {
  struct Query {
    const std::string &kernel, &space, &kind;
    Traffic sum;
  } query{kernel, space, kind, {}};
  table().visit(
      [](void* user, const EmulatedKernel* k) {
        Query& q = *static_cast<Query*>(user);
        if (q.kernel != k->name) return;
        for (std::size_t i = 0; i < k->instruction_count; ++i) {
          const EmulatedInstruction& in = k->instructions[i];
          if (q.space != in.space || q.kind != in.kind) continue;
          q.sum.requests += in.requests;
          q.sum.lanes += in.lanes;
          q.sum.sectors += in.sectors;
          q.sum.ideal_sectors += in.ideal_sectors;
          q.sum.unique_bytes += in.unique_bytes;
          q.sum.wavefronts += in.wavefronts;
          q.sum.ideal_wavefronts += in.ideal_wavefronts;
        }
      },
      &query);
  return query.sum;
}

}  // namespace tilejit::testing
