#include <tilejit/runtime/scalar.h>

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include <tilejit/generator/error.h>
#include <tilejit/runtime/small_float.h>

namespace tilejit {
namespace {

struct IntegerRange {
  std::int64_t lowest, highest;
};

IntegerRange range_of(DType dtype) {
  switch (dtype) {
    case DType::i8:
      return {INT8_MIN, INT8_MAX};
    case DType::u8:
      return {0, UINT8_MAX};
    case DType::i16:
      return {INT16_MIN, INT16_MAX};
    case DType::i32:
      return {INT32_MIN, INT32_MAX};
    case DType::boolean:
      return {0, 1};
    default:
      return {INT64_MIN, INT64_MAX};
  }
}

template <class T>
std::uint64_t bits_of(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

struct Converted {
  std::uint64_t bits;
  double value;
};

/// The value of a floating dtype that is nearest to `value`.
Converted nearest_floating(double value, DType dtype) {
  if (dtype == DType::f64) return {bits_of(value), value};
  if (dtype == DType::f32) {
    // A double beyond float's range is undefined to convert; what rounds to the largest float stays finite.
    constexpr double limit = 0x1.ffffffp127;
    const float narrow = std::fabs(value) >= limit
                             ? std::copysign(std::numeric_limits<float>::infinity(), float(value > 0 ? 1 : -1))
                             : static_cast<float>(value);
    return {bits_of(narrow), narrow};
  }
  const std::uint16_t bits = small_float_bits(value, dtype);
  return {bits, small_float_value(bits, dtype)};
}

/// For a message: `value` as converted, or the largest finite one where that is infinite.
std::string finite_text(double converted, DType dtype) {
  if (!std::isinf(converted)) return fmt::format("{:.17g}", converted);
  const double largest = dtype == DType::f32 ? double(std::numeric_limits<float>::max()) : small_float_largest(dtype);
  return fmt::format("{:.17g}", std::copysign(largest, converted));
}

}  // namespace

std::uint64_t Scalar::bits_as(DType dtype, const std::string& argument) const {
  const auto refuse = [&](const std::string& nearest) {
    return InvalidArgument(fmt::format("{}: {} does not convert exactly to {}; the nearest that does is {}", argument,
                                       to_string(), name_of(dtype), nearest));
  };
  const bool huge = kind_ == Kind::unsigned_integer && integer_ < 0;  // 2^63 and more, its bits kept

  if (is_floating(dtype)) {
    if (kind_ == Kind::floating) {
      const Converted converted = nearest_floating(floating_, dtype);
      if (converted.value == floating_ || (std::isnan(converted.value) && std::isnan(floating_))) return converted.bits;
      throw refuse(finite_text(converted.value, dtype));
    }
    // From integers: what a double holds, rounded once, and then whether it was that integer.
    const double wide =
        huge ? static_cast<double>(static_cast<std::uint64_t>(integer_)) : static_cast<double>(integer_);
    const Converted converted = nearest_floating(wide, dtype);
    const bool back = std::isfinite(converted.value) && converted.value == wide &&
                      (huge ? wide < 0x1p64 && static_cast<std::uint64_t>(wide) == static_cast<std::uint64_t>(integer_)
                            : wide < 0x1p63 && static_cast<std::int64_t>(wide) == integer_);
    if (back) return converted.bits;
    throw refuse(finite_text(converted.value, dtype));
  }

  const IntegerRange range = range_of(dtype);
  const std::uint64_t mask = size_of(dtype) == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * size_of(dtype)) - 1;
  if (kind_ == Kind::floating) {
    if (std::isnan(floating_))
      throw InvalidArgument(fmt::format("{}: NaN does not convert to {}", argument, name_of(dtype)));
    const double rounded = std::nearbyint(floating_);
    if (rounded >= 0x1p63 || rounded > static_cast<double>(range.highest))
      throw refuse(fmt::format("{}", range.highest));
    if (rounded < static_cast<double>(range.lowest)) throw refuse(fmt::format("{}", range.lowest));
    if (rounded != floating_) throw refuse(fmt::format("{}", static_cast<std::int64_t>(rounded)));
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(rounded)) & mask;
  }
  if (huge || integer_ > range.highest) throw refuse(fmt::format("{}", range.highest));
  if (integer_ < range.lowest) throw refuse(fmt::format("{}", range.lowest));
  return static_cast<std::uint64_t>(integer_) & mask;
}

double Scalar::as_double() const {
  if (kind_ == Kind::floating) return floating_;
  return kind_ == Kind::unsigned_integer ? double(std::uint64_t(integer_)) : double(integer_);
}

std::string Scalar::to_string() const {
  switch (kind_) {
    case Kind::boolean:
      return integer_ != 0 ? "true" : "false";
    case Kind::integer:
      return fmt::format("{}", integer_);
    case Kind::unsigned_integer:
      return fmt::format("{}", static_cast<std::uint64_t>(integer_));
    case Kind::floating:
      break;
  }
  return fmt::format("{}", floating_);
}

}  // namespace tilejit
