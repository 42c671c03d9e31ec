#include <tilejit/runtime/ops/loaded_op.h>

#include <algorithm>

namespace tilejit {

std::shared_ptr<const PreparedPlan> PlanCache::find(const Signature& signature) const {
  const std::shared_lock lock(mutex_);
  const auto [begin, end] = plans_.equal_range(signature.hash());
  for (auto entry = begin; entry != end; ++entry)
    if (std::ranges::equal(entry->second->signature, signature.words())) return entry->second;
  return nullptr;
}

void PlanCache::insert(const Signature& signature, std::shared_ptr<const PreparedPlan> plan) {
  const std::unique_lock lock(mutex_);
  if (plans_.size() >= most) plans_.clear();
  plans_.emplace(signature.hash(), std::move(plan));
}

void PlanCache::clear() {
  const std::unique_lock lock(mutex_);
  plans_.clear();
}

}  // namespace tilejit
