#include <algorithm>
#include <cstdio>
#include <cstring>

#include <tilejit/runtime/emulator/driver/entered.h>
#include <tilejit/runtime/emulator/driver/load.h>
#include <tilejit/runtime/emulator/driver/resources.h>

/// Launches. The kernel has run when the call returns; a fault shows from the next call on, as on a GPU.
using namespace tilejit::emulator;

namespace {

CUresult code_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::out_of_bounds:
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    case FaultKind::misaligned:
      return CUDA_ERROR_MISALIGNED_ADDRESS;
    case FaultKind::assertion:
      return CUDA_ERROR_ASSERT;
    case FaultKind::unsupported:
      return CUDA_ERROR_ILLEGAL_INSTRUCTION;
    default:
      return CUDA_ERROR_LAUNCH_FAILED;
  }
}

/// The arguments' bytes, from pointers to each or from one buffer.
CUresult pack(const Program& program, void** parameters, void** extra, std::vector<std::byte>& out) {
  out.assign(program.param_bytes, std::byte{0});
  if (parameters != nullptr) {
    for (std::size_t k = 0; k < program.param_offsets.size(); ++k) {
      if (parameters[k] == nullptr) return CUDA_ERROR_INVALID_VALUE;
      std::memcpy(out.data() + program.param_offsets[k], parameters[k], program.param_sizes[k]);
    }
    return CUDA_SUCCESS;
  }
  if (extra == nullptr) return program.param_bytes == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  const void* buffer = nullptr;
  std::size_t size = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = extra[1];
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      size = *static_cast<std::size_t*>(extra[1]);
    else
      return CUDA_ERROR_INVALID_VALUE;
  }
  if (buffer == nullptr || size < program.param_bytes) return CUDA_ERROR_INVALID_VALUE;
  std::memcpy(out.data(), buffer, program.param_bytes);
  return CUDA_SUCCESS;
}

CUresult check(const Device& d, const CUfunc_st& f, const Program& program, const CUlaunchConfig& c) {
  const std::uint64_t threads = std::uint64_t{c.blockDimX} * c.blockDimY * c.blockDimZ;
  if (c.gridDimX == 0 || c.gridDimY == 0 || c.gridDimZ == 0 || threads == 0) return CUDA_ERROR_INVALID_VALUE;
  if (c.gridDimX > 2147483647u || c.gridDimY > 65535 || c.gridDimZ > 65535) return CUDA_ERROR_INVALID_VALUE;
  if (c.blockDimX > 1024 || c.blockDimY > 1024 || c.blockDimZ > 64 || threads > 1024) return CUDA_ERROR_INVALID_VALUE;
  if (threads > static_cast<std::uint64_t>(program.max_threads)) return CUDA_ERROR_INVALID_VALUE;
  const int* wanted = program.required_threads;
  if (wanted[0] != 0 && (static_cast<int>(c.blockDimX) != wanted[0] || static_cast<int>(c.blockDimY) != wanted[1] ||
                         static_cast<int>(c.blockDimZ) != wanted[2])) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const std::int64_t allowed =
      f.max_dynamic_shared > 0 ? f.max_dynamic_shared : d.facts.shared_per_block - program.shared_bytes;
  if (static_cast<std::int64_t>(c.sharedMemBytes) > allowed) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned k = 0; k < c.numAttrs; ++k) {
    const CUlaunchAttribute& a = c.attrs[k];
    if (a.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION &&
        (a.value.clusterDim.x > 1 || a.value.clusterDim.y > 1 || a.value.clusterDim.z > 1)) {
      return CUDA_ERROR_NOT_SUPPORTED;
    }
    if (a.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE && a.value.cooperative != 0) return CUDA_ERROR_NOT_SUPPORTED;
  }
  return CUDA_SUCCESS;
}

void keep(Device& d, CUctx_st& context, const Outcome& outcome) {
  std::fwrite(outcome.printed.data(), 1, outcome.printed.size(), stdout);
  std::fflush(stdout);
  if (!outcome.fault) return;
  const std::string report = "emulated device: " + outcome.fault->text;
  std::fwrite(report.data(), 1, report.size(), stderr);
  const std::lock_guard lock(d.mutex);
  d.last_report = outcome.fault->text;
  context.report = outcome.fault->text;
  context.failed = code_of(outcome.fault->kind);
}

CUresult start(const CUlaunchConfig& c, CUfunction f, void** parameters, void** extra) {
  return in_context([&](Device& d, CUctx_st& context) {
    if (f == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    const std::shared_ptr<const Program> program = program_of(d, *f);
    if (const CUresult code = check(d, *f, *program, c); code != CUDA_SUCCESS) return code;
    Launch launch;
    launch.program = program.get();
    launch.grid[0] = c.gridDimX, launch.grid[1] = c.gridDimY, launch.grid[2] = c.gridDimZ;
    launch.block[0] = c.blockDimX, launch.block[1] = c.blockDimY, launch.block[2] = c.blockDimZ;
    launch.dynamic_shared = c.sharedMemBytes;
    launch.memory = &d.memory;
    if (const CUresult code = pack(*program, parameters, extra, launch.params); code != CUDA_SUCCESS) return code;
    const std::lock_guard lock(d.launching);
    launch.schedule = d.schedule;
    launch.number = ++d.launches;
    if (!launch.schedule.check_unwritten) d.memory.forget_written();
    const Outcome outcome = run(launch);
    d.counts[program].add(outcome.counts);
    keep(d, context, outcome);
    return CUDA_SUCCESS;
  });
}

CUlaunchConfig config_of(unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                         unsigned shared) {
  CUlaunchConfig c{};
  c.gridDimX = gx, c.gridDimY = gy, c.gridDimZ = gz;
  c.blockDimX = bx, c.blockDimY = by, c.blockDimZ = bz;
  c.sharedMemBytes = shared;
  return c;
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f, void** parameters, void** extra) {
  if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return start(*config, f, parameters, extra);
}

CUresult CUDAAPI cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                unsigned bz, unsigned shared, CUstream, void** parameters, void** extra) {
  return start(config_of(gx, gy, gz, bx, by, bz, shared), f, parameters, extra);
}

CUresult CUDAAPI cuTensorMapEncodeTiled(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                        const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                                        CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  return CUDA_ERROR_NOT_SUPPORTED;  // a device without TMA
}

CUresult CUDAAPI cuLaunchCooperativeKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                           unsigned, CUstream, void**) {
  return in_context([](Device&, CUctx_st&) { return CUDA_ERROR_NOT_SUPPORTED; });
}
}
