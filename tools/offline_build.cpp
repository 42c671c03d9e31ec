#include <tilejit/tools/offline_build.h>

#include <fmt/format.h>

namespace tilejit::tool {

OfflineCall specialize_offline(const Call& call, const std::string& arch) {
  constexpr Device::GridLimits cuda_limits{2147483647, 65535, 65535};
  OfflineCall offline;
  offline.target = target_of(arch);
  const ProblemScope scope(*call.kernel, call.problem, call.config, offline.target);
  if (const std::string why = why_not(*call.kernel, scope, call.config, offline.target); !why.empty()) {
    throw InvalidArgument(fmt::format("{} with {} on {}: {}", call.kernel->name, to_string(call.config), arch, why));
  }
  offline.grid = grid_of(programs_of(*call.kernel, scope.scope()), cuda_limits, call.kernel->name);
  offline.specialization = specialize(*call.kernel, call.problem, call.config, offline.grid.folded, call.fixed);
  return offline;
}

StoreOptions store_options_of(const Options& options) {
  StoreOptions store;
  store.root = options.cache_root.value_or("");
  store.log = Logger("tilejit.cache", {options.log_level.value_or(LogLevel::warning), options.log});
  return store;
}

BuildResult build_offline(const Call& call, const OfflineCall& offline, const Options& options) {
  Store store(store_options_of(options));
  const Nvrtc nvrtc(options.nvrtc.value_or(""));
  return build(*call.kernel, offline.specialization, offline.target, nvrtc, store);
}

}  // namespace tilejit::tool
