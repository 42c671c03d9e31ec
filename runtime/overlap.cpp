#include <algorithm>
#include <numeric>

#include <tilejit/runtime/tensor_view.h>

namespace tilejit {
namespace {

// Sums of products of two int64, and differences of addresses.
__extension__ using Wide = __int128;

/// coefficient * x for one whole x of 0 to `most`.
struct Term {
  Wide coefficient, most;
};

Wide gcd(Wide a, Wide b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

/// x with a * x = 1 (mod m); a and m have no common divisor.
Wide inverse(Wide a, Wide m) {
  Wide r0 = m, r1 = a % m, t0 = 0, t1 = 1;
  while (r1 != 0) {
    const Wide q = r0 / r1;
    r0 = std::exchange(r1, r0 - q * r1);
    t0 = std::exchange(t1, t0 - q * t1);
  }
  return t0 < 0 ? t0 + m : t0;
}

/// Whether some x, one a term, make the terms sum to a target. Exact after two terms that cannot be joined; with more
/// it searches, and gives up (unknown) after a fixed number of steps.
class Sum {
 public:
  /// A term with a coefficient of any sign; what it adds to the target is taken over.
  void add(Wide coefficient, Wide most) {
    if (coefficient == 0 || most <= 0) return;
    if (coefficient < 0) target_ -= coefficient * most;  // x counted from the other end
    terms_[count_++] = {coefficient < 0 ? -coefficient : coefficient, most};
  }

  Overlap reaches(Wide target) {
    join();
    suffix_reach_[count_] = suffix_gcd_[count_] = 0;
    for (int k = count_ - 1; k >= 0; --k) {
      suffix_reach_[k] = suffix_reach_[k + 1] + terms_[k].coefficient * terms_[k].most;
      suffix_gcd_[k] = gcd(suffix_gcd_[k + 1], terms_[k].coefficient);
    }
    steps_left_ = 4096;
    return search(0, target + target_);
  }

 private:
  /// Largest coefficient first, with every term that continues a smaller one joined to it: 4 * (0..2) + 1 * (0..3) is
  /// 1 * (0..11).
  void join() {
    std::sort(terms_.begin(), terms_.begin() + count_,
              [](const Term& a, const Term& b) { return a.coefficient < b.coefficient; });
    int kept = 0;
    for (int i = 0; i < count_; ++i) {
      Term& last = terms_[std::max(kept - 1, 0)];
      const Term term = terms_[i];
      const Wide times = kept == 0 ? 0 : term.coefficient / last.coefficient;
      if (kept > 0 && term.coefficient % last.coefficient == 0 && times <= last.most + 1) {
        last.most += times * term.most;
      } else {
        terms_[kept++] = term;
      }
    }
    count_ = kept;
    std::reverse(terms_.begin(), terms_.begin() + count_);
  }

  Overlap search(int k, Wide target) {
    if (target < 0 || target > suffix_reach_[k]) return Overlap::no;
    if (k == count_) return Overlap::yes;
    if (target % suffix_gcd_[k] != 0) return Overlap::no;
    if (k + 1 == count_) return Overlap::yes;
    const auto [coefficient, most] = terms_[k];
    // What is left must be a multiple of the gcd of the other coefficients: x is known modulo `step`.
    const Wide shared = suffix_gcd_[k], step = suffix_gcd_[k + 1] / shared;
    const Wide residue = (target / shared % step) * inverse(coefficient / shared % step, step) % step;
    const Wide above = target - suffix_reach_[k + 1];
    const Wide lowest = above <= 0 ? 0 : (above + coefficient - 1) / coefficient;
    const Wide highest = std::min(most, target / coefficient);
    Overlap found = Overlap::no;
    for (Wide x = lowest + ((residue - lowest) % step + step) % step; x <= highest; x += step) {
      if (--steps_left_ < 0) return Overlap::unknown;
      const Overlap below = search(k + 1, target - coefficient * x);
      if (below == Overlap::yes) return below;
      if (below == Overlap::unknown) found = below;
    }
    return found;
  }

  std::array<Term, 2 * max_rank + 1> terms_{};
  std::array<Wide, 2 * max_rank + 2> suffix_reach_{}, suffix_gcd_{};
  int count_ = 0, steps_left_ = 0;
  Wide target_ = 0;
};

struct Axis {
  Wide stride, extent;  ///< stride without its sign
};

}  // namespace

Overlap self_overlap(const TensorView& view) {
  if (view.elements() <= 1) return Overlap::no;
  std::array<Axis, max_rank> axes{};
  int count = 0;
  for (int axis = 0; axis < view.rank(); ++axis) {
    const Wide stride = view.strides()[axis], extent = view.shape()[axis];
    if (extent == 1) continue;
    if (stride == 0) return Overlap::yes;
    axes[count++] = {stride < 0 ? -stride : stride, extent};
  }
  // At most 8: by insertion, whose bounds a compiler can see.
  for (int i = 1; i < count; ++i) {
    for (int k = i; k > 0 && axes[k].stride < axes[k - 1].stride; --k) std::swap(axes[k], axes[k - 1]);
  }
  Wide below = 0;
  bool nested = true;
  for (int i = 0; i < count; ++i) {
    nested &= axes[i].stride > below;
    below += axes[i].stride * (axes[i].extent - 1);
  }
  if (nested) return Overlap::no;
  // Two elements share memory where a difference of indices, its first part that is not 0 being positive, moves
  // nowhere.
  Overlap found = Overlap::no;
  for (int first = 0; first < count; ++first) {
    Sum sum;
    Wide target = -axes[first].stride;
    sum.add(axes[first].stride, axes[first].extent - 2);
    for (int later = first + 1; later < count; ++later) {
      sum.add(axes[later].stride, 2 * (axes[later].extent - 1));
      target += axes[later].stride * (axes[later].extent - 1);
    }
    const Overlap here = sum.reaches(target);
    if (here == Overlap::yes) return here;
    if (here == Overlap::unknown) found = here;
  }
  return found;
}

Overlap overlap(const TensorView& left, const TensorView& right) {
  if (left.elements() == 0 || right.elements() == 0) return Overlap::no;
  const Wide left_size = size_of(left.dtype()), right_size = size_of(right.dtype());
  const Wide distance =
      Wide(reinterpret_cast<std::uintptr_t>(right.data())) - Wide(reinterpret_cast<std::uintptr_t>(left.data()));
  const TensorView::Extent a = left.byte_extent(), b = right.byte_extent();
  if (a.end <= distance + b.lowest || distance + b.end <= a.lowest) return Overlap::no;

  // left's offset - right's offset = distance - left_size + 1 + slack, for a slack that lets the elements share a byte.
  Sum sum;
  for (int axis = 0; axis < left.rank(); ++axis) sum.add(left.strides()[axis] * left_size, left.shape()[axis] - 1);
  for (int axis = 0; axis < right.rank(); ++axis)
    sum.add(-(right.strides()[axis] * right_size), right.shape()[axis] - 1);
  if (left_size == right_size && distance % left_size == 0) return sum.reaches(distance);
  sum.add(-1, left_size + right_size - 2);
  return sum.reaches(distance - left_size + 1);
}

}  // namespace tilejit
