#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

#include <tilejit/runtime/call.h>

namespace tilejit {

/// A call's exact shapes, strides, dtypes and address alignments as words: equal signatures need the same kernel and
/// grid. On the stack.
class Signature {
 public:
  Signature(std::uint32_t flavour, std::span<const TensorView* const> tensors, std::uint32_t scalars_in_memory = 0) {
    put(flavour | std::uint64_t(scalars_in_memory) << 32);
    for (const TensorView* tensor : tensors) {
      const TensorView& view = *tensor;
      const auto address = reinterpret_cast<std::uintptr_t>(view.data());
      put(std::uint64_t(view.present()) | std::uint64_t(view.dtype()) << 8 | std::uint64_t(view.rank()) << 16 |
          std::uint64_t(std::countr_zero(address | 16)) << 24);
      for (const std::int64_t extent : view.shape()) put(std::uint64_t(extent));
      for (const std::int64_t stride : view.strides()) put(std::uint64_t(stride));
    }
  }
  void add(std::uint64_t word) { put(word); }  ///< once: what a plan depends on beyond its tensors
  std::span<const std::uint64_t> words() const { return {words_.data(), count_}; }
  std::uint64_t hash() const { return hash_ ^ hash_ >> 29; }

 private:
  void put(std::uint64_t word) {
    words_[count_++] = word;
    hash_ = (std::rotl(hash_, 23) ^ word) * 0x9e3779b97f4a7c15u;
  }
  std::array<std::uint64_t, 2 + max_arguments*(1 + 2 * max_rank)> words_;  // uninitialised beyond count_
  std::size_t count_ = 0;
  std::uint64_t hash_ = 0x243f6a8885a308d3u;
};

}  // namespace tilejit
