#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "instruction.h"
#include "numbers.h"

namespace tilejit::testing {
namespace {

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

struct Type {
  const char* name;
  int bits;
  bool is_signed;
};
constexpr Type types[] = {{"u16", 16, false}, {"s16", 16, true},  {"u32", 32, false},
                          {"s32", 32, true},  {"u64", 64, false}, {"s64", 64, true}};

Wide value(const Type& t, std::uint64_t bits) {
  if (t.bits == 64) return t.is_signed ? static_cast<Wide>(static_cast<std::int64_t>(bits)) : static_cast<Wide>(bits);
  const int up = 64 - t.bits;
  return t.is_signed ? static_cast<Wide>(static_cast<std::int64_t>(bits << up) >> up)
                     : static_cast<Wide>(bits << up >> up);
}
std::uint64_t cut(Wide v, int bits) {
  return static_cast<std::uint64_t>(v) & (bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1);
}

using Binary = std::function<Wide(Wide, Wide)>;

void expect(const std::string& name, const Type& t, const char* result, int result_bits, const Binary& f,
            bool skip_zero = false) {
  std::vector<std::uint64_t> a, b;
  pairs(interesting_integers(t.bits, 100, 1), interesting_integers(t.bits, 100, 2), a, b);
  if (skip_zero) {
    for (std::uint64_t& v : b) v = v == 0 ? 3 : v;
  }
  const std::vector<std::uint64_t> out = run({name, result, {t.name, t.name}}, {a, b});
  for (std::size_t k = 0; k < a.size(); ++k) {
    ASSERT_EQ(cut(static_cast<Wide>(out[k]), result_bits), cut(f(value(t, a[k]), value(t, b[k])), result_bits))
        << name << std::hex << " of " << a[k] << " and " << b[k];
  }
}

TEST(Integers, ArithmeticWrapsAround) {
  for (const Type& t : types) {
    const std::string end = std::string(".") + t.name;
    expect("add" + end, t, t.name, t.bits, [](Wide a, Wide b) { return a + b; });
    expect("sub" + end, t, t.name, t.bits, [](Wide a, Wide b) { return a - b; });
    expect("mul.lo" + end, t, t.name, t.bits, [](Wide a, Wide b) {
      return static_cast<Wide>(static_cast<UnsignedWide>(a) * static_cast<UnsignedWide>(b));
    });
    expect("mul.hi" + end, t, t.name, t.bits, [&](Wide a, Wide b) {
      return t.bits == 64 && !t.is_signed
                 ? static_cast<Wide>(static_cast<UnsignedWide>(a) * static_cast<UnsignedWide>(b) >> 64)
                 : a * b >> t.bits;
    });
    expect("min" + end, t, t.name, t.bits, [](Wide a, Wide b) { return a < b ? a : b; });
    expect("max" + end, t, t.name, t.bits, [](Wide a, Wide b) { return a > b ? a : b; });
    expect(
        "div" + end, t, t.name, t.bits, [](Wide a, Wide b) { return a / b; }, true);
    expect(
        "rem" + end, t, t.name, t.bits, [](Wide a, Wide b) { return a % b; }, true);
    if (t.bits < 64) {
      const std::string wide = std::string(1, t.name[0]) + std::to_string(2 * t.bits);
      expect("mul.wide" + end, t, wide.c_str(), 2 * t.bits, [](Wide a, Wide b) { return a * b; });
    }
  }
}

TEST(Integers, ComparisonsOfEveryOrder) {
  const std::pair<const char*, Binary> orders[] = {
      {"eq", [](Wide a, Wide b) { return a == b; }}, {"ne", [](Wide a, Wide b) { return a != b; }},
      {"lt", [](Wide a, Wide b) { return a < b; }},  {"le", [](Wide a, Wide b) { return a <= b; }},
      {"gt", [](Wide a, Wide b) { return a > b; }},  {"ge", [](Wide a, Wide b) { return a >= b; }}};
  for (const Type& t : types) {
    for (const auto& [order, f] : orders) expect(std::string("setp.") + order + "." + t.name, t, "pred", 1, f);
  }
}

TEST(Integers, ShiftsPastTheWidthGiveZerosOrTheSign) {
  for (const Type& t : types) {
    std::vector<std::uint64_t> a, b;
    pairs(interesting_integers(t.bits, 60, 1), {0, 1, 5, 15, 16, 17, 31, 32, 33, 63, 64, 65, 200, 0x80000001}, a, b);
    const std::vector<std::uint64_t> right = run({std::string("shr.") + t.name, t.name, {t.name, "u32"}}, {a, b});
    const std::vector<std::uint64_t> left = run({"shl.b" + std::to_string(t.bits), t.name, {t.name, "u32"}}, {a, b});
    for (std::size_t k = 0; k < a.size(); ++k) {
      const Wide v = value(t, a[k]);
      const int n = static_cast<int>(std::min<std::uint64_t>(b[k], 100));
      ASSERT_EQ(cut(static_cast<Wide>(right[k]), t.bits), cut(v >> n, t.bits))
          << t.name << " " << a[k] << " >> " << b[k];
      ASSERT_EQ(cut(static_cast<Wide>(left[k]), t.bits), n >= t.bits ? 0 : cut(v << n, t.bits)) << t.name;
    }
  }
}

TEST(Integers, BitFieldsAndCounts) {
  const std::vector<std::uint64_t> a = interesting_integers(32, 2000, 3);
  const std::vector<std::uint64_t> popc = run({"popc.b32", "u32", {"u32"}}, {a}),
                                   clz = run({"clz.b32", "u32", {"u32"}}, {a}),
                                   brev = run({"brev.b32", "u32", {"u32"}}, {a}),
                                   find = run({"bfind.u32", "u32", {"u32"}}, {a});
  for (std::size_t k = 0; k < a.size(); ++k) {
    std::uint64_t ones = 0, zeros = 32, reversed = 0, highest = 0xFFFFFFFF;
    for (int i = 0; i < 32; ++i) {
      if ((a[k] >> i & 1) == 0) continue;
      ++ones, zeros = static_cast<std::uint64_t>(31 - i), highest = static_cast<std::uint64_t>(i);
      reversed |= std::uint64_t{1} << (31 - i);
    }
    ASSERT_EQ(popc[k], ones);
    ASSERT_EQ(clz[k], zeros);
    ASSERT_EQ(brev[k], reversed);
    ASSERT_EQ(find[k], highest);
  }
}

/// Bit by bit, as the manual's pseudocode does.
TEST(Integers, BitFieldExtractAndInsert) {
  std::vector<std::uint64_t> a, positions, lengths;
  for (const std::uint64_t v : {0xDEADBEEFull, 0x80000000ull, 0x7FFFFFFFull, 0x12345678ull}) {
    for (const std::uint64_t p : {0, 1, 7, 16, 31, 32, 40, 255}) {
      for (const std::uint64_t n : {0, 1, 5, 16, 31, 32, 33, 255})
        a.push_back(v), positions.push_back(p), lengths.push_back(n);
    }
  }
  const std::vector<std::uint64_t> u = run({"bfe.u32", "u32", {"u32", "u32", "u32"}}, {a, positions, lengths});
  const std::vector<std::uint64_t> s = run({"bfe.s32", "s32", {"s32", "u32", "u32"}}, {a, positions, lengths});
  const std::vector<std::uint64_t> i =
      run({"bfi.b32", "u32", {"u32", "u32", "u32"}, "bfi.b32 %d, %a, 0x55AA55AA, %b, %c;"}, {a, positions, lengths});
  for (std::size_t k = 0; k < a.size(); ++k) {
    const std::uint64_t p = positions[k], n = lengths[k];
    const std::uint64_t sign_at = std::min<std::uint64_t>(p + n - 1, 31);
    const std::uint64_t sign = n == 0 ? 0 : a[k] >> sign_at & 1;
    std::uint64_t unsigned_field = 0, signed_field = 0, inserted = 0x55AA55AA;
    for (std::uint64_t bit = 0; bit < 32; ++bit) {
      const bool in = bit < n && p + bit <= 31;
      unsigned_field |= (in ? a[k] >> (p + bit) & 1 : 0) << bit;
      signed_field |= (in ? a[k] >> (p + bit) & 1 : sign) << bit;
      if (in) inserted = (inserted & ~(std::uint64_t{1} << (p + bit))) | (a[k] >> bit & 1) << (p + bit);
    }
    ASSERT_EQ(u[k], unsigned_field) << std::hex << a[k] << " " << p << " " << n;
    ASSERT_EQ(s[k], signed_field) << std::hex << a[k] << " " << p << " " << n;
    ASSERT_EQ(i[k], inserted) << std::hex << a[k] << " " << p << " " << n;
  }
}

TEST(Integers, CarriesChainThrough128Bits) {
  std::vector<std::uint64_t> a, b;
  pairs(interesting_integers(64, 60, 1), interesting_integers(64, 60, 2), a, b);
  const char* const text = R"({ .reg .b32 %al, %ah, %bl, %bh, %lo, %hi;
    mov.b64 {%al, %ah}, %a; mov.b64 {%bl, %bh}, %b;
    OP.cc.u32 %lo, %al, %bl; OPc.u32 %hi, %ah, %bh; mov.b64 %d, {%lo, %hi}; })";
  for (const std::string op : {"add", "sub"}) {
    std::string chain = text;
    for (std::size_t at; (at = chain.find("OP")) != std::string::npos;) chain.replace(at, 2, op);
    const std::vector<std::uint64_t> out = run({op, "u64", {"u64", "u64"}, chain}, {a, b});
    for (std::size_t k = 0; k < a.size(); ++k) ASSERT_EQ(out[k], op == "add" ? a[k] + b[k] : a[k] - b[k]);
  }
  // The upper half of a 64 by 64 bit product from 32-bit pieces.
  const std::vector<std::uint64_t> high =
      run({"mul", "u64", {"u64", "u64"}, R"({ .reg .b32 %al, %ah, %bl, %bh, %r1, %r2, %r3;
    mov.b64 {%al, %ah}, %a; mov.b64 {%bl, %bh}, %b;
    mul.hi.u32 %r1, %al, %bl;
    mad.lo.cc.u32 %r1, %al, %bh, %r1; madc.hi.u32 %r2, %al, %bh, 0;
    mad.lo.cc.u32 %r1, %ah, %bl, %r1; madc.hi.cc.u32 %r2, %ah, %bl, %r2; addc.u32 %r3, 0, 0;
    mad.lo.cc.u32 %r2, %ah, %bh, %r2; madc.hi.u32 %r3, %ah, %bh, %r3; mov.b64 %d, {%r2, %r3}; })"},
          {a, b});
  for (std::size_t k = 0; k < a.size(); ++k) {
    ASSERT_EQ(high[k], static_cast<std::uint64_t>(static_cast<UnsignedWide>(a[k]) * b[k] >> 64))
        << std::hex << a[k] << " " << b[k];
  }
}

TEST(Integers, LogicOfThreeInputsForEveryTable) {
  std::vector<std::uint64_t> a{0xF0F0F0F0}, b{0xCCCCCCCC}, c{0xAAAAAAAA};
  for (int table = 0; table < 256; table += 7) {
    const std::vector<std::uint64_t> out = run(
        {"lop3", "u32", {"u32", "u32", "u32"}, "lop3.b32 %d, %a, %b, %c, " + std::to_string(table) + ";"}, {a, b, c});
    ASSERT_EQ(out[0] & 0xFF, static_cast<std::uint64_t>(table));
  }
}

}  // namespace
}  // namespace tilejit::testing
