#include <tilejit/generator/codegen_views.h>

#include <fmt/format.h>

#include <algorithm>

#include <tilejit/generator/error.h>

namespace tilejit {
namespace {

/// The members that stay dynamic, in order; the entry's parameters of the same values beside them.
struct Member {
  std::string name;
  std::string parameter;
};

std::vector<Member> dynamic_members(const TensorArgument& tensor) {
  std::vector<Member> members;
  const std::vector<Dimension>& shape = tensor.info.shape;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (!shape[axis].name.empty()) members.push_back({fmt::format("size_{}", axis), "size_" + shape[axis].name});
  if (tensor.info.via == Via::tma) return members;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (!tensor.specialization.strides[axis])
      members.push_back({fmt::format("stride_{}", axis), fmt::format("stride_{}_{}", tensor.info.name, axis)});
  return members;
}

/// A member function that has one value an axis.
std::string axis_function(std::string_view head, const std::string& tensor, const std::vector<std::string>& values) {
  std::string text = fmt::format("  template <int AXIS>\n  {} {{\n", head);
  text += fmt::format("    static_assert(0 <= AXIS && AXIS < rank, \"{} has {} axes\");\n", tensor, values.size());
  for (std::size_t axis = 0; axis + 1 < values.size(); ++axis)
    text += fmt::format("    if constexpr (AXIS == {}) return {};\n    else ", axis, values[axis]);
  if (values.size() < 2) text += "    ";
  return text + fmt::format("return {};\n  }}\n", values.empty() ? "0" : values.back());
}

constexpr std::string_view extent_head = "__device__ __forceinline__ constexpr i64 size() const";
constexpr std::string_view stride_head = "__device__ __forceinline__ constexpr i64 stride() const";
constexpr std::string_view box_head = "__device__ static constexpr int box()";

std::string map_members(const Template& kernel, const Specialization& specialization, const TensorArgument& tensor) {
  const TmaMap& map = tensor.info.map;
  std::vector<std::string> box;
  for (std::size_t axis = 0; axis < map.box.size(); ++axis)
    box.push_back(std::to_string(compile_time_value(
        map.box[axis], kernel, specialization, fmt::format("box of {}, axis {}", tensor.info.name, axis), 1, 256)));
  const std::int64_t swizzle =
      map.swizzle ? compile_time_value(*map.swizzle, kernel, specialization, "swizzle of " + tensor.info.name, 0, 128)
                  : 0;
  return fmt::format("  static constexpr int swizzle = {};\n", swizzle) +
         axis_function(box_head, tensor.info.name, box) + "  const tensor_map* map;\n";
}

}  // namespace

std::vector<TensorArgument> tensor_arguments(const Template& kernel, const Specialization& specialization) {
  std::vector<TensorArgument> tensors;
  for (const ArgumentInfo& info : kernel.info.arguments) {
    if (info.kind != ArgumentInfo::Kind::tensor) continue;
    if (tensors.size() == specialization.tensors.size())
      throw InvalidArgument(fmt::format("{}: a Specialization of {} tensors, the template has more", kernel.name,
                                        specialization.tensors.size()));
    const TensorSpecialization& known = specialization.tensors[tensors.size()];
    if (known.present && known.strides.size() != info.shape.size())
      throw InvalidArgument(fmt::format("{}: a Specialization in which {} has {} axes, the template says {}",
                                        kernel.name, info.name, known.strides.size(), info.shape.size()));
    tensors.push_back({info, known, static_cast<int>(tensors.size())});
  }
  if (tensors.size() != specialization.tensors.size())
    throw InvalidArgument(fmt::format("{}: a Specialization of {} tensors, the template has {}", kernel.name,
                                      specialization.tensors.size(), tensors.size()));
  return tensors;
}

std::int64_t compile_time_value(const Expression& expression, const Template& kernel,
                                const Specialization& specialization, const std::string& what, std::int64_t lowest,
                                std::int64_t highest) {
  std::vector<std::int64_t> values(kernel.info.symbols.values.size());
  std::size_t at = kernel.info.sizes.size();
  for (const auto& [name, value] : specialization.config.constants) values.at(at++) = value;
  values.at(at++) = specialization.config.num_warps;
  values.at(at) = specialization.config.num_stages;
  std::vector<Scope::TensorFacts> tensors(specialization.tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (specialization.tensors[i].present) {
      tensors[i].element_size = static_cast<std::int64_t>(size_of(specialization.tensors[i].dtype));
      tensors[i].floating = is_floating(specialization.tensors[i].dtype);
    }
  const std::int64_t value = expression.evaluate({values, tensors});
  if (value < lowest || value > highest)
    throw InvalidArgument(fmt::format("{}: {}: {} is {} with {}; {} to {} fit", kernel.name, what, expression.text(),
                                      value, to_string(specialization.config), lowest, highest));
  return value;
}

std::string view_type(const Template& kernel, const Specialization& specialization, const TensorArgument& tensor) {
  const TensorSpecialization& known = tensor.specialization;
  if (!known.present)
    return fmt::format("struct view_{} {{\n  static constexpr bool present = false;\n}};\n", tensor.info.name);
  const bool writable = tensor.info.access != Access::read;
  const std::size_t rank = known.strides.size();
  std::string text = fmt::format("struct view_{} {{\n", tensor.info.name);
  text += fmt::format("  using type = {};\n", device_type(known.dtype));
  text += "  static constexpr bool present = true;\n";
  text += fmt::format("  static constexpr bool writable = {};\n", writable);
  text += fmt::format("  static constexpr int rank = {};\n", rank);
  text += fmt::format("  static constexpr int unit_axis = {};\n", known.unit_axis);
  text += fmt::format("  static constexpr int align = {};\n", known.align);
  if (tensor.info.via != Via::pointer) text += fmt::format("  static constexpr bool mapped = {};\n", known.mapped);
  if (known.mapped) text += map_members(kernel, specialization, tensor);
  if (tensor.info.via != Via::tma) text += fmt::format("  {}type* __restrict__ data;\n", writable ? "" : "const ");
  std::string members;
  for (const Member& member : dynamic_members(tensor)) members += (members.empty() ? "  i64 " : ", ") + member.name;
  if (!members.empty()) text += members + ";\n";

  std::vector<std::string> sizes, strides;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const Dimension& dimension = tensor.info.shape[axis];
    sizes.push_back(dimension.name.empty() ? std::to_string(dimension.extent) : fmt::format("size_{}", axis));
    strides.push_back(known.strides[axis] ? std::to_string(*known.strides[axis]) : fmt::format("stride_{}", axis));
  }
  text += axis_function(extent_head, tensor.info.name, sizes);
  if (tensor.info.via != Via::tma) text += axis_function(stride_head, tensor.info.name, strides);
  return text + "};\n";
}

std::string view_value(const TensorArgument& tensor) {
  const std::string& name = tensor.info.name;
  if (!tensor.specialization.present) return fmt::format("view_{}{{}}", name);
  std::string text = fmt::format("view_{}{{", name);
  if (tensor.specialization.mapped) text += "&map_" + name;
  if (tensor.info.via != Via::tma) text += (text.back() == '{' ? "data_" : ", data_") + name;
  for (const Member& member : dynamic_members(tensor)) text += ", " + member.parameter;
  return text + "}";
}

std::string parameter_name(const Template& kernel, const Parameter& parameter) {
  const auto argument = [&](ArgumentInfo::Kind kind) {
    int index = parameter.index;
    for (const ArgumentInfo& info : kernel.info.arguments)
      if (info.kind == kind && index-- == 0) return info.name;
    throw InvalidArgument(kernel.name + ": a parameter of no argument");
  };
  switch (parameter.kind) {
    case Parameter::Kind::pointer:
      return "data_" + argument(ArgumentInfo::Kind::tensor);
    case Parameter::Kind::size:
      return "size_" + kernel.info.sizes.at(static_cast<std::size_t>(parameter.index));
    case Parameter::Kind::stride:
      return fmt::format("stride_{}_{}", argument(ArgumentInfo::Kind::tensor), parameter.axis);
    case Parameter::Kind::scalar:
      return "scalar_" + argument(ArgumentInfo::Kind::scalar);
    case Parameter::Kind::grid:
      return fmt::format("grid_{}", parameter.index);
    case Parameter::Kind::tensor_map:
      return "map_" + argument(ArgumentInfo::Kind::tensor);
  }
  return {};
}

}  // namespace tilejit
