#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "instruction.h"
#include "numbers.h"

namespace tilejit::testing {
namespace {

const Format& format_of(const std::string& type) {
  static const std::map<std::string, const Format*> all = {
      {"f16", &f16}, {"bf16", &bf16}, {"f32", &f32}, {"f64", &f64}};
  return *all.at(type);
}
int bits_of(const std::string& type) { return std::stoi(type.substr(1)); }

constexpr Direction directions[] = {Direction::nearest, Direction::zero, Direction::down, Direction::up};
constexpr const char* rounding[] = {"rn", "rz", "rm", "rp"};
const char* const integers[] = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};

std::vector<std::uint64_t> values_of(const std::string& type, std::size_t count) {
  if (type == "f16" || type == "bf16") {
    std::vector<std::uint64_t> all(65536);
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
    return all;
  }
  return interesting(format_of(type), count, 7);
}

std::uint64_t extended(std::uint64_t v, int bits, bool is_signed) {
  if (bits == 64) return v;
  const int up = 64 - bits;
  return is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(v << up) >> up) : v << up >> up;
}

TEST(Conversions, FloatsToIntegersSaturateInEveryDirection) {
  for (const char* from : {"f16", "bf16", "f32", "f64"}) {
    const std::vector<std::uint64_t> in = values_of(from, 4000);
    for (const char* to : integers) {
      for (int d = 0; d < 4; ++d) {
        const std::string name = std::string("cvt.") + rounding[d] + "i." + to + "." + from;
        const int bits = bits_of(to);
        const std::vector<std::uint64_t> out = run({name, to, {from}}, {in});
        for (std::size_t k = 0; k < in.size(); ++k) {
          const std::uint64_t want = to_integer(format_of(from), in[k], bits, to[0] == 's', directions[d]);
          ASSERT_EQ(extended(out[k], bits, false), want) << name << " of 0x" << std::hex << in[k];
        }
      }
    }
  }
}

TEST(Conversions, IntegersToFloatsAreRoundedOnce) {
  for (const char* from : integers) {
    const int bits = bits_of(from);
    const bool is_signed = from[0] == 's';
    std::vector<std::uint64_t> in = interesting_integers(bits, 4000, 9);
    for (const char* to : {"f16", "bf16", "f32", "f64"}) {
      for (int d = 0; d < 4; ++d) {
        const std::string name = std::string("cvt.") + rounding[d] + "." + to + "." + from;
        const std::vector<std::uint64_t> out = run({name, to, {from}}, {in});
        for (std::size_t k = 0; k < in.size(); ++k) {
          const std::uint64_t want =
              from_integer(is_signed, extended(in[k], bits, is_signed), format_of(to), directions[d]);
          ASSERT_EQ(out[k], want) << name << " of 0x" << std::hex << in[k];
        }
      }
    }
  }
}

TEST(Conversions, IntegersToIntegersWrapOrSaturate) {
  for (const char* from : integers) {
    const std::vector<std::uint64_t> in = interesting_integers(bits_of(from), 2000, 11);
    for (const char* to : integers) {
      for (const char* sat : {"", ".sat"}) {
        const std::string name = std::string("cvt") + sat + "." + to + "." + from;
        const int bits = bits_of(to);
        const std::vector<std::uint64_t> out = run({name, to, {from}}, {in});
        for (std::size_t k = 0; k < in.size(); ++k) {
          const std::uint64_t v = extended(in[k], bits_of(from), from[0] == 's');
          __extension__ typedef __int128 Wide;
          Wide whole = from[0] == 's' ? static_cast<Wide>(static_cast<std::int64_t>(v)) : static_cast<Wide>(v);
          if (*sat != 0) {
            const Wide high = (Wide{1} << (to[0] == 's' ? bits - 1 : bits)) - 1,
                       low = to[0] == 's' ? -high - 1 : Wide{0};
            whole = whole > high ? high : whole < low ? low : whole;
          }
          ASSERT_EQ(extended(out[k], bits, false), extended(static_cast<std::uint64_t>(whole), bits, false))
              << name << " of 0x" << std::hex << in[k];
        }
      }
    }
  }
}

struct Narrowing {
  const char *to, *from;
};

TEST(Conversions, FloatsToFloatsAreRoundedOnce) {
  const Narrowing all[] = {{"f16", "f32"}, {"bf16", "f32"}, {"f16", "f64"}, {"bf16", "f64"}, {"f32", "f64"}};
  for (const Narrowing& n : all) {
    const std::vector<std::uint64_t> in = values_of(n.from, 30000);
    for (int d = 0; d < 4; ++d) {
      const std::string name = std::string("cvt.") + rounding[d] + "." + n.to + "." + n.from;
      const std::vector<std::uint64_t> out = run({name, n.to, {n.from}}, {in});
      for (std::size_t k = 0; k < in.size(); ++k) {
        const std::uint64_t want = exact(Operation::copy, format_of(n.from), format_of(n.to), directions[d], in[k]);
        if (is_nan(format_of(n.to), want) && is_nan(format_of(n.to), out[k])) continue;
        ASSERT_EQ(out[k], want) << name << " of 0x" << std::hex << in[k];
      }
    }
  }
}

TEST(Conversions, WideningIsExactForEveryHalf) {
  for (const Narrowing& n : {Narrowing{"f32", "f16"}, {"f32", "bf16"}, {"f64", "f16"}, {"f64", "f32"}}) {
    const std::vector<std::uint64_t> in = values_of(n.from, 20000);
    const std::vector<std::uint64_t> out = run({std::string("cvt.") + n.to + "." + n.from, n.to, {n.from}}, {in});
    for (std::size_t k = 0; k < in.size(); ++k) {
      const std::uint64_t want = exact(Operation::copy, format_of(n.from), format_of(n.to), Direction::nearest, in[k]);
      if (is_nan(format_of(n.to), want) && is_nan(format_of(n.to), out[k])) continue;
      ASSERT_EQ(out[k], want) << n.to << " of " << n.from << " 0x" << std::hex << in[k];
    }
  }
}

TEST(Conversions, TheFirstSourceGoesToTheUpperHalf) {
  const std::vector<std::uint64_t> a = interesting(f32, 3000, 5), b = interesting(f32, 3000, 6);
  for (const auto& [type, single] : {std::pair{"f16x2", "f16"}, {"bf16x2", "bf16"}}) {
    const std::vector<std::uint64_t> out = run({std::string("cvt.rn.") + type + ".f32", type, {"f32", "f32"}}, {a, b});
    for (std::size_t k = 0; k < a.size(); ++k) {
      const Format& to = format_of(single);
      const std::uint64_t upper = exact(Operation::copy, f32, to, Direction::nearest, a[k]);
      const std::uint64_t lower = exact(Operation::copy, f32, to, Direction::nearest, b[k]);
      if (!is_nan(to, upper)) {
        ASSERT_EQ(out[k] >> 16, upper) << type;
      }
      if (!is_nan(to, lower)) {
        ASSERT_EQ(out[k] & 0xFFFF, lower) << type;
      }
    }
  }
}

TEST(Conversions, EightBitFormatsBothWays) {
  const std::vector<std::uint64_t> a = interesting(f32, 6000, 5);
  std::vector<std::uint64_t> near = a;  // around the formats' own range, ties too
  for (std::size_t k = 0; k < near.size(); ++k)
    near[k] = (near[k] & 0x807F0000) | ((100 + k % 45) << 23) | (k % 3 == 0 ? 0x8000 : 0);
  for (const auto& [type, format] : {std::pair<const char*, const Format&>{"e4m3x2", e4m3}, {"e5m2x2", e5m2}}) {
    const std::vector<std::uint64_t> out =
        run({std::string("cvt.rn.satfinite.") + type + ".f32", type, {"f32", "f32"}}, {near, a});
    for (std::size_t k = 0; k < a.size(); ++k) {
      for (const auto& [value, got] : {std::pair{near[k], out[k] >> 8}, {a[k], out[k] & 0xFF}}) {
        std::uint64_t want = exact(Operation::copy, f32, format, Direction::nearest, value);
        if (is_nan(f32, value))
          want = 0x7F;
        else if (!format.finite && (want & 0x7F) == 0x7C)
          want -= 1;  // satfinite
        ASSERT_EQ(got, want) << type << " of 0x" << std::hex << value;
      }
    }
    std::vector<std::uint64_t> bytes(65536);
    for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = k;
    const std::vector<std::uint64_t> wide = run({std::string("cvt.rn.f16x2.") + type, "f16x2", {type}}, {bytes});
    for (std::size_t k = 0; k < bytes.size(); ++k) {
      for (const int shift : {0, 1}) {
        const std::uint64_t want = exact(Operation::copy, format, f16, Direction::nearest, k >> 8 * shift & 0xFF);
        const std::uint64_t got = wide[k] >> 16 * shift & 0xFFFF;
        if (is_nan(f16, want) && is_nan(f16, got)) continue;
        ASSERT_EQ(got, want) << type << " 0x" << std::hex << k;
      }
    }
  }
}

TEST(Conversions, RoundingToIntegralValuesAndSaturating) {
  const std::vector<std::uint64_t> in = interesting(f32, 20000, 3);
  for (int d = 0; d < 4; ++d) {
    const std::string name = std::string("cvt.") + rounding[d] + "i.f32.f32";
    const std::vector<std::uint64_t> out = run({name, "f32", {"f32"}}, {in});
    for (std::size_t k = 0; k < in.size(); ++k) {
      const double v = as_double(f32, in[k]);
      if (std::isnan(v)) continue;
      const double want = d == 0 ? std::nearbyint(v) : d == 1 ? std::trunc(v) : d == 2 ? std::floor(v) : std::ceil(v);
      ASSERT_EQ(as_double(f32, out[k]), want) << name << " of " << v;
      ASSERT_EQ(std::signbit(as_double(f32, out[k])), std::signbit(v)) << name << " of " << v;
    }
  }
  const std::vector<std::uint64_t> sat = run({"cvt.sat.f32.f32", "f32", {"f32"}}, {in});
  for (std::size_t k = 0; k < in.size(); ++k) {
    const double v = as_double(f32, in[k]);
    ASSERT_EQ(as_double(f32, sat[k]), v > 0 ? std::min(v, 1.0) : 0.0) << v;
  }
}

}  // namespace
}  // namespace tilejit::testing
