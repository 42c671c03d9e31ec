#include <tilejit/runtime/grid.h>

#include <fmt/format.h>

namespace tilejit {

Grid grid_of(const std::array<std::int64_t, 3>& programs, const Device::GridLimits& limits,
             const std::string& template_name) {
  constexpr const char* names = "xyz";
  Grid grid;
  grid.programs = programs;
  for (int axis = 0; axis < 3; ++axis) {
    if (programs[axis] < 0) {
      throw InvalidArgument(
          fmt::format("{}: grid axis {} has {} programs; none or more", template_name, names[axis], programs[axis]));
    }
  }
  if (grid.empty()) return grid;
  const std::array<std::int64_t, 3> most{limits.x, limits.y, limits.z};
  if (programs[0] > most[0]) {
    throw InvalidArgument(
        fmt::format("{}: grid axis x has {} programs, the device's limit is {}; larger blocks need fewer",
                    template_name, programs[0], most[0]));
  }
  const int over = programs[1] > most[1] ? 1 : programs[2] > most[2] ? 2 : 0;
  if (over == 0) {
    for (int axis = 0; axis < 3; ++axis) grid.blocks[axis] = static_cast<unsigned>(programs[axis]);
    return grid;
  }
  std::int64_t all = 0;
  const bool overflow =
      __builtin_mul_overflow(programs[0], programs[1], &all) || __builtin_mul_overflow(all, programs[2], &all);
  if (overflow || all > most[0]) {
    throw InvalidArgument(fmt::format(
        "{}: grid axis {} has {} programs, the device's limit is {}; folded into x they are {} x {} x {}, where it is "
        "{}; "
        "larger blocks need fewer",
        template_name, names[over], programs[over], most[over], programs[0], programs[1], programs[2], most[0]));
  }
  grid.blocks = {static_cast<unsigned>(all), 1, 1};
  grid.folded = true;
  return grid;
}

std::array<std::int64_t, 3> programs_of(const Template& kernel, const Scope& scope) {
  std::array<std::int64_t, 3> programs{1, 1, 1};
  for (std::size_t axis = 0; axis < kernel.info.grid.size() && axis < 3; ++axis) {
    programs[axis] = kernel.info.grid[axis].evaluate(scope);
  }
  return programs;
}

Grid grid_of(const Template& kernel, const Config& config, const Scope& scope, const Device::GridLimits& limits) {
  const std::string name = fmt::format("{} with {}", kernel.name, to_string(config));
  std::array<std::int64_t, 3> programs;
  try {
    programs = programs_of(kernel, scope);
  } catch (const ExpressionError& error) {
    throw InvalidArgument(fmt::format("{}: grid: {}", name, error.what()));
  }
  return grid_of(programs, limits, name);
}

}  // namespace tilejit
