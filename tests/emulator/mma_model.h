#pragma once
#include "mma_forms.h"

/// What a tensor core computes, element by element with whole numbers: slow, obvious, and apart from the emulated
/// device.
namespace tilejit::testing {

/// How sums are taken. All products and C are brought to the largest exponent among those that are not zero, cut to
/// `fraction` bits behind the point, added exactly, and the sum is cut to the result's bits (rounded to nearest for
/// f16); what becomes zero is +0.
struct MmaRule {
  int fraction = 25;
  int steps = 1;             ///< k is taken in that many parts, one after another
  int result_fraction = 23;  ///< of f32 results
  /// Two steps, of the first two of each four along k and of the others, from zero; C is added to it as float32 adds.
  bool by_halves = false;
};

/// The rule of a compute capability (80, 89, 90).
MmaRule mma_rule(const MmaForm& form, int compute_capability);

Elements mma(const MmaForm& form, const MmaRule& rule, const Elements& a, const Elements& b, const Elements& c);

}  // namespace tilejit::testing
