#pragma once
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <tilejit/runtime/emulator/driver/api.h>
#include <tilejit/runtime/emulator/kernel/image.h>
#include <tilejit/runtime/emulator/kernel/program.h>

/// What the Driver API's handles point to.

struct CUctx_st {
  bool primary = false;
  int retained = 0;  ///< of the primary one
  unsigned flags = 0;
  unsigned long long id = 0;
  std::atomic<CUresult> failed{CUDA_SUCCESS};  ///< what a kernel's fault left; it stays
  std::string report;                          ///< that fault's words
  std::map<CUlimit, size_t> limits;
};

struct CUstream_st {
  CUcontext context = nullptr;
  unsigned flags = 0;
  int priority = 0;
  unsigned long long id = 0;
};

struct CUevent_st {
  CUcontext context = nullptr;
  unsigned flags = 0;
  bool recorded = false;
  std::chrono::steady_clock::time_point at;
};

struct CUmod_st;

struct CUfunc_st {
  CUmod_st* module = nullptr;
  const tilejit::ptx::Function* function = nullptr;
  std::string name;
  std::shared_ptr<const tilejit::emulator::Program> program;
  int max_dynamic_shared = 0, carveout = -1;
};

/// A kernel is its function: a CUkernel may be launched as a CUfunction.
struct CUkern_st : CUfunc_st {};

struct CUmod_st {
  CUcontext context = nullptr;  ///< null: of a library
  tilejit::emulator::Image image;
  std::vector<CUdeviceptr> memory;  ///< of its variables
  std::map<std::string, std::unique_ptr<CUkern_st>, std::less<>> kernels;
};

struct CUlib_st {
  CUmod_st module;
};
