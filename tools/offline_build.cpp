#include <tilejit/tools/offline_build.h>

#include <fmt/format.h>

namespace tilejit::tool {

OfflineCall specialize_offline(const Call& call, const std::string& arch) {
  constexpr Device::GridLimits cuda_limits{2147483647, 65535, 65535};
  OfflineCall offline;
  offline.target = target_of(arch);
  Config config = call.config;
  ProblemScope scope(*call.kernel, call.problem, config, offline.target);
  if (const std::string why = why_not(*call.kernel, scope, config, offline.target); !why.empty()) {
    const std::vector<Config> others = candidates(*call.kernel, call.problem, offline.target);
    if (!call.settings.empty() || others.empty()) {
      throw InvalidArgument(fmt::format("{} with {} on {}: {}", call.kernel->name, to_string(config), arch, why));
    }
    config = others.front();  // as a call does that was not tuned
    scope.set(config);
  }
  offline.grid = grid_of(*call.kernel, config, scope.scope(), cuda_limits);
  offline.specialization = specialize(*call.kernel, call.problem, config, offline.grid.folded, call.fixed);
  offline.specialization.debug = call.debug;
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
