#include <gtest/gtest.h>

#include "instruction.h"
#include "numbers.h"

namespace tilejit::testing {
namespace {

struct Case {
  const char* name;
  Operation operation;
  int inputs;
  const Format& format;
  const char* type;
  const char* modifiers;
  Direction direction = Direction::nearest;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name << c.modifiers << "." << c.type; }

class FloatArithmetic : public ::testing::TestWithParam<Case> {};

std::uint64_t expected(const Case& c, std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  const std::string modifiers = c.modifiers;
  const bool ftz = modifiers.find("ftz") != std::string::npos;
  const auto in = [&](std::uint64_t v) { return ftz ? flushed(c.format, v) : v; };
  std::uint64_t a = in(x), b = in(y);
  if (std::string(c.name) == "rcp")
    b = a, a = exact(Operation::copy, f64, c.format, Direction::nearest, 0x3FF0000000000000);
  std::uint64_t out = exact(c.operation, c.format, c.format, c.direction, a, b, in(z));
  if (ftz && c.format.bits == 32) {
    // Flushed is what stays below the smallest normal number when it is rounded as if exponents had no end.
    constexpr Format endless{35, 11, 23};
    const std::uint64_t wide = exact(c.operation, c.format, endless, c.direction, a, b, in(z));
    if ((wide >> 23 & 0x7FF) < 1023 - 126) out &= 0x80000000;
  } else if (ftz) {
    out = flushed(c.format, out);
  }
  if (modifiers.find("sat") != std::string::npos) {
    const double v = as_double(c.format, out);
    if (!(v > 0)) out = 0;
    if (v > 1) out = exact(Operation::copy, f64, c.format, Direction::nearest, 0x3FF0000000000000);
  }
  return out;
}

TEST_P(FloatArithmetic, IsRoundedOnce) {
  const Case& c = GetParam();
  std::vector<std::uint64_t> a, b, z;
  const std::size_t each = c.inputs == 1 ? 20000 : 150;
  if (c.inputs == 1) {
    a = interesting(c.format, each, 1);
    if (c.format.bits == 16) {
      a.clear();
      for (std::uint64_t v = 0; v < 65536; ++v) a.push_back(v);
    }
  } else {
    pairs(interesting(c.format, each, 2), interesting(c.format, each, 3), a, b);
    z = interesting(c.format, a.size() + 64, 4);
    z.resize(a.size());
    // A trace more or less than the product, which may lie in the middle between two numbers.
    for (std::size_t k = 1; c.inputs == 3 && k < z.size(); k += 3) z[k] = 1 | (k & 1) << (c.format.bits - 1);
    // Sums that nearly cancel the product.
    for (std::size_t k = 0; c.inputs == 3 && k < z.size(); k += 3) {
      z[k] = exact(Operation::mul, c.format, c.format, Direction::nearest, a[k], b[k]) ^ std::uint64_t{1}
                                                                                             << (c.format.bits - 1);
    }
  }
  Instruction in{c.name + std::string(c.modifiers) + "." + c.type, c.type, std::vector<std::string>(c.inputs, c.type)};
  std::vector<std::vector<std::uint64_t>> sources{a};
  if (c.inputs > 1) sources.push_back(b);
  if (c.inputs > 2) sources.push_back(z);
  const std::vector<std::uint64_t> out = run(in, sources);
  for (std::size_t k = 0; k < a.size(); ++k) {
    const std::uint64_t want = expected(c, a[k], c.inputs > 1 ? b[k] : 0, c.inputs > 2 ? z[k] : 0);
    if (is_nan(c.format, want) && is_nan(c.format, out[k])) {
      // Found on an H200: f32 keeps no payload.
      if (c.format.bits == 32) {
        ASSERT_EQ(out[k], 0x7FFFFFFFU) << std::hex << in.name << " of " << a[k];
      }
      continue;
    }
    ASSERT_EQ(out[k], want) << std::hex << in.name << " of " << a[k] << " " << (c.inputs > 1 ? b[k] : 0) << " "
                            << (c.inputs > 2 ? z[k] : 0);
  }
}

constexpr Direction directions[] = {Direction::nearest, Direction::zero, Direction::down, Direction::up};
constexpr const char* spelled[] = {".rn", ".rz", ".rm", ".rp"};

std::vector<Case> cases() {
  std::vector<Case> all;
  static const char* const ftz[] = {".rn.ftz", ".rz.ftz", ".rm.ftz", ".rp.ftz"};
  static const char* const sat[] = {".rn.sat", ".rz.ftz.sat", ".rm.sat", ".rp.ftz.sat"};
  for (int k = 0; k < 4; ++k) {
    for (const auto& [format, type] : {std::pair<const Format&, const char*>{f32, "f32"}, {f64, "f64"}}) {
      for (const char* m : {spelled[k], ftz[k], sat[k]}) {
        if (format.bits == 64 && m != spelled[k]) continue;
        all.push_back({"add", Operation::add, 2, format, type, m, directions[k]});
        all.push_back({"sub", Operation::sub, 2, format, type, m, directions[k]});
        all.push_back({"mul", Operation::mul, 2, format, type, m, directions[k]});
        all.push_back({"fma", Operation::fma, 3, format, type, m, directions[k]});
        if (m == sat[k]) continue;
        all.push_back({"div", Operation::div, 2, format, type, m, directions[k]});
        all.push_back({"sqrt", Operation::sqrt, 1, format, type, m, directions[k]});
        all.push_back({"rcp", Operation::div, 1, format, type, m, directions[k]});
      }
    }
  }
  for (const char* m : {"", ".ftz", ".sat"}) {
    all.push_back({"add", Operation::add, 2, f16, "f16", m});
    all.push_back({"sub", Operation::sub, 2, f16, "f16", m});
    all.push_back({"mul", Operation::mul, 2, f16, "f16", m});
  }
  all.push_back({"fma", Operation::fma, 3, f16, "f16", ".rn"});
  all.push_back({"fma", Operation::fma, 3, f16, "f16", ".rn.ftz"});
  all.push_back({"add", Operation::add, 2, bf16, "bf16", ""});
  all.push_back({"sub", Operation::sub, 2, bf16, "bf16", ""});
  all.push_back({"mul", Operation::mul, 2, bf16, "bf16", ""});
  all.push_back({"fma", Operation::fma, 3, bf16, "bf16", ".rn"});
  return all;
}

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  std::string name = std::string(info.param.name) + info.param.modifiers + "_" + info.param.type;
  for (char& c : name) {
    if (c == '.') c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, FloatArithmetic, ::testing::ValuesIn(cases()), name_of);

}  // namespace
}  // namespace tilejit::testing
