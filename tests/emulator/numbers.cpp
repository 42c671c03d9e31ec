#include "numbers.h"

#include <mpfr.h>

#include <cmath>
#include <random>

namespace tilejit::testing {
namespace {

constexpr mpfr_prec_t wide = 2400;  // holds every sum of products of doubles exactly, but for quotients

struct Number {
  mpfr_t value;
  Number() { mpfr_init2(value, wide); }
  ~Number() { mpfr_clear(value); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
};

std::uint64_t ones(int bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

void load(const Format& f, std::uint64_t bits, mpfr_t out) {
  const bool minus = (bits >> (f.bits - 1) & 1) != 0;
  const std::uint64_t exponent = bits >> f.mantissa_bits & ones(f.exponent_bits),
                      mantissa = bits & ones(f.mantissa_bits);
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  if (is_nan(f, bits)) {
    mpfr_set_nan(out);
    return;
  }
  if (!f.finite && exponent == ones(f.exponent_bits)) {
    mpfr_set_inf(out, minus ? -1 : 1);
    return;
  }
  const std::uint64_t whole = exponent == 0 ? mantissa : mantissa | std::uint64_t{1} << f.mantissa_bits;
  mpfr_set_uj(out, whole, MPFR_RNDN);
  mpfr_mul_2si(out, out, (exponent == 0 ? 1 : static_cast<int>(exponent)) - bias - f.mantissa_bits, MPFR_RNDN);
  mpfr_setsign(out, out, minus ? 1 : 0, MPFR_RNDN);
}

mpfr_rnd_t mode(Direction d) {
  return d == Direction::nearest ? MPFR_RNDN
         : d == Direction::zero  ? MPFR_RNDZ
         : d == Direction::down  ? MPFR_RNDD
                                 : MPFR_RNDU;
}

/// Scales so that the format's last place is one, rounds to a whole number, puts the bits together.
std::uint64_t store(const Format& f, Direction d, mpfr_t v) {
  const std::uint64_t sign = mpfr_signbit(v) != 0 ? std::uint64_t{1} << (f.bits - 1) : 0;
  const std::uint64_t infinity = ones(f.exponent_bits) << f.mantissa_bits;
  if (mpfr_nan_p(v)) return f.finite ? ones(f.bits - 1) : infinity | ones(f.mantissa_bits);
  if (mpfr_inf_p(v)) return sign | (f.finite ? ones(f.bits - 1) - 1 : infinity);
  if (mpfr_zero_p(v)) return sign;
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  long exponent = mpfr_get_exp(v) - 1;  // 1 <= |v| / 2^exponent < 2
  if (exponent < 1 - bias) exponent = 1 - bias;
  Number scaled;
  mpfr_mul_2si(scaled.value, v, f.mantissa_bits - exponent, MPFR_RNDN);
  mpfr_rint(scaled.value, scaled.value, mode(d));
  mpfr_abs(scaled.value, scaled.value, MPFR_RNDN);
  const std::uint64_t whole = mpfr_get_uj(scaled.value, MPFR_RNDN);
  const std::uint64_t field = static_cast<std::uint64_t>(exponent + bias - 1) << f.mantissa_bits;
  const std::uint64_t size = field + whole;  // the hidden bit carries into the exponent
  if (f.finite) return sign | std::min<std::uint64_t>(size, ones(f.bits - 1) - 1);
  if (size < infinity && exponent <= bias) return sign | size;
  const bool stays = d == Direction::zero || (d == Direction::down && sign == 0) || (d == Direction::up && sign != 0);
  return sign | (stays ? infinity - 1 : infinity);
}

}  // namespace

bool is_nan(const Format& f, std::uint64_t bits) {
  const std::uint64_t size = bits & ones(f.bits - 1);
  return f.finite ? size == ones(f.bits - 1) : size > ones(f.exponent_bits) << f.mantissa_bits;
}

std::uint64_t flushed(const Format& f, std::uint64_t bits) {
  const bool subnormal = (bits >> f.mantissa_bits & ones(f.exponent_bits)) == 0;
  return subnormal ? bits & std::uint64_t{1} << (f.bits - 1) : bits;
}

std::uint64_t exact(Operation operation, const Format& from, const Format& to, Direction d, std::uint64_t a,
                    std::uint64_t b, std::uint64_t c) {
  Number x, y, z, out;
  load(from, a, x.value);
  load(from, b, y.value);
  load(from, c, z.value);
  const mpfr_rnd_t m = mode(d);
  switch (operation) {
    case Operation::add:
      mpfr_add(out.value, x.value, y.value, m);
      break;
    case Operation::sub:
      mpfr_sub(out.value, x.value, y.value, m);
      break;
    case Operation::mul:
      mpfr_mul(out.value, x.value, y.value, m);
      break;
    case Operation::fma:
      mpfr_fma(out.value, x.value, y.value, z.value, m);
      break;
    case Operation::copy:
      mpfr_set(out.value, x.value, m);
      break;
    // Not exact, but rounded towards the same side: the second rounding then gives what one would, except at a tie,
    // which quotients and roots of these widths do not have.
    case Operation::div:
      mpfr_div(out.value, x.value, y.value, m);
      break;
    case Operation::sqrt:
      mpfr_sqrt(out.value, x.value, m);
      break;
  }
  return store(to, d, out.value);
}

std::uint64_t from_integer(bool is_signed, std::uint64_t value, const Format& to, Direction d) {
  Number v;
  if (is_signed)
    mpfr_set_sj(v.value, static_cast<std::int64_t>(value), MPFR_RNDN);
  else
    mpfr_set_uj(v.value, value, MPFR_RNDN);
  return store(to, d, v.value);
}

std::uint64_t to_integer(const Format& from, std::uint64_t value, int bits, bool is_signed, Direction d) {
  const std::uint64_t high = ones(is_signed ? bits - 1 : bits), top = std::uint64_t{1} << (bits - 1);
  if (is_nan(from, value)) return from.bits == 64 || bits == 64 ? top : 0;
  Number v, low, most;
  load(from, value, v.value);
  if (mpfr_inf_p(v.value) == 0) mpfr_rint(v.value, v.value, mode(d));
  mpfr_set_uj(most.value, high, MPFR_RNDN);
  mpfr_set_zero(low.value, 1);
  if (is_signed) {
    mpfr_set_uj(low.value, top, MPFR_RNDN);
    mpfr_neg(low.value, low.value, MPFR_RNDN);
  }
  if (mpfr_cmp(v.value, most.value) >= 0) return high;
  if (mpfr_cmp(v.value, low.value) <= 0) return is_signed ? top : 0;
  return static_cast<std::uint64_t>(is_signed ? mpfr_get_sj(v.value, MPFR_RNDN)
                                              : static_cast<std::intmax_t>(mpfr_get_uj(v.value, MPFR_RNDN))) &
         ones(bits);
}

double as_double(const Format& format, std::uint64_t bits) {
  Number v;
  load(format, bits, v.value);
  return mpfr_get_d(v.value, MPFR_RNDN);
}

std::vector<std::uint64_t> interesting(const Format& f, std::size_t random, std::uint64_t seed) {
  const std::uint64_t infinity = ones(f.exponent_bits) << f.mantissa_bits;
  const std::uint64_t one = static_cast<std::uint64_t>((1 << (f.exponent_bits - 1)) - 1) << f.mantissa_bits;
  const std::uint64_t normal = std::uint64_t{1} << f.mantissa_bits;
  std::vector<std::uint64_t> sizes = {0,
                                      1,
                                      2,
                                      3,
                                      normal - 1,
                                      normal,
                                      normal + 1,
                                      normal / 2,
                                      one,
                                      one + 1,
                                      one - 1,
                                      one + normal,
                                      one + normal / 2,
                                      infinity - 1,
                                      infinity - 2,
                                      infinity,
                                      infinity + 1,
                                      infinity | ones(f.mantissa_bits)};
  std::mt19937_64 generator(seed);
  while (sizes.size() < random / 2) {
    std::uint64_t bits = generator() & ones(f.bits - 1);
    switch (generator() % 4) {
      case 0:
        bits &= ~ones(f.mantissa_bits / 2);
        break;  // short mantissas: exact results and ties
      case 1:
        bits = (one + (bits & ones(f.mantissa_bits + 3)) - 4 * normal) & ones(f.bits - 1);
        break;  // near one
      default:
        break;
    }
    sizes.push_back(bits);
  }
  std::vector<std::uint64_t> all = sizes;
  for (const std::uint64_t size : sizes) all.push_back(size | std::uint64_t{1} << (f.bits - 1));
  return all;
}

std::vector<std::uint64_t> interesting_integers(int bits, std::size_t random, std::uint64_t seed) {
  std::vector<std::uint64_t> all = {0, 1, 2, 3, 31, 32, 33, 63, 64, 255};
  const std::uint64_t top = std::uint64_t{1} << (bits - 1);
  for (const std::uint64_t edge : {top, ones(bits)}) {
    for (std::uint64_t k = 0; k < 3; ++k) {
      all.push_back((edge - k) & ones(bits));
      all.push_back((edge + k) & ones(bits));
    }
  }
  std::mt19937_64 generator(seed);
  while (all.size() < random) all.push_back((generator() >> generator() % 60) & ones(bits));
  for (std::uint64_t& v : all) v &= ones(bits);
  return all;
}

void pairs(const std::vector<std::uint64_t>& x, const std::vector<std::uint64_t>& y, std::vector<std::uint64_t>& a,
           std::vector<std::uint64_t>& b) {
  for (const std::uint64_t p : x) {
    for (const std::uint64_t q : y) {
      a.push_back(p);
      b.push_back(q);
    }
  }
}

}  // namespace tilejit::testing
