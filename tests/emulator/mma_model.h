#pragma once
#include "mma_forms.h"

/// What a tensor core computes, element by element with whole numbers: slow, obvious, and apart from the emulated
/// device.
namespace tilejit::testing {

/// How sums are taken. All products and C are brought to the largest exponent among them, cut to `fraction` bits behind
/// the point, added exactly, and the sum is cut to the result's bits (rounded to nearest for f16).
struct MmaRule {
  int fraction = 25;
  int steps = 1;             ///< k is taken in that many parts, one after another
  int result_fraction = 23;  ///< of f32 results
  /// A zero's exponent, where it may still be the largest: -126, or that of the format's own subnormals.
  enum class Zero { f32_lowest, own_lowest } zero = Zero::f32_lowest;
};

/// The rule of a compute capability (80, 89, 90).
MmaRule mma_rule(const MmaForm& form, int compute_capability);

Elements mma(const MmaForm& form, const MmaRule& rule, const Elements& a, const Elements& b, const Elements& c);

}  // namespace tilejit::testing
