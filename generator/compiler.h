#pragma once
#include <string>
#include <vector>

#include <tilejit/generator/codegen.h>
#include <tilejit/generator/nvrtc.h>
#include <tilejit/generator/object_code.h>
#include <tilejit/generator/target.h>

namespace tilejit {

/// The options as NVRTC sees them: --gpu-architecture, --std=c++20, --no-source-include, --fmad=false, --minimal
/// (no textures and no runtime API in device code: saves a fifth of an empty compile), -lineinfo, ptxas -v (real
/// archs), the template's own. They are part of the key. What depends on NVRTC's version (--no-cache from 12.9 on)
/// compile() adds itself: NVRTC's identity is in the key, and asking for its version would load it.
TILEJIT_API std::vector<std::string> nvrtc_options(const GeneratedSource& source, const Target& target);

/// Source to object code: a cubin for a real arch with its PTX beside it, or PTX alone. Every header comes from memory.
/// Throws CompileError (first error on the template's own line, log, source) and ToolchainError (an arch NVRTC does not
/// know, with the supported list; its builtins missing). Where Target::ptx_if_newer allows it, an arch that NVRTC does
/// not know becomes PTX of the newest one below it, and ObjectCode::arch says which. Safe from all threads.
TILEJIT_API ObjectCode compile(const Nvrtc& nvrtc, const GeneratedSource& source, const Target& target);

}  // namespace tilejit
