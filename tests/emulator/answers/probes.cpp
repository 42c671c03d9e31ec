#include "probes.h"

#include <bit>
#include <cstdio>
#include <iomanip>
#include <istream>
#include <ostream>
#include <sstream>
#include <stdexcept>

namespace tilejit::testing {
namespace {

/// Every pair of two lists.
void pairs(const Words& x, const Words& y, Words& a, Words& b) {
  for (const std::uint32_t u : x) {
    for (const std::uint32_t v : y) a.push_back(u), b.push_back(v);
  }
}

Words around(float centre, int steps) {
  Words all;
  const auto bits = std::bit_cast<std::uint32_t>(centre);
  for (int i = -steps; i < steps; ++i) all.push_back(bits + static_cast<std::uint32_t>(i));
  return all;
}

void flushing(std::vector<Probe>& all) {
  Words a, b;
  pairs(around(0x1p-63F, 8), around(0x1p-63F, 8), a, b);
  pairs({0x3F7FFFFF, 0xBF7FFFFF, 0x3F800000}, {0x00800000, 0x00800001, 0x007FFFFF, 0x00000001, 0x80800000}, a, b);
  const Words zero(a.size(), 0), tiny(a.size(), 0x00800000), minus(a.size(), 0x80000001);
  for (const char* r : {"rn", "rz", "rm", "rp"}) {
    const std::string round = r;
    all.push_back({"mul." + round + ".ftz.f32", "mul." + round + ".ftz.f32 %d, %a, %b;", "sm_80", a, b, zero});
    all.push_back({"fma." + round + ".ftz.f32 + 0", "fma." + round + ".ftz.f32 %d, %a, %b, %c;", "sm_80", a, b, zero});
    all.push_back(
        {"fma." + round + ".ftz.f32 + 2^-126", "fma." + round + ".ftz.f32 %d, %a, %b, %c;", "sm_80", a, b, tiny});
    all.push_back(
        {"fma." + round + ".ftz.f32 - 2^-149", "fma." + round + ".ftz.f32 %d, %a, %b, %c;", "sm_80", a, b, minus});
  }
  Words x, y;
  pairs(around(0x1p-60F, 8), around(0x1p66F, 8), x, y);
  const Words none(x.size(), 0);
  all.push_back({"div.rn.ftz.f32", "div.rn.ftz.f32 %d, %a, %b;", "sm_80", x, y, none});
  all.push_back({"div.approx.ftz.f32", "div.approx.ftz.f32 %d, %a, %b;", "sm_80", x, y, none});
  const Words large = around(0x1p126F, 32), small = around(-126.0F, 32), free(64, 0);
  all.push_back({"rcp.approx.ftz.f32", "rcp.approx.ftz.f32 %d, %a;", "sm_80", large, free, free});
  all.push_back({"rcp.rn.ftz.f32", "rcp.rn.ftz.f32 %d, %a;", "sm_80", large, free, free});
  all.push_back({"ex2.approx.ftz.f32", "ex2.approx.ftz.f32 %d, %a;", "sm_80", small, free, free});
  Words low, high;  // doubles around 2^-126
  for (const std::uint32_t top : {0x380FFFFFu, 0x38100000u, 0xB80FFFFFu}) {
    for (const std::uint32_t rest :
         {0u, 1u, 0xDFFFFFFFu, 0xE0000000u, 0xEFFFFFFFu, 0xF0000000u, 0xF0000001u, 0xFFFFFFFFu}) {
      low.push_back(rest), high.push_back(top);
    }
  }
  for (const char* r : {"rn", "rz", "rm", "rp"}) {
    const std::string name = "cvt." + std::string(r) + ".ftz.f32.f64";
    all.push_back({name, "mov.b64 %w, {%a, %b};\n" + name + " %d, %w;", "sm_80", low, high, Words(low.size(), 0)});
  }
}

void eight_bits(std::vector<Probe>& all) {
  Words bytes, halves, floats, others;
  for (std::uint32_t u = 0; u < 256; ++u) bytes.push_back(u | (255 - u) << 8);
  for (std::uint32_t u = 0; u < 65536; ++u) halves.push_back(u | (u * 40503u & 0xFFFF) << 16);
  for (std::uint32_t u = 0; u < 1 << 18; ++u)
    floats.push_back(u << 14 | (u * 2654435761u >> 18 & (u % 3 == 0 ? 0x3FFF : 0)));
  for (const std::uint32_t u : floats) others.push_back(~u);
  for (const char* t : {"e4m3x2", "e5m2x2"}) {
    const std::string type = t;
    const auto free = [](const Words& like) { return Words(like.size(), 0); };
    all.push_back({"cvt.rn.f16x2." + type, "cvt.u16.u32 %h0, %a;\ncvt.rn.f16x2." + type + " %d, %h0;", "sm_89", bytes,
                   free(bytes), free(bytes)});
    all.push_back({"cvt.rn.satfinite." + type + ".f16x2",
                   "cvt.rn.satfinite." + type + ".f16x2 %h0, %a;\ncvt.u32.u16 %d, %h0;", "sm_89", halves, free(halves),
                   free(halves), true});
    all.push_back({"cvt.rn.satfinite." + type + ".f32",
                   "cvt.rn.satfinite." + type + ".f32 %h0, %a, %b;\ncvt.u32.u16 %d, %h0;", "sm_89", floats, others,
                   free(floats), true});
  }
}

std::string kernel(const Probe& p) {
  std::string text =
      ".version 8.1\n.target " + p.target +
      "\n.address_size 64\n.visible .entry k(.param .u64 pd, .param .u64 pa, .param .u64 pb, .param "
      ".u64 pc)\n{\n.reg .b32 %i, %t, %a, %b, %c, %d;\n.reg .b16 %h0, %h1;\n.reg .b64 %at, %o, %w;\n"
      "mov.u32 %i, %ctaid.x;\nmov.u32 %t, %tid.x;\nmad.lo.u32 %i, %i, 32, %t;\nmul.wide.u32 %o, %i, 4;\n";
  for (const char* name : {"a", "b", "c"}) {
    text +=
        std::string("ld.param.u64 %at, [p") + name + "];\nadd.u64 %at, %at, %o;\nld.global.u32 %" + name + ", [%at];\n";
  }
  return text + p.text + "\nld.param.u64 %at, [pd];\nadd.u64 %at, %at, %o;\nst.global.u32 [%at], %d;\nret;\n}\n";
}

bool same(std::uint32_t a, std::uint32_t b, bool of_float) {
  const bool nan = of_float && (a & 0x7FFFFFFF) > 0x7F800000 && (b & 0x7FFFFFFF) > 0x7F800000;
  return a == b || nan;
}

}  // namespace

std::vector<Probe> probes() {
  std::vector<Probe> all;
  flushing(all);
  eight_bits(all);
  return all;
}

Words run(const Card& card, const Probe& p) {
  const std::size_t blocks = (p.a.size() + 31) / 32;
  std::vector<Words> inputs{p.a, p.b, p.c};
  for (Words& words : inputs) words.resize(blocks * 32);
  Words out = card.run(kernel(p), {static_cast<unsigned>(blocks), 32, 0}, inputs, blocks * 32);
  out.resize(p.a.size());
  return out;
}

std::uint64_t digest_of(const Words& words) {
  std::uint64_t digest = 0xCBF29CE484222325u;
  for (const std::uint32_t word : words) digest = (digest ^ word) * 0x100000001B3u;
  return digest;
}

int check_probes(const Card& gpu, const Card* emulated, std::ostream* golden) {
  int bad = 0;
  for (const Probe& p : probes()) {
    if (std::stoi(p.target.substr(3)) > gpu.compute_capability()) continue;
    const Words theirs = run(gpu, p);
    if (golden != nullptr) {
      *golden << "probe " << p.name << "\n" << std::hex << std::setfill('0');
      if (p.digest) *golden << "digest " << std::setw(16) << digest_of(theirs);
      if (!p.digest) *golden << "words";
      for (std::size_t i = 0; !p.digest && i < theirs.size(); ++i) *golden << ' ' << std::setw(8) << theirs[i];
      *golden << std::dec << "\n";
    }
    if (emulated == nullptr) continue;
    const Words ours = run(*emulated, p);
    int differ = 0;
    for (std::size_t i = 0; i < theirs.size(); ++i) {
      if (same(theirs[i], ours[i], p.target == "sm_80")) continue;
      if (++differ <= 4) {
        std::printf("  %s of %08x %08x %08x: GPU %08x, emulated %08x\n", p.name.c_str(), p.a[i], p.b[i], p.c[i],
                    theirs[i], ours[i]);
      }
    }
    bad += differ > 0;
    std::printf("%-44s %zu values, %d differ\n", p.name.c_str(), theirs.size(), differ);
  }
  return bad;
}

std::map<std::string, ProbeAnswer> read_probe_answers(std::istream& in) {
  std::map<std::string, ProbeAnswer> all;
  ProbeAnswer* now = nullptr;
  for (std::string text; std::getline(in, text);) {
    if (text.empty() || text[0] == '#') continue;
    if (text.starts_with("probe ")) {
      now = &all[text.substr(6)];
      continue;
    }
    std::istringstream line(text);
    std::string word;
    line >> word >> std::hex;
    if (now != nullptr && word == "digest") {
      line >> now->digest;
    } else if (now != nullptr && word == "words") {
      for (std::uint32_t value = 0; line >> value;) now->words.push_back(value);
    } else {
      throw std::runtime_error("'" + text.substr(0, 40) + "' is not understood");
    }
  }
  return all;
}

}  // namespace tilejit::testing
