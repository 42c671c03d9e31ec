#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include <tilejit/generator/dtype.h>

namespace tilejit {

/// A scalar argument: a host value that keeps its kind until it is converted to what the template declares.
class TILEJIT_API Scalar {
 public:
  Scalar() = default;
  template <class T>
  requires(std::is_arithmetic_v<T> && !std::is_same_v<T, long double>) Scalar(T value) {
    if constexpr (std::is_same_v<T, bool>) {
      kind_ = Kind::boolean;
      integer_ = value;
    } else if constexpr (std::is_floating_point_v<T>) {
      kind_ = Kind::floating;
      floating_ = double(value);
    } else if constexpr (std::is_unsigned_v<T> && sizeof(T) == 8) {
      kind_ = Kind::unsigned_integer;
      integer_ = std::int64_t(value);
    } else {
      kind_ = Kind::integer;
      integer_ = std::int64_t(value);
    }
  }

  /// The bits of this value as `dtype`, low bytes first. Throws InvalidArgument, naming `argument` and the nearest
  /// value that fits, where the conversion is not exact; a floating value to a floating dtype may only lose precision
  /// it does not have (0.1 to f32 is refused unless it was given as a float; NaN and infinities convert).
  std::uint64_t bits_as(DType dtype, const std::string& argument) const;
  bool holds_floating() const { return kind_ == Kind::floating; }
  double as_double() const;                             ///< rounded where it is an integer beyond 2^53
  std::int64_t as_integer() const { return integer_; }  ///< of one that is not floating; unsigned ones wrap
  std::string to_string() const;

 private:
  enum class Kind : std::uint8_t { boolean, integer, unsigned_integer, floating } kind_ = Kind::integer;
  std::int64_t integer_ = 0;
  double floating_ = 0;
};

}  // namespace tilejit
