#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tilejit/generator/expression.h>
#include <tilejit/generator/problem.h>
#include <tilejit/generator/target.h>
#include <tilejit/generator/template_library.h>

namespace tilejit {

/// One tuning candidate: a value for each constant in FrontMatter::constants' order, and the launch shape. A value.
struct Config {
  std::vector<std::pair<std::string, std::int64_t>> constants;
  int num_warps = 4;
  int num_stages = 1;
  auto operator<=>(const Config&) const = default;
};
TILEJIT_API std::string to_string(const Config& config);  ///< "BLOCK_M=64 BLOCK_N=64 num_warps=8 num_stages=1"

TILEJIT_API Config default_config(const FrontMatter& info);
/// `settings` ("BLOCK_M=64") laid over the default Config. InvalidArgument: unknown name, not a number.
TILEJIT_API Config config_with(const FrontMatter& info,
                               const std::vector<std::pair<std::string, std::int64_t>>& settings);

/// What is known of one tensor at compile time.
struct TensorSpecialization {
  bool present = true;
  DType dtype = DType::f32;
  int align = 16;  ///< alignment class, bytes
  int unit_axis = -1;
  std::vector<std::optional<std::int64_t>> strides;  ///< one an axis; a value: compiled in, none: a kernel parameter
  auto operator<=>(const TensorSpecialization&) const = default;
};

/// Everything that decides the generated source. A value: equal, ordered, printable.
struct Specialization {
  std::string template_name;
  std::vector<TensorSpecialization> tensors;
  std::vector<DType> scalars;
  bool folded = false;  ///< the grid's axes folded into x
  bool debug = false;   ///< device asserts and bounds
  Config config;
  auto operator<=>(const Specialization&) const = default;
};
TILEJIT_API std::string to_string(const Specialization& specialization);

/// Which strides a caller wants compiled in beyond 0 and 1: for tensor i, all it meets (empty promise) or those
/// promised.
struct FixedStrides {
  std::vector<std::optional<std::vector<std::int64_t>>>
      tensors;  ///< nullopt: dynamic; {}: whatever it meets; else a promise
};

/// Strides 0 and 1 become constants, the others stay dynamic unless fixed; an axis of extent 1 takes its contiguous
/// stride. InvalidArgument: a promise that the Problem breaks (tensor, axis, both strides), a misaligned address.
TILEJIT_API Specialization specialize(const Template& kernel, const Problem& problem, const Config& config, bool folded,
                                      const FixedStrides& fixed = {});

/// The scope in which a template's expressions are evaluated. FrontMatter::symbols.values is, in this order: sizes,
/// constants, num_warps, num_stages, sms, shared_limit; symbols.tensors: the tensor arguments in order.
class TILEJIT_API ProblemScope {
 public:
  ProblemScope(const Template& kernel, const Problem& problem, const Config& config, const Target& target);
  void set(const Config& config);
  Scope scope() const { return {values_, tensors_}; }

 private:
  std::vector<std::int64_t> values_;
  std::vector<Scope::TensorFacts> tensors_;
  std::size_t first_constant_;
};

/// Why this Config cannot serve this Problem on this Target ("where: BLOCK_M * BLOCK_N <= ... is false", "needs tma",
/// threads, shared memory): empty if it can.
TILEJIT_API std::string why_not(const Template& kernel, const ProblemScope& scope, const Config& config,
                                const Target& target);

/// All Configs of [config] that pass `where`, `needs` and the hard limits, the default first, then in the order listed.
TILEJIT_API std::vector<Config> candidates(const Template& kernel, const Problem& problem, const Target& target);

}  // namespace tilejit
