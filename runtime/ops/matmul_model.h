#pragma once
#include <cstdint>
#include <span>

#include <tilejit/generator/specialization.h>

namespace tilejit {

/// Which of `configs` a product (m, n, k) should run with where nothing is tuned: the least modelled time on the
/// device's multiprocessors, of equals the earlier.
struct ProductSize {
  std::int64_t m, n, k;
  bool by_lanes = false;  ///< each lane stores its part of c: no map takes it, or an epilogue goes before
};
const Config& modelled_best(std::span<const Config> configs, const Template& kernel, const ProblemScope& scope,
                            const ProductSize& size, const Target& target);

}  // namespace tilejit
