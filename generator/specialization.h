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
/// `settings` ("BLOCK_M=64") laid over the default Config; a value need not be among [config]'s candidates.
/// InvalidArgument: an unknown name (with the nearest known ones), one given twice, a value that it cannot have.
TILEJIT_API Config config_with(const FrontMatter& info,
                               const std::vector<std::pair<std::string, std::int64_t>>& settings);

/// What is known of one tensor at compile time.
struct TensorSpecialization {
  bool present = true;
  DType dtype = DType::f32;
  int align = 16;  ///< alignment class, bytes
  int unit_axis = -1;
  bool mapped = false;                               ///< through a TMA map
  std::vector<std::optional<std::int64_t>> strides;  ///< one an axis; a value: compiled in, none: a kernel parameter
  auto operator<=>(const TensorSpecialization&) const = default;
};

/// Everything that decides the generated source. A value: equal, ordered, printable.
struct Specialization {
  std::string template_name;
  std::vector<TensorSpecialization> tensors;
  std::vector<ScalarProblem> scalars;
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

/// Strides 0 and 1 become constants, the others stay dynamic unless fixed. An axis of extent 1 makes no variant of its
/// own: its stride stays dynamic (1 where it is the unit-stride axis), its contiguous one where fixed, and keeps any
/// promise. A tensor that goes through a TMA map brings its dtype, rank and unit axis alone. InvalidArgument: what
/// sizes_of refuses; a promise that the Problem breaks (tensor, axis, both strides); a misaligned address; a tensor
/// that no TMA map can describe.
TILEJIT_API Specialization specialize(const Template& kernel, const Problem& problem, const Config& config, bool folded,
                                      const FixedStrides& fixed = {});

/// The scope in which a template's expressions are evaluated. FrontMatter::symbols.values is, in this order: sizes,
/// constants, num_warps, num_stages, sms, shared_limit; symbols.tensors: the tensor arguments in order. Strides are
/// settled_strides. InvalidArgument: what sizes_of refuses.
class TILEJIT_API ProblemScope {
 public:
  ProblemScope(const Template& kernel, const Problem& problem, const Config& config, const Target& target);
  void set(const Config& config);  ///< of the same template
  Scope scope() const { return {values_, tensors_}; }

 private:
  std::vector<std::int64_t> values_;
  std::vector<Scope::TensorFacts> tensors_;
  std::size_t first_constant_;
};

/// A condition of `where` or `requires` that names a tensor which is left out does not count.
TILEJIT_API bool counts(const Expression& condition, const Scope& scope);

/// The first condition of `requires` that does not hold; nullptr: all do.
TILEJIT_API const Expression* broken_requirement(const FrontMatter& info, const Scope& scope);

/// Why this Config cannot serve this Problem on this Target ("where: BLOCK_M * BLOCK_N <= ... is false", "needs tma",
/// requires, threads, dynamic shared memory, cluster, min_blocks, TMA box and swizzle): empty if it can. An expression
/// that overflows or divides by zero is such a reason. `scope` is for this Problem and Target, with any Config.
TILEJIT_API std::string why_not(const Template& kernel, const ProblemScope& scope, const Config& config,
                                const Target& target);

/// All Configs of [config] for which why_not is empty, the default first (where it is one of them), then in the order
/// listed, the last axis fastest.
TILEJIT_API std::vector<Config> candidates(const Template& kernel, const Problem& problem, const Target& target);

}  // namespace tilejit
