#include <tilejit/runtime/small_float.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilejit {
namespace {

struct Format {
  int exponent_bits, mantissa_bits;
  bool has_infinity;  ///< f8e4m3: the top exponent counts on, its last code alone is NaN

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  unsigned sign() const { return 1U << (exponent_bits + mantissa_bits); }
  unsigned infinity() const { return ((1U << exponent_bits) - 1) << mantissa_bits; }
  unsigned nan() const { return has_infinity ? infinity() | 1U << (mantissa_bits - 1) : sign() - 1; }
  unsigned largest() const { return has_infinity ? infinity() - 1 : nan() - 1; }
};

Format format_of(DType dtype) {
  switch (dtype) {
    case DType::bf16:
      return {8, 7, true};
    case DType::f8e4m3:
      return {4, 3, false};
    case DType::f8e5m2:
      return {5, 2, true};
    default:
      return {5, 10, true};
  }
}

}  // namespace

std::uint16_t small_float_bits(double value, DType dtype) {
  const Format format = format_of(dtype);
  const unsigned sign = std::signbit(value) ? format.sign() : 0;
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | format.nan());
  const unsigned beyond = format.has_infinity ? format.infinity() : format.largest();
  if (std::isinf(value)) return static_cast<std::uint16_t>(sign | beyond);
  if (value == 0) return static_cast<std::uint16_t>(sign);
  int exponent = 0;
  (void)std::frexp(value, &exponent);
  // The step between neighbours at this size: a power of two, never below the subnormals' own.
  const int lowest = 1 - format.bias();
  const int scale = std::max(exponent - 1, lowest) - format.mantissa_bits;
  const auto steps = static_cast<std::int64_t>(std::nearbyint(std::ldexp(std::fabs(value), -scale)));
  // A normal value has mantissa_bits + 1 of them; one that rounds up to the next power of two carries into the
  // exponent.
  const std::int64_t bits =
      steps + (static_cast<std::int64_t>(scale + format.mantissa_bits - lowest) << format.mantissa_bits);
  return static_cast<std::uint16_t>(sign | (bits > format.largest() ? beyond : static_cast<unsigned>(bits)));
}

double small_float_value(std::uint16_t bits, DType dtype) {
  const Format format = format_of(dtype);
  const double sign = (bits & format.sign()) != 0 ? -1.0 : 1.0;
  const unsigned magnitude = bits & (format.sign() - 1);
  if (magnitude > format.largest()) {
    const bool infinite = format.has_infinity && magnitude == format.infinity();
    return std::copysign(infinite ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN(),
                         sign);
  }
  const int exponent = static_cast<int>(magnitude >> format.mantissa_bits);
  const unsigned mantissa = magnitude & ((1U << format.mantissa_bits) - 1);
  const unsigned steps = exponent == 0 ? mantissa : mantissa | 1U << format.mantissa_bits;
  return sign * std::ldexp(steps, std::max(exponent, 1) - format.bias() - format.mantissa_bits);
}

double small_float_largest(DType dtype) {
  return small_float_value(static_cast<std::uint16_t>(format_of(dtype).largest()), dtype);
}

}  // namespace tilejit
