#pragma once
#include <array>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <tilejit/generator/object_code.h>
#include <tilejit/generator/specialization.h>
#include <tilejit/runtime/scalar.h>
#include <tilejit/runtime/stream.h>
#include <tilejit/runtime/tensor.h>
#include <tilejit/runtime/tensor_view.h>
#include <tilejit/runtime/tuning/tuning_result.h>

namespace tilejit {

/// One argument of a call: a tensor view (or an absent one, for an optional tensor), or a scalar.
class TILEJIT_API Argument {
 public:
  Argument(const TensorView& tensor) : tensor_(&tensor) {}
  Argument(const Tensor& tensor) : tensor_(&tensor.view()) {}
  Argument(std::nullptr_t) : tensor_(&absent) {}
  template <class T>
  requires std::is_arithmetic_v<T> Argument(T value) : scalar_(value) {}
  template <class T>
  requires std::is_enum_v<T> Argument(T value) : scalar_(std::underlying_type_t<T>(value)) {}  ///< Activation::gelu
  const TensorView* tensor() const { return tensor_; }                                         ///< nullptr: a scalar
  const Scalar& scalar() const { return scalar_; }

 private:
  static const TensorView absent;
  const TensorView* tensor_ = nullptr;  ///< borrowed for the call
  Scalar scalar_;
};

/// A call whose checks, kernel and grid are settled: launching it again costs a launch. Holds copies of views and
/// scalars; the memory behind them must stay. Move-only, one thread at a time.
class TILEJIT_API BoundLaunch {
 public:
  BoundLaunch(BoundLaunch&&) noexcept;
  BoundLaunch& operator=(BoundLaunch&&) noexcept;
  ~BoundLaunch();
  /// A workspace comes from the Jit's allocator, and goes back to it, on the same stream.
  void operator()(StreamRef stream) const;
  /// In workspace_bytes() of the caller's: contiguous, aligned to 16 bytes, and no argument's (else InvalidArgument).
  void operator()(StreamRef stream, const TensorView& workspace) const;
  std::size_t workspace_bytes() const;  ///< what the plan needs beyond the caller's tensors; 0 for a template
  const Config& config() const;         ///< of an op: its main step's

 private:
  friend class JitFunction;
  struct Impl;
  explicit BoundLaunch(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// The handle that a user keeps and calls. A cheap value; copies share state. Several host threads may call one at a
/// time.
class TILEJIT_API JitFunction {
 public:
  /// Checks, then launches on `stream`; the first call of a kind compiles, tunes (as Options say) and loads. Errors
  /// throw and launch nothing: InvalidArgument, CompileError, ToolchainError, CudaError, NotPrepared (capturing stream,
  /// not prepared).
  template <class... Args>
  void operator()(StreamRef stream, const Args&... args) const {
    const std::array<Argument, sizeof...(Args)> list{Argument(args)...};
    call(stream, list);
  }
  void call(StreamRef stream, std::span<const Argument> args) const;

  /// Compiles, tunes and loads what the call would need; writes none of the caller's tensors.
  template <class... Args>
  void prepare(StreamRef stream, const Args&... args) const {
    const std::array<Argument, sizeof...(Args)> list{Argument(args)...};
    prepare_call(stream, list);
  }
  void prepare_call(StreamRef stream, std::span<const Argument> args) const;

  template <class... Args>
  BoundLaunch bind(StreamRef stream, const Args&... args) const {
    const std::array<Argument, sizeof...(Args)> list{Argument(args)...};
    return bind_call(stream, list);
  }
  BoundLaunch bind_call(StreamRef stream, std::span<const Argument> args) const;

  /// Tunes now, whatever is stored, and keeps the result.
  TuningResult tune_call(StreamRef stream, std::span<const Argument> args) const;
  /// What a call with these arguments would run, and where that choice comes from; compiles nothing.
  struct Choice {
    Config config;
    std::string why;
    std::vector<std::string> plan = {};  ///< of an op: which templates were passed over and why, then its steps
  };
  Choice choice(std::span<const Argument> args) const;

  /// A function that compiles in whatever strides `argument` meets.
  JitFunction fix_strides(std::string_view argument) const;
  /// A promise: calls with other strides throw InvalidArgument.
  JitFunction fix_strides(std::string_view argument, std::initializer_list<std::int64_t> strides) const;
  /// A function that always runs this Config (a setting for each name given, the default's values elsewhere) and never
  /// tunes.
  JitFunction with_config(const std::vector<std::pair<std::string, std::int64_t>>& settings) const;
  /// A function that launches this many programs along x, y, z whatever the template's grid says; it never tunes.
  JitFunction with_grid(std::array<std::int64_t, 3> programs) const;

  /// A function that runs debug builds: the block library's asserts are compiled in (an index or an offset outside of
  /// its tensor ends the launch with a message). Never tunes; slower.
  JitFunction with_debug() const;

  const std::string& name() const;
  bool is_op() const;
  const Template& kernel_template() const;  ///< of an op: what it declares; there is no source
  /// What runs for these arguments: builds and loads if needed.
  ObjectCode object_code(std::span<const Argument> args) const;

  struct State;  ///< internal
  explicit JitFunction(std::shared_ptr<const State> state);
  ~JitFunction();
  JitFunction(const JitFunction&);
  JitFunction& operator=(const JitFunction&);

 private:
  std::shared_ptr<const State> state_;
};

}  // namespace tilejit
