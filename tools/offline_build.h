#pragma once
#include <array>
#include <string>

#include <tilejit/generator/build.h>
#include <tilejit/generator/codegen.h>
#include <tilejit/generator/specialization.h>
#include <tilejit/generator/target.h>
#include <tilejit/runtime/grid.h>
#include <tilejit/runtime/options.h>
#include <tilejit/tools/call.h>

namespace tilejit::tool {

/// The arch that show, compile and inspect take where none is given.
inline constexpr const char* default_arch = "sm_90a";

/// A call specialised for a target, without a device.
struct OfflineCall {
  Target target;
  Grid grid;  ///< within CUDA's own limits
  Specialization specialization;
};

/// InvalidArgument: the Config cannot serve this Problem on this arch (config and limit named), or the grid is beyond
/// every limit. ToolchainError: no such arch.
OfflineCall specialize_offline(const Call& call, const std::string& arch);

/// The cache that `options` name, as a Jit would open it.
StoreOptions store_options_of(const Options& options);

/// The same build path and cache that a launch takes.
BuildResult build_offline(const Call& call, const OfflineCall& offline, const Options& options);

}  // namespace tilejit::tool
