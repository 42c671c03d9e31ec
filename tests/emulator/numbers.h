#pragma once
#include <cstdint>
#include <vector>

/// Values to try and slow, obvious arithmetic to compare with.
namespace tilejit::testing {

/// A binary floating-point format with IEEE's layout; e4m3 without infinities is `finite`.
struct Format {
  int bits, exponent_bits, mantissa_bits;
  bool finite = false;
};
inline constexpr Format f16{16, 5, 10}, bf16{16, 8, 7}, f32{32, 8, 23}, f64{64, 11, 52}, e4m3{8, 4, 3, true},
    e5m2{8, 5, 2};

enum class Direction { nearest, zero, down, up };

bool is_nan(const Format& format, std::uint64_t bits);
/// Subnormals to zeros of their sign.
std::uint64_t flushed(const Format& format, std::uint64_t bits);

/// a + b, a * b, a * b + c, a / b, sqrt(a), computed by MPFR with 2000 bits and rounded once into `to`.
enum class Operation { add, sub, mul, fma, div, sqrt, copy };
std::uint64_t exact(Operation operation, const Format& from, const Format& to, Direction direction, std::uint64_t a,
                    std::uint64_t b = 0, std::uint64_t c = 0);
/// A whole number into a format, and a value into a whole number of `bits` bits, cut to its range.
std::uint64_t from_integer(bool is_signed, std::uint64_t value, const Format& to, Direction direction);
std::uint64_t to_integer(const Format& from, std::uint64_t value, int bits, bool is_signed, Direction direction);

double as_double(const Format& format, std::uint64_t bits);

/// Zeros, ones, limits, subnormals, ties, infinities, NaN and `random` more with every exponent.
std::vector<std::uint64_t> interesting(const Format& format, std::size_t random, std::uint64_t seed);
/// Edges and random numbers of a width.
std::vector<std::uint64_t> interesting_integers(int bits, std::size_t random, std::uint64_t seed);
/// Every pair of two short lists, as two columns.
void pairs(const std::vector<std::uint64_t>& x, const std::vector<std::uint64_t>& y, std::vector<std::uint64_t>& a,
           std::vector<std::uint64_t>& b);

}  // namespace tilejit::testing
