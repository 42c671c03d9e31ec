#pragma once
#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tilejit/runtime/emulator/counters.h>

/// The emulated device as any Driver API program sees it: opened by dlopen, entries by cuGetProcAddress.
namespace tilejit::testing {

/// The entry that cuda.h calls NAME, under its declared type.
#define TILEJIT_ENTRY(NAME) reinterpret_cast<decltype(&NAME)>(::tilejit::testing::entry(#NAME))
void* entry(const char* name);
/// Any exported symbol; null: there is none.
void* symbol(const char* name);
const EmulatedTable& table();

/// Opens the device once and makes its primary context current on this thread; a context that a fault spoilt is reset.
void use_device();

/// PTX of CUDA C++ by NVRTC. Fails the test with the log.
std::string compile(const std::string& source, const std::string& arch = "compute_90",
                    const std::vector<std::string>& options = {});

/// Device memory that goes with its owner.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t count);
  explicit Buffer(const std::vector<T>& values);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  std::vector<T> read() const;
  CUdeviceptr pointer() const { return pointer_; }

 private:
  CUdeviceptr pointer_ = 0;
  std::size_t count_;
};

CUdeviceptr allocate(std::size_t bytes);
void release(CUdeviceptr pointer);
void write(CUdeviceptr to, const void* from, std::size_t bytes);
CUresult read(void* to, CUdeviceptr from, std::size_t bytes);

template <class T>
Buffer<T>::Buffer(std::size_t count) : pointer_(allocate(count * sizeof(T))), count_(count) {}
template <class T>
Buffer<T>::Buffer(const std::vector<T>& values) : Buffer(values.size()) {
  write(pointer_, values.data(), values.size() * sizeof(T));
}
template <class T>
Buffer<T>::~Buffer() {
  release(pointer_);
}
template <class T>
std::vector<T> Buffer<T>::read() const {
  std::vector<T> out(count_);
  testing::read(out.data(), pointer_, count_ * sizeof(T));
  return out;
}

struct Shape {
  unsigned x = 1, y = 1, z = 1;
};

/// A module from PTX with its kernels.
class Module {
 public:
  explicit Module(const std::string& ptx);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  CUfunction function(const char* name) const;
  CUmodule handle() const { return module_; }

  /// Launches and synchronises; the result is the synchronising call's, which a fault shows in.
  template <class... Arguments>
  CUresult run(const char* name, Shape grid, Shape block, Arguments... arguments) const {
    return run_with(name, grid, block, 0, arguments...);
  }
  template <class... Arguments>
  CUresult run_with(const char* name, Shape grid, Shape block, unsigned shared, Arguments... arguments) const {
    void* parameters[] = {static_cast<void*>(&arguments)..., nullptr};
    return launch(function(name), grid, block, shared, parameters);
  }

 private:
  static CUresult launch(CUfunction function, Shape grid, Shape block, unsigned shared, void** parameters);
  CUmodule module_ = nullptr;
};

/// What a kernel did since the counters were reset: the sum over its loads or stores of one space.
struct Traffic {
  std::uint64_t requests = 0, lanes = 0, sectors = 0, ideal_sectors = 0, unique_bytes = 0, wavefronts = 0,
                ideal_wavefronts = 0;
};
Traffic traffic(const std::string& kernel, const std::string& space, const std::string& kind);

}  // namespace tilejit::testing
