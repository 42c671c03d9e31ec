#include "tiles.h"

#include <algorithm>

namespace tilejit::testing {
namespace {

constexpr const char* kinds[tile_kinds] = {"ordinary", "wide exponents",   "any bits", "zeros and subnormals",
                                           "cancels",  "towards infinity", "tiny",     "small whole numbers"};

/// splitmix64
struct Random {
  std::uint64_t state;
  std::uint64_t next() {
    std::uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
};

/// A random number with an exponent between two, cut to what the format has.
std::uint64_t between(const Format& f, Random& random, int low, int high) {
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  const int top = (1 << f.exponent_bits) - (f.finite ? 1 : 2);
  const int exponent = std::clamp(low + random.below(high - low + 1) + bias, 0, top);
  std::uint64_t mantissa = random.next() & ((std::uint64_t{1} << f.mantissa_bits) - 1);
  if (f.finite && exponent == top) mantissa &= ~std::uint64_t{1};  // no NaN
  const std::uint64_t sign = random.next() & 1;
  return sign << (f.bits - 1) | static_cast<std::uint64_t>(exponent) << f.mantissa_bits | mantissa;
}

std::uint64_t element(Element e, int kind, Random& random, bool of_c) {
  if (e == Element::s32) {
    if (kind == 5)
      return static_cast<std::uint32_t>((random.next() & 1) != 0 ? 0x7FFFFFFF - random.below(100000)
                                                                 : -0x7FFFFFFF + random.below(100000));
    return static_cast<std::uint32_t>(kind == 2 ? random.next() : random.next() % 2000 - 1000);
  }
  if (is_whole(e)) return (kind == 5 ? 0x7F - (random.next() & 0x83) : random.next()) & 0xFF;
  const Format& f = format_of(e);
  const std::uint64_t all = f.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << f.bits) - 1;
  const int bias = (1 << (f.exponent_bits - 1)) - 1;
  switch (kind) {
    case 1:
      return between(f, random, -12, 12);
    case 2:
      // Infinities and NaNs now and then: else whole tiles would be nothing else.
      for (;;) {
        const std::uint64_t bits = random.next() & all;
        const std::uint64_t exponent = bits >> f.mantissa_bits & ((std::uint64_t{1} << f.exponent_bits) - 1);
        const bool special = f.finite ? is_nan(f, bits) : exponent == (std::uint64_t{1} << f.exponent_bits) - 1;
        if (!special || random.below(40) == 0) return bits;
      }
    case 3: {
      const int what = random.below(4);
      if (what == 0) return (random.next() & 1) << (f.bits - 1);
      if (what == 1) return between(f, random, -bias, -bias);
      return between(f, random, what == 2 ? -bias : -3, 3);
    }
    case 5:
      return between(f, random, of_c ? bias - 2 : bias / 2 - 1, of_c ? bias : (bias + 1) / 2);
    case 6:
      return between(f, random, of_c ? -bias : -bias / 2 - 6, of_c ? -bias + 6 : -bias / 2 + 2);
    case 7: {
      const int value = random.below(17) - 8;
      if (value == 0) return 0;
      const int size = value < 0 ? -value : value, exponent = 31 - __builtin_clz(static_cast<unsigned>(size));
      const std::uint64_t mantissa = static_cast<std::uint64_t>(size - (1 << exponent)) << f.mantissa_bits >> exponent;
      return std::uint64_t{value < 0} << (f.bits - 1) | static_cast<std::uint64_t>(exponent + bias) << f.mantissa_bits |
             mantissa;
    }
    default:
      return between(f, random, -4, 0);
  }
}

}  // namespace

const char* name_of_kind(int kind) { return kinds[kind]; }

Tile tile_of(const MmaForm& form, int index) {
  std::uint64_t seed = static_cast<std::uint64_t>(index) * 0x2545F4914F6CDD1Du;
  for (const char c : form.instruction()) seed = seed * 31 + static_cast<unsigned char>(c);
  Random random{seed};
  const int kind = index % tile_kinds;
  Tile t;
  for (int i = 0; i < form.m * form.k; ++i) t.a.push_back(element(form.a, kind, random, false));
  for (int i = 0; i < form.k * form.n; ++i) t.b.push_back(element(form.b, kind, random, false));
  for (int i = 0; i < form.m * form.n; ++i) t.c.push_back(element(form.c, kind, random, true));
  if (kind == 4 && !is_whole(form.a)) {  // each second product is the first one's opposite, now and then off by a bit
    const std::uint64_t sign_a = std::uint64_t{1} << (format_of(form.a).bits - 1);
    for (int row = 0; row < form.m; ++row) {
      for (int k = 0; k + 1 < form.k; k += 2) {
        const auto at = static_cast<std::size_t>(row * form.k + k);
        t.a[at + 1] = t.a[at] ^ sign_a ^ (random.below(4) == 0 ? 1 : 0);
      }
    }
    for (int k = 0; k + 1 < form.k; k += 2) {
      for (int column = 0; column < form.n; ++column) {
        const auto at = static_cast<std::size_t>(k * form.n + column);
        t.b[at + static_cast<std::size_t>(form.n)] = t.b[at];
      }
    }
    for (std::uint64_t& c : t.c) c = random.below(2) == 0 ? 0 : c;
  }
  return t;
}

}  // namespace tilejit::testing
