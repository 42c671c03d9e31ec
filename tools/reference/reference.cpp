#include <tilejit/tools/reference/reference.h>

#include <array>
#include <cmath>

#include <tilejit/tools/reference/kernels.h>

namespace tilejit::tool {
namespace {

struct Row {
  std::string_view name;
  Reference reference;
};

constexpr std::array<Row, 10> rows{{
    {"column_sum", reference::column_sum},
    {"copy_2d", reference::copy_2d},
    {"copy_2d_hardcoded", reference::copy_2d_hardcoded},
    {"count_differences", reference::count_differences},
    {"global_id", reference::global_id},
    {"kinetic_energy_aos", reference::kinetic_energy_aos},
    {"kinetic_energy_soa", reference::kinetic_energy_soa},
    {"matmul_row", reference::matmul_row},
    {"row_sum", reference::row_sum},
    {"vector_add", reference::vector_add},
}};

}  // namespace

Reference reference_for(std::string_view template_name) {
  for (const Row& row : rows)
    if (row.name == template_name) return row.reference;
  return nullptr;
}

std::vector<std::string> reference_names() {
  std::vector<std::string> names;
  for (const Row& row : rows) names.emplace_back(row.name);
  return names;
}

}  // namespace tilejit::tool
