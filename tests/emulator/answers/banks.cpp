#include "banks.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <istream>
#include <ostream>
#include <sstream>
#include <stdexcept>

#include <tilejit/runtime/emulator/counters.h>

namespace tilejit::testing {
namespace {

constexpr int unrolled = 16;

using Lane = std::function<std::uint32_t(std::uint32_t)>;

BankPattern pattern(const std::string& access, const std::string& name, const Lane& of, std::uint32_t mask = ~0u) {
  BankPattern p{name, access, {}, mask};
  for (std::uint32_t lane = 0; lane < 32; ++lane) p.address[lane] = of(lane);
  return p;
}

void of_width(std::vector<BankPattern>& all, const std::string& kind, std::uint32_t w) {
  const std::string access = kind + "." + std::to_string(w);
  const auto add = [&](const std::string& name, const Lane& lane_unit, std::uint32_t mask = ~0u) {
    all.push_back(pattern(
        access, name, [&](std::uint32_t l) { return lane_unit(l) * w; }, mask));
  };
  add("consecutive", [](std::uint32_t l) { return l; });
  for (const std::uint32_t stride : {2u, 3u, 4u, 8u, 16u, 32u, 33u}) {
    if (stride * 31 * w + w > bank_shared_bytes) continue;
    add("stride " + std::to_string(stride), [=](std::uint32_t l) { return l * stride; });
  }
  add("one place", [](std::uint32_t) { return 0u; });
  add("lanes n and n^1 agree", [](std::uint32_t l) { return l / 2; });
  add("lanes n and n^2 agree", [](std::uint32_t l) { return l / 4 * 2 + l % 2; });
  add("lanes n and n^16 agree", [](std::uint32_t l) { return l % 16; });
  add("lanes n and n^8 agree", [](std::uint32_t l) { return l / 16 * 8 + l % 8; });
  add("four lanes agree", [](std::uint32_t l) { return l / 4; });
  add("eight lanes agree", [](std::uint32_t l) { return l / 8; });
  add("reversed", [](std::uint32_t l) { return 31 - l; });
  add("halves alternate", [](std::uint32_t l) { return l / 2 + l % 2 * 16; });
  add("a row of 132 bytes a lane", [=](std::uint32_t l) { return l * 132 / 4 * 4 / w + (w > 4 ? l % 2 : 0); });
  add("a column of 128-byte rows", [=](std::uint32_t l) { return l * (128 / w); });
  add("a column of 144-byte rows", [=](std::uint32_t l) { return l * (144 / w); });
  add("eight rows of 128 bytes", [=](std::uint32_t l) { return l % 8 * (128 / w) + l / 8; });
  add("eight rows, swizzled", [=](std::uint32_t l) { return l % 8 * (128 / w) + ((l / 8) ^ (l % 8)) % (128 / w); });
  add(
      "even lanes consecutive", [](std::uint32_t l) { return l; }, 0x55555555);
  add(
      "half a warp consecutive", [](std::uint32_t l) { return l; }, 0x0000FFFF);
  add(
      "half a warp, stride 2", [](std::uint32_t l) { return 2 * l; }, 0x0000FFFF);
  add(
      "every fourth lane, stride 32", [](std::uint32_t l) { return 32 * l; }, 0x11111111);
  add(
      "two lanes, one bank", [](std::uint32_t l) { return l * 32; }, 0x00000003);
}

void of_matrices(std::vector<BankPattern>& all, const std::string& access) {
  const auto add = [&](const std::string& name, const Lane& of) { all.push_back(pattern(access, name, of)); };
  for (const std::uint32_t bytes : {16u, 32u, 48u, 64u, 80u, 128u, 144u, 256u, 272u}) {
    add("rows of " + std::to_string(bytes) + " bytes", [=](std::uint32_t l) { return l * bytes; });
  }
  add("rows of 128 bytes, swizzled", [](std::uint32_t l) { return l * 128 + (l % 8) * 16; });
  add("one row", [](std::uint32_t) { return 0u; });
  add("every second row twice", [](std::uint32_t l) { return l / 2 * 16; });
}

/// The instruction once, to %r and so on; its address in %p. Those of matrices cannot be volatile: each of an unrolled
/// loop goes to another place in the same banks.
std::string instruction(const std::string& access, int index) {
  const bool matrix = access.find("matrix") != std::string::npos;
  const std::string guard = "@%on ", at = "[%p+" + std::to_string(matrix ? index * 1024 : 0) + "]";
  if (access == "ld.4") return guard + "ld.volatile.shared.u32 %r0, " + at + ";\n";
  if (access == "ld.8") return guard + "ld.volatile.shared.v2.u32 {%r0, %r1}, " + at + ";\n";
  if (access == "ld.16") return guard + "ld.volatile.shared.v4.u32 {%r0, %r1, %r2, %r3}, " + at + ";\n";
  if (access == "st.4") return guard + "st.volatile.shared.u32 " + at + ", %r0;\n";
  if (access == "st.8") return guard + "st.volatile.shared.v2.u32 " + at + ", {%r0, %r1};\n";
  if (access == "st.16") return guard + "st.volatile.shared.v4.u32 " + at + ", {%r0, %r1, %r2, %r3};\n";
  const bool four = access.find("x4") != std::string::npos, two = access.find("x2") != std::string::npos;
  const std::string registers = four ? "{%r0, %r1, %r2, %r3}" : two ? "{%r0, %r1}" : "{%r0}";
  const std::string count = four ? "x4" : two ? "x2" : "x1", trans = access.ends_with("trans") ? ".trans" : "";
  if (access.starts_with("ldmatrix"))
    return "ldmatrix.sync.aligned.m8n8." + count + trans + ".shared.b16 " + registers + ", " + at + ";\n";
  return "stmatrix.sync.aligned.m8n8." + count + trans + ".shared.b16 " + at + ", " + registers + ";\n";
}

struct Site {
  std::uint64_t requests = 0, wavefronts = 0;
};

}  // namespace

std::vector<BankPattern> bank_patterns() {
  std::vector<BankPattern> all;
  for (const char* kind : {"ld", "st"}) {
    for (const std::uint32_t w : {4u, 8u, 16u}) of_width(all, kind, w);
  }
  for (const char* access : {"ldmatrix.x1", "ldmatrix.x2", "ldmatrix.x4", "ldmatrix.x4.trans", "stmatrix.x1",
                             "stmatrix.x2", "stmatrix.x4", "stmatrix.x4.trans"}) {
    of_matrices(all, access);
  }
  return all;
}

std::string bank_kernel(const BankPattern& p) {
  const std::string bytes = std::to_string(bank_shared_bytes);
  std::string text =
      ".version 7.8\n.target " + std::string(p.access.starts_with("stmatrix") ? "sm_90" : "sm_80") +
      "\n.address_size 64\n.visible .entry k(.param .u64 pd, .param .u64 pa)\n{\n"
      ".shared .align 128 .b8 memory[" +
      bytes +
      "];\n.reg .pred %on, %more;\n.reg .b32 %p, %t, %lane, %mask, %n, %sum;\n"
      ".reg .b32 %r<4>;\n.reg .b64 %at, %o, %from, %to;\n"
      "mov.u32 %t, %tid.x;\nand.b32 %lane, %t, 31;\nld.param.u64 %at, [pa];\nmul.wide.u32 %o, %lane, 4;\n"
      "add.u64 %o, %at, %o;\nld.global.u32 %p, [%o];\nld.global.u32 %mask, [%at+128];\nshr.u32 %mask, %mask, %lane;\n"
      "and.b32 %mask, %mask, 1;\nsetp.ne.u32 %on, %mask, 0;\n"
      // All of it written, so that nothing reads what nobody wrote.
      "mul.lo.u32 %n, %t, 4;\nmov.u32 %r0, memory;\nadd.u32 %n, %n, %r0;\nadd.u32 %p, %p, %r0;\n"
      "add.u32 %sum, %r0, " +
      bytes +
      ";\n"
      "CLEAR:\nst.shared.u32 [%n], %t;\nadd.u32 %n, %n, 1024;\nsetp.lt.u32 %more, %n, %sum;\n@%more bra CLEAR;\n"
      "mov.u32 %r0, %t;\nmov.u32 %r1, %t;\nmov.u32 %r2, %t;\nmov.u32 %r3, %t;\nmov.u32 %sum, 0;\n"
      "bar.sync 0;\nmov.u32 %n, 0;\nmov.u64 %from, %clock64;\n"
      "LOOP:\n";
  for (int i = 0; i < unrolled; ++i) {
    text += instruction(p.access, i);
    if (p.access.find("ld") == 0) text += "xor.b32 %sum, %sum, %r0;\n";
  }
  // A store that never comes about, so that loads stay in the loop.
  text +=
      "setp.eq.u32 %more, %sum, 123456789;\n@%more st.shared.u32 [%p], %sum;\n"
      "add.u32 %n, %n, 1;\nsetp.lt.u32 %more, %n, " +
      std::to_string(bank_accesses / unrolled) +
      ";\n@%more bra LOOP;\n"
      // The sum waits for the loads before the clock is read.
      "bar.warp.sync -1;\nsetp.eq.u32 %more, %sum, 123456789;\n@%more st.shared.u32 [memory], %sum;\n"
      "bar.sync 0;\nmov.u64 %to, %clock64;\n"
      "setp.eq.u32 %more, %lane, 0;\n@!%more bra END;\nld.param.u64 %at, [pd];\nshr.u32 %t, %t, 5;\n"
      "mul.wide.u32 %o, %t, 16;\nadd.u64 %at, %at, %o;\nst.global.u64 [%at], %from;\nst.global.u64 [%at+8], %to;\n"
      "END:\nret;\n}\n";
  return text;
}

double cycles_of(const Card& gpu, const BankPattern& p) {
  Words in(p.address.begin(), p.address.end());
  in.push_back(p.mask);
  double best = 1e30;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const Words out = gpu.run(bank_kernel(p), {1, 32 * bank_warps, 0}, {in}, 4 * bank_warps);
    std::uint64_t from = ~std::uint64_t{0}, to = 0;
    for (std::size_t w = 0; w < bank_warps; ++w) {
      from = std::min(from, out[4 * w] | std::uint64_t{out[4 * w + 1]} << 32);
      to = std::max(to, out[4 * w + 2] | std::uint64_t{out[4 * w + 3]} << 32);
    }
    best = std::min(best, static_cast<double>(to - from) / (bank_accesses * bank_warps));
  }
  return best;
}

double wavefronts_of(const Card& emulated, const BankPattern& p) {
  const auto* table = static_cast<const EmulatedTable*>(emulated.symbol("tilejit_emulated_counters"));
  if (table == nullptr) throw std::runtime_error("the library has no counters");
  table->reset();
  table->set("races", 0);  // all warps go to the same places, whatever they write
  Words in(p.address.begin(), p.address.end());
  in.push_back(p.mask);
  emulated.run(bank_kernel(p), {1, 32 * bank_warps, 0}, {in}, 4 * bank_warps);
  Site sum;
  table->visit(
      [](void* user, const EmulatedKernel* kernel) {
        Site& s = *static_cast<Site*>(user);
        for (std::size_t i = 0; i < kernel->instruction_count; ++i) {
          const EmulatedInstruction& in = kernel->instructions[i];
          const std::string text = in.ptx;
          if (text.find("matrix") == std::string::npos && text.find("volatile") == std::string::npos) continue;
          s.requests += in.requests;
          s.wavefronts += in.wavefronts;
        }
      },
      &sum);
  return sum.requests == 0 ? 0 : static_cast<double>(sum.wavefronts) / static_cast<double>(sum.requests);
}

void check_banks(const Card& gpu, const Card* emulated, std::ostream* golden) {
  std::printf("%-20s %-32s %8s %10s\n", "access", "pattern", "cycles", "wavefronts");
  for (const BankPattern& p : bank_patterns()) {
    if (p.access.starts_with("stmatrix") && gpu.compute_capability() < 90) continue;
    const double cycles = cycles_of(gpu, p);
    double model = 0;
    try {
      if (emulated != nullptr) model = wavefronts_of(*emulated, p);
    } catch (const std::runtime_error&) {
      model = 0;  // it does not have this access: printed as 0
    }
    const bool apart = cycles < 0.9 * model || cycles > 1.25 * model + 0.2;
    std::printf("%-20s %-32s %8.2f %10.2f%s\n", p.access.c_str(), p.name.c_str(), cycles, model, apart ? "  <" : "");
    if (golden == nullptr) continue;
    char text[160];
    std::snprintf(text, sizeof(text), "%s %.2f %s\n", p.access.c_str(), cycles, p.name.c_str());
    *golden << text;
  }
}

std::vector<BankAnswer> read_bank_answers(std::istream& in) {
  std::vector<BankAnswer> all;
  for (std::string text; std::getline(in, text);) {
    if (text.empty() || text[0] == '#') continue;
    std::istringstream line(text);
    BankAnswer answer;
    if (!(line >> answer.access >> answer.cycles)) throw std::runtime_error("'" + text + "' is not understood");
    std::getline(line >> std::ws, answer.name);
    all.push_back(answer);
  }
  return all;
}

}  // namespace tilejit::testing
