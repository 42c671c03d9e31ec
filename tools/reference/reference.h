#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tilejit/tools/reference/host_tensor.h>

namespace tilejit::tool {

/// What a template computes, slow and obvious: reads the inputs among `tensors` (in call order, shapes as the template
/// declares them) and the scalars, behind which stand the constants that [config] leaves no choice in, and writes the
/// outputs. Floats are computed in double and rounded once, to the
/// output's dtype; integers in 64 bits, and wrap to the output's.
using Reference = void (*)(std::span<const HostTensor> tensors, std::span<const double> scalars);

/// nullptr: TileJIT has no template of this name, or no reference for it.
Reference reference_for(std::string_view template_name);

/// The templates that have one, sorted.
std::vector<std::string> reference_names();

}  // namespace tilejit::tool
