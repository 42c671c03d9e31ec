#include "mma_model.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tilejit::testing {
namespace {

using E = Element;

/// sign * size * 2^(exponent - fraction), 1 <= size / 2^fraction < 2 unless it is subnormal or zero.
struct Parts {
  bool minus = false, nan = false, infinite = false;
  std::int64_t size = 0;
  int exponent = 0, fraction = 0;
};

Parts parts_of(E element, std::uint64_t bits) {
  const Format& f = format_of(element);
  Parts p;
  p.fraction = f.mantissa_bits;
  p.minus = (bits >> (f.bits - 1) & 1) != 0;
  const auto top = (std::uint64_t{1} << f.exponent_bits) - 1;
  const std::uint64_t exponent = bits >> f.mantissa_bits & top;
  p.size = static_cast<std::int64_t>(bits & ((std::uint64_t{1} << f.mantissa_bits) - 1));
  p.nan = is_nan(f, bits);
  p.infinite = !f.finite && exponent == top && p.size == 0;
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  p.exponent = static_cast<int>(std::max<std::uint64_t>(exponent, 1)) - bias;
  if (exponent != 0) p.size |= std::int64_t{1} << f.mantissa_bits;
  return p;
}

std::uint64_t nan_of(E d) { return d == E::f16 ? 0x7FFF : 0x7FFFFFFF; }
std::uint64_t infinity_of(E d, bool minus) {
  return d == E::f16 ? (minus ? 0xFC00 : 0x7C00) : (minus ? 0xFF800000 : 0x7F800000);
}

std::uint64_t rounded(E d, const MmaRule& rule, std::int64_t sum, int exponent) {
  if (sum == 0) return 0;
  const double value = std::ldexp(static_cast<double>(sum), exponent);  // exact
  const auto bits = std::bit_cast<std::uint64_t>(value);
  if (d == E::f16) {
    const std::uint64_t out = exact(Operation::copy, f64, f16, Direction::nearest, bits);
    return out == 0x8000 ? 0 : out;
  }
  if (std::fabs(value) >= 0x1p128) return infinity_of(d, sum < 0);
  const Format narrow{9 + rule.result_fraction, 8, rule.result_fraction};
  const std::uint64_t out = exact(Operation::copy, f64, narrow, Direction::zero, bits) << (23 - rule.result_fraction);
  return out == 0x80000000 ? 0 : out;
}

std::uint64_t dot(const MmaForm& form, const MmaRule& rule, const std::vector<Parts>& a, const std::vector<Parts>& b,
                  std::uint64_t c_bits) {
  const Parts c = parts_of(form.d, c_bits);
  bool nan = c.nan, plus = c.infinite && !c.minus, minus = c.infinite && c.minus;
  int largest = c.size != 0 ? c.exponent : -1000;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const bool infinite = a[k].infinite || b[k].infinite;
    const bool zero = (a[k].size == 0 && !a[k].infinite) || (b[k].size == 0 && !b[k].infinite);
    nan |= a[k].nan || b[k].nan || (infinite && zero);
    if (infinite) (a[k].minus != b[k].minus ? minus : plus) = true;
    if (a[k].size != 0 && b[k].size != 0) largest = std::max(largest, a[k].exponent + b[k].exponent);
  }
  if (nan || (plus && minus)) return nan_of(form.d);
  if (plus || minus) return infinity_of(form.d, minus);

  std::int64_t sum = 0;
  const auto add = [&](bool negative, std::int64_t size, int exponent, int fraction) {
    if (size == 0) return;
    const int left = exponent - largest + rule.fraction - fraction;
    const std::int64_t cut = left >= 0 ? size << left : left < -62 ? 0 : size >> -left;
    sum += negative ? -cut : cut;
  };
  add(c.minus, c.size, c.exponent, c.fraction);
  for (std::size_t k = 0; k < a.size(); ++k) {
    add(a[k].minus != b[k].minus, a[k].size * b[k].size, a[k].exponent + b[k].exponent, a[k].fraction + b[k].fraction);
  }
  return rounded(form.d, rule, sum, largest - rule.fraction);
}

std::int64_t whole(E element, std::uint64_t bits) {
  if (element == E::u8) return static_cast<std::int64_t>(bits & 0xFF);
  return element == E::s8 ? static_cast<std::int8_t>(bits) : static_cast<std::int32_t>(bits);
}

}  // namespace

MmaRule mma_rule(const MmaForm& form, int compute_capability) {
  MmaRule rule;
  const bool eight = form.a == E::e4m3 || form.a == E::e5m2;
  rule.by_halves = eight && compute_capability >= 90;
  if (compute_capability >= 90) return rule;
  rule.fraction = 24;
  if (eight) rule.fraction = rule.result_fraction = 13;
  const int whole_k = eight ? 32 : form.a == E::tf32 ? 8 : 16;
  rule.steps = form.k == whole_k ? 2 : 1;
  return rule;
}

Elements mma(const MmaForm& f, const MmaRule& rule, const Elements& a, const Elements& b, const Elements& c) {
  Elements d(c.size());
  const auto at = [](int row, int column, int columns) { return static_cast<std::size_t>(row * columns + column); };
  for (int i = 0; i < f.m; ++i) {
    for (int j = 0; j < f.n; ++j) {
      std::uint64_t sum = c[at(i, j, f.n)];
      if (is_whole(f.a)) {
        std::int64_t all = whole(E::s32, sum);
        for (int k = 0; k < f.k; ++k) all += whole(f.a, a[at(i, k, f.k)]) * whole(f.b, b[at(k, j, f.n)]);
        if (f.saturates) all = std::clamp<std::int64_t>(all, INT32_MIN, INT32_MAX);
        sum = static_cast<std::uint32_t>(all);
      } else if (f.a == E::f64) {
        auto all = std::bit_cast<double>(sum);
        for (int k = 0; k < f.k; ++k) {
          all = std::fma(std::bit_cast<double>(a[at(i, k, f.k)]), std::bit_cast<double>(b[at(k, j, f.n)]), all);
        }
        sum = std::bit_cast<std::uint64_t>(all);
      } else {
        const int steps = rule.by_halves ? 2 : rule.steps;
        const std::uint64_t c_bits = sum;
        if (rule.by_halves) sum = 0;
        for (int step = 0; step < steps; ++step) {
          std::vector<Parts> x, y;
          for (int k = 0; k < f.k; ++k) {
            if ((rule.by_halves ? k % 4 / 2 : k / (f.k / steps)) != step) continue;
            x.push_back(parts_of(f.a, a[at(i, k, f.k)]));
            y.push_back(parts_of(f.b, b[at(k, j, f.n)]));
          }
          sum = dot(f, rule, x, y, sum);
        }
        if (rule.by_halves) sum = exact(Operation::add, f32, f32, Direction::nearest, sum, c_bits);
      }
      d[at(i, j, f.n)] = sum;
    }
  }
  return d;
}

}  // namespace tilejit::testing
