#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include <tilejit/generator/build.h>
#include <tilejit/runtime/dispatch.h>
#include <tilejit/runtime/prepared.h>

namespace tilejit {

/// One template's loaded kernels on one device, by Specialization. Its caller serialises all calls. At most `limit`
/// kernels stay; the least recently used goes, from `dispatch` too.
class KernelMap {
 public:
  KernelMap(Dispatch& dispatch, int limit) : dispatch_(dispatch), limit_(limit) {}

  std::shared_ptr<const LoadedKernel> find(const Specialization& specialization) const;
  /// A loaded kernel that was built on weaker facts (less alignment, strides left dynamic, the same Config) and so
  /// serves `wanted` too; for calls that must not compile.
  std::shared_ptr<const LoadedKernel> find_weaker(const Specialization& wanted, Specialization& served) const;
  void insert(const Specialization& specialization, std::shared_ptr<const LoadedKernel> kernel);

  /// What sets `wanted` apart from the loaded kernel nearest to it: "x's stride 0 is not compiled in", "first kernel".
  /// For logs.
  std::string what_is_new(const Specialization& wanted, const Template& kernel) const;
  void tick() { ticks_.fetch_add(1, std::memory_order_relaxed); }
  std::uint64_t now() const { return ticks_.load(std::memory_order_relaxed); }  ///< from any thread
  std::size_t size() const { return kernels_.size(); }

 private:
  Dispatch& dispatch_;
  std::map<Specialization, std::shared_ptr<const LoadedKernel>> kernels_;
  int limit_;
  std::atomic<std::uint64_t> ticks_{0};
};

}  // namespace tilejit
