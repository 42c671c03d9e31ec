#include <tilejit/generator/specialization.h>

#include <fmt/format.h>

#include <algorithm>

#include <tilejit/generator/error.h>
#include <tilejit/generator/map_rules.h>

namespace tilejit {
namespace {

using Strides = std::vector<std::int64_t>;

/// What a TMA map cannot say of a tensor; empty: nothing. Stores through one are cut off at 16 bytes, not at elements.
std::string no_map(const TensorProblem& tensor, int unit, bool written) {
  const auto size = static_cast<std::int64_t>(size_of(tensor.dtype));
  if (unit < 0) return "no axis has stride 1";
  if (tensor.address_align < 16)
    return fmt::format("the address is aligned to {} bytes, a map needs 16", tensor.address_align);
  if (written && tensor.shape[static_cast<std::size_t>(unit)] * size % 16 != 0)
    return fmt::format("axis {} has {} elements ({} bytes); a map that is written through needs a multiple of 16 bytes",
                       unit, tensor.shape[static_cast<std::size_t>(unit)],
                       tensor.shape[static_cast<std::size_t>(unit)] * size);
  for (int axis = 0; axis < tensor.rank; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    const std::int64_t stride = tensor.strides[at];
    if (tensor.shape[at] > std::int64_t{1} << 32)
      return fmt::format("axis {} has {} elements, 2^32 fit", axis, tensor.shape[at]);
    if (axis == unit || tensor.shape[at] <= 1) continue;
    if (stride <= 0 || stride >= (std::int64_t{1} << 40) / size || stride * size % 16 != 0)
      return fmt::format(
          "axis {} has stride {} ({} bytes an element); a map needs a multiple of 16 bytes, more than 0 and "
          "less than 2^40",
          axis, stride, size);
  }
  return {};
}

void check_promise(const std::string& name, const TensorProblem& tensor, const Strides& promise) {
  if (promise.size() != static_cast<std::size_t>(tensor.rank))
    throw InvalidArgument(
        fmt::format("{}: {} strides were promised, the tensor has {} axes", name, promise.size(), tensor.rank));
  for (std::size_t axis = 0; axis < promise.size(); ++axis)
    if (tensor.shape[axis] > 1 && tensor.strides[axis] != promise[axis])
      throw InvalidArgument(fmt::format("{}: stride {} was promised for axis {}, this tensor has {}", name,
                                        promise[axis], axis, tensor.strides[axis]));
}

TensorSpecialization specialized(const std::string& kernel, const ArgumentInfo& info, const TensorProblem& tensor,
                                 const std::optional<Strides>& fixed) {
  TensorSpecialization result;
  result.present = tensor.present;
  if (!tensor.present) return result;
  result.dtype = tensor.dtype;
  result.unit_axis = unit_stride_axis(tensor);
  const auto rank = static_cast<std::size_t>(tensor.rank);
  const bool promised = fixed && !fixed->empty();
  if (promised) check_promise(info.name, tensor, *fixed);
  result.strides.resize(rank);
  if (info.via != Via::pointer) {
    const std::string why = no_map(tensor, result.unit_axis, info.access != Access::read);
    if (info.via == Via::tma && !why.empty())
      throw InvalidArgument(fmt::format("{} goes through a TMA map: {}", info.name, why));
    result.mapped = why.empty() && (info.via == Via::tma || result.unit_axis == tensor.rank - 1);
    if (info.via == Via::tma) return result;
  }
  result.align = alignment_class(tensor, kernel + ": " + info.name);
  const std::array<std::int64_t, max_rank> settled = settled_strides(tensor);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const bool literal = tensor.shape[axis] > 1 && (tensor.strides[axis] == 0 || tensor.strides[axis] == 1);
    if (static_cast<int>(axis) == result.unit_axis)
      result.strides[axis] = 1;
    else if (promised)
      result.strides[axis] = (*fixed)[axis];
    else if (fixed || literal)
      result.strides[axis] = settled[axis];
  }
  return result;
}

}  // namespace

std::string why_no_map(const ArgumentInfo& info, const TensorProblem& tensor) {
  return no_map(tensor, unit_stride_axis(tensor), info.access != Access::read);
}

Specialization specialize(const Template& kernel, const Problem& problem, const Config& config, bool folded,
                          const FixedStrides& fixed) {
  sizes_of(kernel, problem);
  Specialization result;
  result.template_name = kernel.name;
  result.tensors.reserve(problem.tensors.size());
  for (const ArgumentInfo& info : kernel.info.arguments) {
    if (info.kind != ArgumentInfo::Kind::tensor) continue;
    const std::size_t i = result.tensors.size();
    result.tensors.push_back(
        specialized(kernel.name, info, problem.tensors[i], i < fixed.tensors.size() ? fixed.tensors[i] : std::nullopt));
  }
  result.scalars = problem.scalars;
  result.folded = folded;
  result.config = config;
  return result;
}

std::string to_string(const Specialization& specialization) {
  std::string text = specialization.template_name + "[";
  for (const TensorSpecialization& tensor : specialization.tensors) {
    if (text.back() != '[') text += "; ";
    if (!tensor.present) {
      text += "absent";
      continue;
    }
    text += fmt::format("{} (", name_of(tensor.dtype));
    for (std::size_t axis = 0; axis < tensor.strides.size(); ++axis)
      text += (axis > 0 ? ", " : "") + (tensor.strides[axis] ? std::to_string(*tensor.strides[axis]) : "?");
    text += fmt::format(") align {} unit {}{}", tensor.align, tensor.unit_axis, tensor.mapped ? " mapped" : "");
  }
  for (const ScalarProblem& scalar : specialization.scalars)
    text += fmt::format("{}scalar {}{}", text.back() == '[' ? "" : "; ", name_of(scalar.dtype),
                        scalar.in_memory ? " in memory" : "");
  text += "]";
  if (specialization.folded) text += " folded";
  if (specialization.debug) text += " debug";
  return text + " " + to_string(specialization.config);
}

}  // namespace tilejit
