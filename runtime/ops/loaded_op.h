#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include <tilejit/runtime/jit_state.h>
#include <tilejit/runtime/ops/op.h>
#include <tilejit/runtime/signature.h>

namespace tilejit {

/// A step whose kernel and grid are settled.
struct PreparedStep {
  std::shared_ptr<LoadedTemplate> loaded;
  std::shared_ptr<const Prepared> prepared;
  std::vector<StepTensor> tensors;
  std::vector<StepScalar> scalars;
};

/// Everything that is settled for one exact signature of an op's call. Immutable but for the allocations last asked
/// about.
struct PreparedPlan {
  std::vector<std::uint64_t> signature;
  std::vector<PreparedStep> steps;
  std::size_t workspace_bytes = 0, main = 0;
  mutable std::vector<LastAllocation> allocations;  ///< one a tensor, one a scalar
  mutable LastAllocation workspace;                 ///< of a caller's
};

/// From a call's exact signature to its plan. Safe from all threads; readers wait only while an entry is put in.
class PlanCache {
 public:
  std::shared_ptr<const PreparedPlan> find(const Signature& signature) const;
  void insert(const Signature& signature, std::shared_ptr<const PreparedPlan> plan);
  void clear();

 private:
  static constexpr std::size_t most = 256;  ///< entries; a newcomer beyond them empties the cache
  mutable std::shared_mutex mutex_;
  std::unordered_multimap<std::uint64_t, std::shared_ptr<const PreparedPlan>> plans_;
};

/// One op on one device: its settled calls. `mutex` is held by every call that is not warm.
struct LoadedOp {
  explicit LoadedOp(std::shared_ptr<const Op> op_) : op(std::move(op_)) {}
  const std::shared_ptr<const Op> op;
  PlanCache plans;
  std::mutex mutex;
  std::map<std::string, std::uint32_t> flavours;  ///< under mutex: numbers that enter signatures
};

}  // namespace tilejit
