#pragma once
#include <array>
#include <cstdint>
#include <string>

#include <tilejit/generator/specialization.h>
#include <tilejit/runtime/device.h>

namespace tilejit {

/// Programs along each axis, and how they are launched.
struct Grid {
  std::array<std::int64_t, 3> programs{1, 1, 1};  ///< as the template's `grid` says
  std::array<unsigned, 3> blocks{1, 1, 1};        ///< as launched: programs, or all of them along x where folded
  bool folded = false;
  bool empty() const { return programs[0] == 0 || programs[1] == 0 || programs[2] == 0; }
};

/// Folds into x where y or z pass their limit. InvalidArgument: a negative count, or a product beyond x's limit (axis,
/// count, limit named).
Grid grid_of(const std::array<std::int64_t, 3>& programs, const Device::GridLimits& limits,
             const std::string& template_name);

/// The template's `grid` expressions evaluated.
std::array<std::int64_t, 3> programs_of(const Template& kernel, const Scope& scope);

/// The same of a Config, whose constants `scope` holds. InvalidArgument, which names template and Config, also where an
/// expression overflows or divides by zero.
Grid grid_of(const Template& kernel, const Config& config, const Scope& scope, const Device::GridLimits& limits);

}  // namespace tilejit
