#include <tilejit/runtime/kernel_map.h>

#include <fmt/format.h>

#include <algorithm>

namespace tilejit {
namespace {

bool serves(const TensorSpecialization& built, const TensorSpecialization& wanted) {
  if (built.present != wanted.present || built.dtype != wanted.dtype || built.align > wanted.align) return false;
  if (built.mapped != wanted.mapped) return false;
  if (built.unit_axis >= 0 && built.unit_axis != wanted.unit_axis) return false;
  if (built.strides.size() != wanted.strides.size()) return false;
  return std::ranges::equal(built.strides, wanted.strides, [](const auto& of_built, const auto& of_wanted) {
    return !of_built || of_built == of_wanted;
  });
}

std::vector<std::string> differences(const Specialization& built, const Specialization& wanted,
                                     const Template& kernel) {
  std::vector<std::string> found;
  if (built.config != wanted.config) found.push_back("another Config: " + to_string(wanted.config));
  if (built.folded != wanted.folded) found.push_back("the grid is folded");
  std::size_t i = 0, scalar = 0;
  for (const ArgumentInfo& info : kernel.info.arguments) {
    if (info.kind == ArgumentInfo::Kind::scalar) {
      const bool in_memory = wanted.scalars[scalar].in_memory;
      if (built.scalars[scalar++].in_memory != in_memory)
        found.push_back(fmt::format("{} is {}", info.name, in_memory ? "in memory" : "a value"));
      continue;
    }
    const TensorSpecialization& was = built.tensors[i];
    const TensorSpecialization& is = wanted.tensors[i++];
    if (was.present != is.present)
      found.push_back(fmt::format("{} is {}", info.name, is.present ? "given" : "left out"));
    if (was.dtype != is.dtype) found.push_back(fmt::format("{} is {}", info.name, name_of(is.dtype)));
    if (was.mapped != is.mapped)
      found.push_back(fmt::format("{} goes {} a TMA map", info.name, is.mapped ? "through" : "without"));
    if (was.align != is.align) found.push_back(fmt::format("{}'s alignment class is {} bytes", info.name, is.align));
    for (std::size_t axis = 0; axis < is.strides.size() && axis < was.strides.size(); ++axis) {
      if (was.strides[axis] == is.strides[axis]) continue;
      found.push_back(is.strides[axis] ? fmt::format("{}'s stride {} is {}", info.name, axis, *is.strides[axis])
                                       : fmt::format("{}'s stride {} is dynamic", info.name, axis));
    }
  }
  return found;
}

}  // namespace

std::shared_ptr<const LoadedKernel> KernelMap::find(const Specialization& specialization) const {
  const auto found = kernels_.find(specialization);
  if (found == kernels_.end()) return nullptr;
  found->second->last_used.store(now(), std::memory_order_relaxed);
  return found->second;
}

std::shared_ptr<const LoadedKernel> KernelMap::find_weaker(const Specialization& wanted, Specialization& served) const {
  for (const auto& [built, kernel] : kernels_) {
    if (built.folded != wanted.folded || built.debug != wanted.debug || built.config != wanted.config) continue;
    if (built.scalars != wanted.scalars || built.tensors.size() != wanted.tensors.size()) continue;
    if (!std::ranges::equal(built.tensors, wanted.tensors, serves)) continue;
    served = built;
    return kernel;
  }
  return nullptr;
}

void KernelMap::insert(const Specialization& specialization, std::shared_ptr<const LoadedKernel> kernel) {
  kernel->last_used.store(now(), std::memory_order_relaxed);
  kernels_[specialization] = std::move(kernel);
  while (kernels_.size() > std::size_t(std::max(limit_, 1))) {
    const auto oldest = std::ranges::min_element(
        kernels_, {}, [](const auto& element) { return element.second->last_used.load(std::memory_order_relaxed); });
    dispatch_.forget(oldest->second.get());
    kernels_.erase(oldest);
  }
}

std::string KernelMap::what_is_new(const Specialization& wanted, const Template& kernel) const {
  if (kernels_.empty()) return "the first kernel of this template";
  std::vector<std::string> fewest;
  bool first = true;
  for (const auto& [built, loaded] : kernels_) {
    std::vector<std::string> found = differences(built, wanted, kernel);
    if (first || found.size() < fewest.size()) fewest = std::move(found);
    first = false;
  }
  return fmt::format("{}", fmt::join(fewest, "; "));
}

}  // namespace tilejit
