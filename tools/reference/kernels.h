#pragma once
#include <span>

#include <tilejit/tools/reference/host_tensor.h>

/// One Reference (reference.h) for each of TileJIT's own templates, under the template's name.
namespace tilejit::tool::reference {

using Tensors = std::span<const HostTensor>;
using Scalars = std::span<const double>;

void column_sum(Tensors tensors, Scalars);
void copy_2d(Tensors tensors, Scalars);
void copy_2d_hardcoded(Tensors tensors, Scalars);  ///< what it is meant to do: the copy that copy_2d makes
void count_differences(Tensors tensors, Scalars scalars);
void global_id(Tensors tensors, Scalars);
void kinetic_energy_aos(Tensors tensors, Scalars);
void kinetic_energy_soa(Tensors tensors, Scalars);
void matmul_row(Tensors tensors, Scalars);
void row_sum(Tensors tensors, Scalars);
void vector_add(Tensors tensors, Scalars);

}  // namespace tilejit::tool::reference
