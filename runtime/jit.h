#pragma once
#include <memory>
#include <string_view>

#include <tilejit/runtime/device.h>
#include <tilejit/runtime/jit_function.h>
#include <tilejit/runtime/options.h>

namespace tilejit {

/// Options, templates, store, tuning results and loaded kernels for one Device. Several coexist. Safe from all threads;
/// a cheap value: copies, and the JitFunctions taken from it, share one state that lives until the last of them goes.
class TILEJIT_API Jit {
 public:
  explicit Jit(const Device& device, const Options& options = {});

  /// InvalidArgument for an unknown name, TemplateError for a template that cannot be read. Equal names give functions
  /// that share their loaded kernels.
  JitFunction function(std::string_view name) const;

  const Device& device() const;
  const TemplateLibrary& templates() const;

  struct Counters {
    unsigned long compiles;    ///< NVRTC programs compiled by this Jit
    unsigned long cache_hits;  ///< kernels taken from disk
    unsigned long loads;       ///< kernels loaded
    unsigned long tunings;     ///< Problems tuned
    unsigned long trials;      ///< launches made by tuning
  };
  Counters counters() const;

  struct State;  ///< internal
  const std::shared_ptr<State>& state() const { return state_; }

 private:
  std::shared_ptr<State> state_;
};

}  // namespace tilejit
