#include <tilejit/tools/reference/element.h>

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace tilejit::tool {
namespace {

/// A binary float format of sign, exponent and mantissa, kept in the low bits.
struct Format {
  int exponent_bits, mantissa_bits;
  std::uint64_t largest;   ///< bits of the largest finite value
  std::uint64_t overflow;  ///< bits of what is beyond it: infinity, or `largest` where conversions saturate
  std::uint64_t infinity;  ///< bits; 0: the format has none
  std::uint64_t nan;
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
};

constexpr Format f16_format{5, 10, 0x7bff, 0x7c00, 0x7c00, 0x7fff};
constexpr Format bf16_format{8, 7, 0x7f7f, 0x7f80, 0x7f80, 0x7fff};
constexpr Format f8e4m3_format{4, 3, 0x7e, 0x7e, 0, 0x7f};
constexpr Format f8e5m2_format{5, 2, 0x7b, 0x7b, 0x7c, 0x7f};

double decode(const Format& format, std::uint64_t bits) {
  const int width = 1 + format.exponent_bits + format.mantissa_bits;
  const bool negative = bits >> (width - 1) & 1;
  const std::uint64_t magnitude = bits & ((std::uint64_t{1} << (width - 1)) - 1);
  double value;
  if (magnitude > format.largest) {
    value = magnitude == format.infinity ? std::numeric_limits<double>::infinity()
                                         : std::numeric_limits<double>::quiet_NaN();
  } else {
    const std::uint64_t one = std::uint64_t{1} << format.mantissa_bits;
    const int exponent = int(magnitude >> format.mantissa_bits);
    const double significand = double(exponent > 0 ? magnitude % one + one : magnitude);
    value = std::ldexp(significand, std::max(exponent, 1) - format.bias() - format.mantissa_bits);
  }
  return negative ? -value : value;
}

std::uint64_t encode(const Format& format, double value) {
  if (std::isnan(value)) return format.nan;
  const std::uint64_t sign = std::uint64_t{std::signbit(value)} << (format.exponent_bits + format.mantissa_bits);
  const double magnitude = std::abs(value);
  if (std::isinf(magnitude)) return sign | format.overflow;
  if (magnitude == 0) return sign;
  // In units of the last place, so that rounding to a whole number is the rounding wanted.
  const int exponent = std::max(std::ilogb(magnitude), 1 - format.bias());
  const double places = std::nearbyint(std::ldexp(magnitude, format.mantissa_bits - exponent));
  const auto count = static_cast<std::uint64_t>(places);
  const std::uint64_t one = std::uint64_t{1} << format.mantissa_bits;
  // A carry out of the mantissa moves on to the exponent by itself; below `one` the value is subnormal.
  const std::uint64_t bits =
      count < one ? count : (std::uint64_t(exponent + format.bias()) << format.mantissa_bits) + (count - one);
  return sign | (bits > format.largest ? format.overflow : bits);
}

template <class T>
T read(const std::byte* element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return value;
}
template <class T>
void write(std::byte* element, T value) {
  std::memcpy(element, &value, sizeof value);
}

std::uint8_t byte_at(const std::byte* element) { return read<std::uint8_t>(element); }

template <class T>
T truncated(double value) {
  if (std::isnan(value)) return 0;
  constexpr double least = double(std::numeric_limits<T>::min()), most = double(std::numeric_limits<T>::max());
  if (value <= least) return std::numeric_limits<T>::min();
  if (value >= most) return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

/// Calls f with the host's type of an integer dtype.
template <class F>
auto with_integer_type(DType dtype, F&& f) {
  switch (dtype) {
    case DType::i8:
      return f(std::int8_t{});
    case DType::u8:
      return f(std::uint8_t{});
    case DType::i16:
      return f(std::int16_t{});
    case DType::i32:
      return f(std::int32_t{});
    default:
      return f(std::int64_t{});
  }
}

/// A double that rounds to any narrower format as the 64-bit integer itself would: cut off, the last bit set where
/// something was lost.
double odd_double(std::int64_t value) {
  double cut = double(value);
  if (std::abs(cut) >= 0x1p53 && value != std::numeric_limits<std::int64_t>::min()) {
    if (std::abs(cut) >= 0x1p63 || std::abs(std::int64_t(cut)) > std::abs(value)) cut = std::nextafter(cut, 0.0);
    if (std::int64_t(cut) != value) {
      auto bits = read<std::uint64_t>(reinterpret_cast<const std::byte*>(&cut));
      bits |= 1;
      std::memcpy(&cut, &bits, sizeof cut);
    }
  }
  return cut;
}

}  // namespace

double double_at(DType dtype, const std::byte* element) {
  switch (dtype) {
    case DType::f64:
      return read<double>(element);
    case DType::f32:
      return read<float>(element);
    case DType::f16:
      return decode(f16_format, read<std::uint16_t>(element));
    case DType::bf16:
      return decode(bf16_format, read<std::uint16_t>(element));
    case DType::f8e4m3:
      return decode(f8e4m3_format, byte_at(element));
    case DType::f8e5m2:
      return decode(f8e5m2_format, byte_at(element));
    default:
      return double(integer_at(dtype, element));
  }
}

void put_double(DType dtype, std::byte* element, double value) {
  switch (dtype) {
    case DType::f64:
      return write(element, value);
    case DType::f32:
      return write(element, static_cast<float>(value));
    case DType::f16:
      return write(element, static_cast<std::uint16_t>(encode(f16_format, value)));
    case DType::bf16:
      return write(element, static_cast<std::uint16_t>(encode(bf16_format, value)));
    case DType::f8e4m3:
      return write(element, static_cast<std::uint8_t>(encode(f8e4m3_format, value)));
    case DType::f8e5m2:
      return write(element, static_cast<std::uint8_t>(encode(f8e5m2_format, value)));
    case DType::boolean:
      return write(element, std::uint8_t{value != 0});
    default:
      with_integer_type(dtype, [&](auto type) { write(element, truncated<decltype(type)>(value)); });
  }
}

std::int64_t integer_at(DType dtype, const std::byte* element) {
  if (is_floating(dtype)) return truncated<std::int64_t>(double_at(dtype, element));
  if (dtype == DType::boolean) return byte_at(element) != 0;
  return with_integer_type(dtype, [&](auto type) { return std::int64_t{read<decltype(type)>(element)}; });
}

void put_integer(DType dtype, std::byte* element, std::int64_t value) {
  if (dtype == DType::f64) return write(element, static_cast<double>(value));
  if (dtype == DType::f32) return write(element, static_cast<float>(value));
  if (is_floating(dtype)) return put_double(dtype, element, odd_double(value));
  if (dtype == DType::boolean) return write(element, std::uint8_t{value != 0});
  with_integer_type(dtype, [&](auto type) { write(element, static_cast<decltype(type)>(value)); });
}

void convert_element(DType from_dtype, const std::byte* from, DType to_dtype, std::byte* to) {
  if (from_dtype == to_dtype) {
    std::memcpy(to, from, size_of(to_dtype));
  } else if (is_floating(from_dtype)) {
    put_double(to_dtype, to, double_at(from_dtype, from));
  } else {
    put_integer(to_dtype, to, integer_at(from_dtype, from));
  }
}

std::string text_at(DType dtype, const std::byte* element) {
  if (dtype == DType::boolean) return byte_at(element) != 0 ? "true" : "false";
  if (!is_floating(dtype)) return fmt::format("{}", integer_at(dtype, element));
  const double value = double_at(dtype, element);
  if (std::isnan(value)) return "nan";
  if (dtype == DType::f64) return fmt::format("{}", value);
  if (dtype == DType::f32) return fmt::format("{}", static_cast<float>(value));
  for (int digits = 1; digits < 9; ++digits) {
    const std::string text = fmt::format("{:.{}g}", value, digits);
    std::byte back[2];
    put_double(dtype, back, std::stod(text));
    if (double_at(dtype, back) == value) return text;
  }
  return fmt::format("{}", value);
}

}  // namespace tilejit::tool
