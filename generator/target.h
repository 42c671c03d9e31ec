#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tilejit/cache/export.h>

namespace tilejit {

/// Facts of a device as plain data; the generator never asks a device.
struct Target {
  std::string arch = "sm_90";  ///< as NVRTC spells it, suffix included: "sm_90a"
  bool ptx_only = false;       ///< the loader takes PTX (emulated device, or a GPU newer than NVRTC); no cubin is made
  bool ptx_if_newer = false;   ///< a GPU's: where NVRTC does not know its arch, PTX of the newest one below it is made
  std::vector<std::string> features;   ///< tma, cluster, wgmma, setmaxnreg, fp8_convert, bf16_arithmetic, mma
  int sms = 132;                       ///< multiprocessors
  std::int64_t shared_limit = 232448;  ///< bytes of shared memory a block may use (opt-in limit)
  int registers_per_block = 65536;
  int threads_limit = 1024;  ///< threads a block

  bool has(std::string_view feature) const;
};

/// Facts of an arch without a device ("sm_90a", "sm_80", ...; "compute_80": PTX alone), for compile and inspect. Counts
/// that differ between devices of one arch are those of its best-known one. ToolchainError: not an arch name.
TILEJIT_API Target target_of(std::string_view arch);

}  // namespace tilejit
