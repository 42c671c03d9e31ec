#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tilejit/tools/image.h>

namespace tilejit::tool {

/// How far two values may be apart: |actual - expected| <= absolute + relative * |expected|. Both 0: equal bits (any
/// two NaNs, and 0 and -0, count as equal).
struct Tolerance {
  double relative = 0, absolute = 0;
};

/// One output against what it should hold.
struct Comparison {
  std::string tensor;
  std::int64_t elements = 0;
  std::int64_t wrong = 0;      ///< written, with another value
  std::int64_t unwritten = 0;  ///< still as poisoned
  struct First {
    std::vector<std::int64_t> at;
    std::string actual, expected;
  };
  std::optional<First> first_wrong, first_unwritten;  ///< in row-major order
  double largest_error = 0;                           ///< |actual - expected| over all written elements
  std::optional<double> norm_error, norm_bound;       ///< relative Frobenius error, where that is what counts
  std::int64_t looked_at = -1;                        ///< of a sample: how many values were compared; -1: all
  std::size_t stray_bytes = 0;                        ///< changed outside the view's elements
  bool good() const {
    return wrong == 0 && unwritten == 0 && stray_bytes == 0 && (!norm_error || *norm_error <= *norm_bound);
  }
};

/// Element by element over the view. `written_only`: the tensor started poisoned, so poison that is still there was
/// never written.
Comparison compare(const TensorArgument& tensor, bool written_only, const Image& actual, const Image& expected,
                   const Tolerance& tolerance);

/// How many times the bound of a product's norm one element may be off, measured by itself and the elements' root mean
/// square.
inline constexpr double element_cap = 4;

/// As a product's output is judged: the relative Frobenius error of the values at `sample` (row, column; empty: all) is
/// at most `bound`, none of them is off by more than element_cap * bound * (|expected| + the root mean square of what
/// is expected) or, where that is more, the dtype's least number above 0; NaN and infinity stand where they are
/// expected, and no element is left unwritten. bound = 0: equal bits.
Comparison compare_norm(const TensorArgument& tensor, bool written_only, const Image& actual, const Image& expected,
                        const std::vector<std::array<std::int64_t, 2>>& sample, double bound);

/// "y: 232 of 1000 elements unwritten, first (768)", "y: 9 of 12 elements wrong, first (0, 1): 1, expected 4", "y: 12
/// elements right".
std::string to_string(const Comparison& comparison);

}  // namespace tilejit::tool
