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

constexpr auto rows = std::to_array<Row>({
    {"add_2d", reference::add_2d},
    {"cast_2d", reference::cast_2d},
    {"column_sum", reference::column_sum},
    {"copy_2d", reference::copy_2d},
    {"copy_2d_hardcoded", reference::copy_2d_hardcoded},
    {"copy_2d_unaligned", reference::copy_2d},
    {"copy_3d", reference::copy_3d},
    {"copy_pair", reference::copy_pair},
    {"count_differences", reference::count_differences},
    {"gather_rows", reference::gather_rows},
    {"global_id", reference::global_id},
    {"join_argmax", reference::join_argmax},
    {"kinetic_energy_aos", reference::kinetic_energy_aos},
    {"kinetic_energy_soa", reference::kinetic_energy_soa},
    {"layernorm", reference::layernorm},
    {"layernorm_cluster", reference::layernorm_long},
    {"layernorm_long", reference::layernorm_long},
    {"log_softmax", reference::log_softmax},
    {"log_softmax_cluster", reference::log_softmax_online},
    {"log_softmax_online", reference::log_softmax_online},
    {"matmul_mma", reference::matmul_mma},
    {"matmul_row", reference::matmul_row},
    {"matmul_tiled", reference::matmul_tiled},
    {"matmul_wgmma", reference::matmul_tiled},
    {"rmsnorm", reference::rmsnorm},
    {"rmsnorm_cluster", reference::rmsnorm_long},
    {"rmsnorm_long", reference::rmsnorm_long},
    {"row_cumsum", reference::row_cumsum},
    {"row_sum", reference::row_sum},
    {"softmax", reference::softmax},
    {"softmax_cluster", reference::softmax_online},
    {"softmax_online", reference::softmax_online},
    {"split_argmax", reference::split_argmax},
    {"split_max", reference::split_max},
    {"split_mean", reference::split_mean},
    {"split_min", reference::split_min},
    {"split_norm", reference::split_norm},
    {"split_sum", reference::split_sum},
    {"vector_add", reference::vector_add},
});

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
