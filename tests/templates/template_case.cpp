#include <tilejit/tests/templates/template_case.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include <tilejit/tests/templates/problems.h>

namespace tilejit::test {
namespace {

using Strides = std::vector<std::int64_t>;

/// A fixture's sizes where they count, and its dtypes: all by default.
struct Special {
  std::map<std::string, std::int64_t> sizes;
  std::vector<DType> dtypes;
};
const std::map<std::string, Special>& specials() {
  static const std::map<std::string, Special> all{
      {"words_math", {{{"K", 24}}, {DType::f32, DType::f64, DType::bf16}}},
      {"words_trigonometry", {{}, {DType::f32}}},
      {"words_logic", {{{"K", 19}}, {DType::f32, DType::f16, DType::i8}}},
      {"words_broadcast", {{{"K", 9}}, {DType::f32, DType::bf16}}},
      {"words_reduce", {{{"M", 8}, {"N", 64}}, {DType::f32, DType::i8, DType::f16}}},
      {"words_offsets", {{{"V", 14}, {"M", 14}, {"N", 72}}, {DType::f32, DType::bf16}}},
      // Sums of floats by atomics come in any order.
      {"words_atomics", {{}, {DType::i32, DType::i64}}},
      {"words_dot", {{}, {DType::f32, DType::bf16, DType::f16, DType::i8}}},
      {"any_copy_2d", {{}, {DType::f32, DType::u8}}},
      {"bias_gelu", {{}, {DType::f32, DType::bf16}}},
      {"embedding", {{}, {DType::f32, DType::u8}}},
      {"scatter_1d", {{}, {DType::f32, DType::u8}}},
      {"shift_2d", {{}, {DType::i32}}},
      {"row_softmax", {{}, {}}},
  };
  return all;
}

std::int64_t extent_of(const std::string& name, const Dimension& dimension) {
  if (dimension.name.empty()) return dimension.extent;
  const auto special = specials().find(name);
  if (special != specials().end())
    if (const auto size = special->second.sizes.find(dimension.name); size != special->second.sizes.end())
      return size->second;
  static const std::map<std::string, std::int64_t> sizes{{"M", 37}, {"N", 200}, {"K", 70}, {"S", 3}};
  const auto size = sizes.find(dimension.name);
  return size == sizes.end() ? 21 : size->second;
}

const std::vector<std::string> kinds{"contiguous", "transposed", "padded", "stepped", "offset"};

ViewSpec view_of(DType dtype, const std::vector<std::int64_t>& shape, const std::string& kind) {
  ViewSpec view{dtype, shape, Strides(shape.size()), kind == "offset" ? 1 : 0};
  std::int64_t stride = kind == "stepped" ? 2 : 1;
  const std::size_t rank = shape.size();
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t axis = kind == "transposed" ? i : rank - 1 - i;
    view.strides[axis] = stride;
    stride *= shape[axis] + (i == 0 && kind == "padded" ? 16 : 0);
  }
  return view;
}

bool is_index(const ArgumentInfo& argument) {
  return argument.access == Access::read && !argument.dtypes.empty() &&
         std::none_of(argument.dtypes.begin(), argument.dtypes.end(), is_floating);
}

/// Tensors that name no dtype of their own have `dtype`, outputs that may be anything `to`. Views of another kind are
/// all tensors', but for transposed ones, which are read and written along rows.
TemplateCase case_of(const Template& kernel, DType dtype, DType to, const std::string& kind, Values values,
                     bool optional) {
  TemplateCase call;
  call.dtypes = std::string(name_of(dtype)) + (to == dtype ? "" : " to " + std::string(name_of(to)));
  call.layout = kind;
  if (values == Values::bits) call.rest += ", any bits";
  if (!optional) call.rest += ", without what is optional";
  std::map<std::string, DType> dtypes;
  for (const ArgumentInfo& argument : kernel.info.arguments) {
    if (argument.kind != ArgumentInfo::Kind::tensor) continue;
    DType own = argument.access == Access::write ? to : dtype;
    if (!argument.same_dtype_as.empty()) own = dtypes.at(argument.same_dtype_as);
    if (!argument.dtypes.empty() &&
        std::find(argument.dtypes.begin(), argument.dtypes.end(), own) == argument.dtypes.end())
      own = argument.dtypes.front();
    dtypes[argument.name] = own;
    std::vector<std::int64_t> shape;
    for (const Dimension& dimension : argument.shape) shape.push_back(extent_of(kernel.name, dimension));
    const bool along_rows = kind == "transposed" && (argument.access != Access::read || shape.size() < 2);
    ViewSpec view = view_of(own, shape, along_rows ? "contiguous" : kind);
    view.output = argument.access == Access::write;
    view.absent = argument.optional && !optional;
    call.views.push_back(view);
    call.results.push_back(argument.access != Access::read);
    call.values.push_back(is_index(argument) && values == Values::digits ? Values::small : values);
  }
  return call;
}

bool has(const Template& kernel, bool (*what)(const ArgumentInfo&)) {
  return std::any_of(kernel.info.arguments.begin(), kernel.info.arguments.end(), what);
}
bool has_free_output(const Template& kernel) {
  return has(kernel, [](const ArgumentInfo& argument) {
    return argument.access == Access::write && argument.same_dtype_as.empty() && argument.dtypes.empty();
  });
}
bool has_axes(const Template& kernel) {
  return has(kernel, [](const ArgumentInfo& argument) { return argument.shape.size() > 1; });
}
bool has_optional(const Template& kernel) {
  return has(kernel, [](const ArgumentInfo& argument) { return argument.optional; });
}

/// Those that move, compare and round elements: NaNs, infinities and subnormals come out as they must.
bool takes_any_bits(const std::string& name) {
  static const std::set<std::string> names{
      "split_min", "copy_2d",   "copy_3d",          "copy_2d_hardcoded", "cast_2d",
      "add_2d",    "split_max", "vector_add",       "split_argmax",      "count_differences",
      "scale",     "copy_pair", "copy_2d_unaligned"};
  return names.contains(name);
}

std::vector<DType> outputs_for(const Template& kernel, DType dtype) {
  if (!has_free_output(kernel)) return {dtype};
  if (kernel.name == "cast_2d" && (dtype == DType::f32 || dtype == DType::i64))
    return {all_dtypes().begin(), all_dtypes().end()};
  std::vector<DType> outputs{dtype};
  if (dtype == DType::bf16 || dtype == DType::f8e4m3 || kernel.name == "cast_2d") outputs.push_back(DType::f32);
  if (dtype == DType::u8) outputs.push_back(DType::i64);
  return outputs;
}

}  // namespace

std::vector<std::string> compared_templates() {
  std::vector<std::string> names = TemplateLibrary().names();
  for (const auto& [name, special] : specials()) names.push_back(name);
  return names;
}

std::vector<TemplateCase> cases_of(const Template& kernel) {
  std::vector<DType> dtypes = dtypes_of(kernel);
  if (const auto special = specials().find(kernel.name); special != specials().end())
    if (!special->second.dtypes.empty()) dtypes = special->second.dtypes;
  std::vector<TemplateCase> cases;
  const auto add = [&](DType dtype, DType to, const std::string& kind, bool optional = true) {
    // Random digits are never equal, which is what count_differences looks for.
    const Values values = kernel.name == "count_differences" ? Values::quarters : Values::digits;
    cases.push_back(case_of(kernel, dtype, to, kind, values, optional));
    if (takes_any_bits(kernel.name)) cases.push_back(case_of(kernel, dtype, to, kind, Values::bits, optional));
  };
  for (const DType dtype : dtypes)
    for (const DType to : outputs_for(kernel, dtype)) add(dtype, to, "contiguous");
  if (has_optional(kernel)) add(dtypes.front(), dtypes.front(), "contiguous", false);
  for (const std::string& kind : kinds)
    for (const DType dtype : dtypes) {
      if (kind == "contiguous" || (!has_axes(kernel) && (kind == "transposed" || kind == "padded"))) continue;
      if (dtype != dtypes.front() && dtype != DType::f32 && dtype != DType::bf16 && dtype != DType::u8) continue;
      add(dtype, dtype, kind);
    }
  return cases;
}

Bound bound_of(const std::string& name) {
  static const std::map<std::string, Bound> bounds{
      // exp: two units of ex2.approx in the element, two in the sum, and half a unit of each operation that follows.
      {"softmax", {1e-6, 1e-30}},
      {"softmax_online", {1e-6, 1e-30}},
      {"row_softmax", {1e-6, 1e-30}},
      // The logarithm of a sum that is 1 or more: its own error is absolute near 1.
      {"log_softmax", {5e-7, 1e-6}},
      {"log_softmax_online", {5e-7, 1e-6}},
      // rsqrt.approx is within 2^-22.9; what a bias cancels keeps the error of what it cancelled.
      {"layernorm", {5e-7, 5e-7}},
      {"layernorm_long", {5e-7, 5e-7}},
      {"rmsnorm", {5e-7, 1e-30}},
      {"rmsnorm_long", {5e-7, 1e-30}},
      {"bias_gelu", {5e-7, 5e-7}},
      {"words_math", {1e-6, 5e-7}},
  };
  const auto bound = bounds.find(name);
  return bound == bounds.end() ? Bound{} : bound->second;
}

}  // namespace tilejit::test
