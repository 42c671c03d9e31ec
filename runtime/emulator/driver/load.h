#pragma once
#include <string>

#include <tilejit/runtime/emulator/driver/device.h>

namespace tilejit::emulator {

/// Reads PTX into `module` and gives its variables memory. On an error `log` says what and where.
CUresult load(Device& device, const void* code, CUmod_st& module, std::string& log);
void unload(Device& device, CUmod_st& module);

/// The kernel decoded, the first time now.
std::shared_ptr<const Program> program_of(Device& device, CUfunc_st& function);

/// Puts `log` where the caller's options want it.
void write_log(const std::string& log, CUjit_option* options, void** values, unsigned count);

}  // namespace tilejit::emulator
