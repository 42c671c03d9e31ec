#pragma once
#include <cuda.h>

#include <memory>
#include <string>

#include <tilejit/generator/nvrtc.h>
#include <tilejit/runtime/device.h>

namespace tilejit::bench {

struct Dim {
  unsigned x = 1, y = 1, z = 1;
};

/// CUDA C++ of a file, compiled for a device and loaded there.
class EmulatedModule {
 public:
  /// InvalidArgument: no such file. CompileError is an Error with NVRTC's log here.
  EmulatedModule(const Device& device, const Nvrtc& nvrtc, const std::string& file);
  EmulatedModule(const EmulatedModule&) = delete;
  EmulatedModule& operator=(const EmulatedModule&) = delete;
  ~EmulatedModule();

  CUfunction function(const char* name) const;
  void launch(CUfunction function, Dim grid, Dim block, void** parameters) const;

 private:
  Device device_;
  CUlibrary library_ = nullptr;
};

}  // namespace tilejit::bench
