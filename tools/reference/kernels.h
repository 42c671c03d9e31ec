#pragma once
#include <span>

#include <tilejit/tools/reference/host_tensor.h>

/// One Reference (reference.h) for each of TileJIT's own templates, under the template's name.
namespace tilejit::tool::reference {

using Tensors = std::span<const HostTensor>;
using Scalars = std::span<const double>;

void add_2d(Tensors tensors, Scalars);
void cast_2d(Tensors tensors, Scalars);
void column_sum(Tensors tensors, Scalars);
void copy_2d(Tensors tensors, Scalars);
void copy_2d_hardcoded(Tensors tensors, Scalars);  ///< what it is meant to do: the copy that copy_2d makes
void copy_3d(Tensors tensors, Scalars);
void copy_pair(Tensors tensors, Scalars);
void count_differences(Tensors tensors, Scalars scalars);
void gather_rows(Tensors tensors, Scalars);
void global_id(Tensors tensors, Scalars);
void join_argmax(Tensors tensors, Scalars);
void kinetic_energy_aos(Tensors tensors, Scalars);
void kinetic_energy_soa(Tensors tensors, Scalars);
void layernorm(Tensors tensors, Scalars scalars);
void layernorm_long(Tensors tensors, Scalars scalars);
void log_softmax(Tensors tensors, Scalars);
void log_softmax_online(Tensors tensors, Scalars);
void matmul_mma(Tensors tensors, Scalars scalars);
void matmul_row(Tensors tensors, Scalars);
void matmul_tiled(Tensors tensors, Scalars scalars);
void rmsnorm(Tensors tensors, Scalars scalars);
void rmsnorm_long(Tensors tensors, Scalars scalars);
void row_cumsum(Tensors tensors, Scalars);
void row_sum(Tensors tensors, Scalars);
void softmax(Tensors tensors, Scalars);
void softmax_online(Tensors tensors, Scalars);
void split_argmax(Tensors tensors, Scalars);
void split_max(Tensors tensors, Scalars);
void split_min(Tensors tensors, Scalars);
void split_mean(Tensors tensors, Scalars scalars);
void split_norm(Tensors tensors, Scalars);
void split_sum(Tensors tensors, Scalars);
void vector_add(Tensors tensors, Scalars);

}  // namespace tilejit::tool::reference
