#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <tilejit/generator/specialization.h>
#include <tilejit/generator/target.h>
#include <tilejit/generator/template_library.h>

namespace tilejit {

/// One parameter of the generated entry, in order: TMA maps, data pointers, sizes, strides, scalars, the grid's
/// extents. All are 8 bytes but scalars (their dtype's size) and maps (128, aligned to 64); natural alignment.
struct Parameter {
  enum class Kind { pointer, size, stride, scalar, grid, tensor_map } kind;
  int index =
      0;  ///< tensor; size in FrontMatter::sizes; scalar; grid axis (only where folded: the unfolded extents x, y, z)
  int axis = 0;    ///< of a stride
  int offset = 0;  ///< bytes from the first parameter
  int size = 8;    ///< bytes
  bool operator==(const Parameter&) const = default;
};

/// One translation unit for NVRTC.
struct GeneratedSource {
  std::string text;
  std::string name;   ///< virtual absolute: "/tilejit/generated/copy_2d.cu"
  std::string entry;  ///< the extern "C" kernel: the template's name + "_kernel"
  std::vector<Parameter> parameters;
  int parameter_bytes = 0;
  int threads = 128;  ///< 32 * num_warps
  std::vector<SourceFile> headers;
  std::vector<std::string> options;  ///< the template's own, for NVRTC
};

/// Constants as constexpr, one view type a tensor, the template under its own name and lines, one entry. Same input,
/// same bytes. The form of the text is the contract with templates/block/tensor.cuh. Every pointer is __restrict__, as
/// a call in which a written tensor overlaps another argument is refused before. InvalidArgument: a feature in `needs`
/// that the target has not, a Specialization of another template, a min_blocks, box or swizzle out of range with this
/// Config.
TILEJIT_API GeneratedSource generate(const Template& kernel, const Specialization& specialization,
                                     const Target& target);

/// The parameters alone, as generate() would give them.
TILEJIT_API std::vector<Parameter> parameters_of(const Template& kernel, const Specialization& specialization);

}  // namespace tilejit
