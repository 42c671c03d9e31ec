#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <tilejit/generator/dtype.h>
#include <tilejit/generator/formula.h>
#include <tilejit/generator/template_library.h>

namespace tilejit {

/// One input of an elementwise kernel.
struct ElementwiseInput {
  std::string name;
  bool scalar = false;  ///< handed over by value, in the kernel's compute type
  bool spread = false;  ///< a tensor of stride 0 along the last axis
};

/// What decides the text of an elementwise kernel beyond its formula. Tensors all have `rank` axes, the same extents.
struct ElementwiseForm {
  std::string name;            ///< the template's
  int rank = 2;                ///< 2 to 8; a tile lies in the last two axes, program ids walk through the others
  DType compute = DType::f32;  ///< f32, f64 or i64: what the formula is computed in
  std::vector<ElementwiseInput> inputs;
  std::string output;
  std::int64_t block_m = 1, block_n = 1024;  ///< the default Config
  int num_warps = 8;
  bool turned =
      false;  ///< an input has its unit stride along the last axis but one: tiles of other heights are tried too
};

/// The template: front matter and function. Its arguments are the inputs in order, then the output, each by its name
/// with '_' behind it. Same input, same bytes.
SourceFile elementwise_source(const Formula& formula, const ElementwiseForm& form);

/// The formula's nodes as C++ statements: n0, n1, ... of type `type`, where input i is called `inputs[i]`. Functions
/// are those of templates/block/formula.cuh.
std::string formula_statements(const Formula& formula, const std::string& type, const std::vector<std::string>& inputs,
                               const std::string& indent);

}  // namespace tilejit
