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

  /// An op (docs/ops.md: any views, several kernels where need be) or a template. InvalidArgument for an unknown name,
  /// TemplateError for a template that cannot be read. Equal names give functions that share their loaded kernels.
  /// A user's template goes before an op of its name, an op before a template of ours.
  JitFunction function(std::string_view name) const;

  /// The template itself, also where an op has its name.
  JitFunction template_function(std::string_view name) const;

  /// "out = gelu(x * alpha + bias)": a kernel that computes the formula element by element. Called with the inputs in
  /// order of first appearance, then the output; inputs broadcast as in NumPy, each a tensor or a number. The output
  /// may be exactly one of the inputs. FormulaError: it does not parse (docs/ops.md has the grammar).
  JitFunction elementwise(std::string_view formula) const;

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
