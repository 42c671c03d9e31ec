#include "mma_forms.h"

#include <map>

namespace tilejit::testing {
namespace {

constexpr Format tf32{19, 8, 10};

using E = Element;

std::vector<MmaForm> all_forms() {
  std::vector<MmaForm> all;
  for (const E in : {E::bf16, E::f16}) {
    for (const int k : {16, 8}) all.push_back({16, 8, k, E::f32, in, in, E::f32});
  }
  for (const int k : {16, 8}) all.push_back({16, 8, k, E::f16, E::f16, E::f16, E::f16});
  for (const int k : {8, 4}) all.push_back({16, 8, k, E::f32, E::tf32, E::tf32, E::f32});
  for (const bool sat : {false, true}) {
    for (const int k : {32, 16}) {
      all.push_back({16, 8, k, E::s32, E::s8, E::s8, E::s32, sat});
      all.push_back({16, 8, k, E::s32, E::u8, E::s8, E::s32, sat});
      all.push_back({16, 8, k, E::s32, E::s8, E::u8, E::s32, sat});
      all.push_back({16, 8, k, E::s32, E::u8, E::u8, E::s32, sat});
    }
  }
  for (const E a : {E::e4m3, E::e5m2}) {
    for (const E b : {E::e4m3, E::e5m2}) all.push_back({16, 8, 32, E::f32, a, b, E::f32});
  }
  all.push_back({8, 8, 4, E::f64, E::f64, E::f64, E::f64});
  for (const int k : {4, 8, 16}) all.push_back({16, 8, k, E::f64, E::f64, E::f64, E::f64});
  return all;
}

int count(const MmaForm& f, int rows, int columns, Element element) {
  return rows * columns / 32 * bits_of(element) / (8 * f.register_bytes());
}

std::vector<std::uint32_t> packed(const MmaForm& form, int registers, int rows, int columns, Element element,
                                  const Elements& from, Spot (*spot)(const MmaForm&, int, int)) {
  const int words = form.register_bytes() / 4;
  std::vector<std::uint32_t> out(static_cast<std::size_t>(registers * 32 * words));
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      const Spot s = spot(form, r, c);
      std::uint64_t bits = from[static_cast<std::size_t>(r * columns + c)];
      if (element == E::tf32) bits <<= 13;
      const std::size_t at = static_cast<std::size_t>((s.reg * 32 + s.lane) * words);
      const int size = element == E::tf32 ? 32 : bits_of(element);
      if (words == 2) {
        out[at] = static_cast<std::uint32_t>(bits), out[at + 1] = static_cast<std::uint32_t>(bits >> 32);
      } else {
        out[at] |= static_cast<std::uint32_t>(bits) << (s.part * size);
      }
    }
  }
  return out;
}

}  // namespace

const char* name_of(Element element) {
  constexpr const char* names[] = {"f16", "bf16", "tf32", "f32", "f64", "e4m3", "e5m2", "s8", "u8", "s32"};
  return names[static_cast<int>(element)];
}

int bits_of(Element element) {
  constexpr int bits[] = {16, 16, 32, 32, 64, 8, 8, 8, 8, 32};
  return bits[static_cast<int>(element)];
}

bool is_whole(Element e) { return e == E::s8 || e == E::u8 || e == E::s32; }

const Format& format_of(Element element) {
  static const std::map<Element, const Format*> all = {{E::f16, &f16},  {E::bf16, &bf16}, {E::tf32, &tf32},
                                                       {E::f32, &f32},  {E::f64, &f64},   {E::e4m3, &e4m3},
                                                       {E::e5m2, &e5m2}};
  return *all.at(element);
}

std::string MmaForm::instruction() const {
  return "mma.sync.aligned.m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k) + ".row.col" +
         (saturates ? ".satfinite" : "") + "." + name_of(d) + "." + name_of(a) + "." + name_of(b) + "." + name_of(c);
}

std::string MmaForm::target() const {
  if (a == E::e4m3 || a == E::e5m2) return "sm_89";
  return a == E::f64 && m == 16 ? "sm_90" : "sm_80";
}

int MmaForm::a_registers() const { return count(*this, m, k, a); }
int MmaForm::b_registers() const { return count(*this, k, n, b); }
int MmaForm::c_registers() const { return count(*this, m, n, c); }

const std::vector<MmaForm>& mma_forms() {
  static const auto* all = new std::vector<MmaForm>(all_forms());
  return *all;
}

// PTX ISA, "Matrix Fragments for mma": a lane's group is lane / 4, its place in the group lane % 4. Registers go down
// eight rows first, then along k; what a register holds lies side by side along k (for C: along n).
Spot spot_of_a(const MmaForm& form, int row, int k) {
  const int parts = 32 / bits_of(form.a), row_groups = form.m / 8;
  if (form.a == E::f64) return {k / 4 * row_groups + row / 8, row % 8 * 4 + k % 4, 0};
  const int step = 4 * parts;
  return {k / step * row_groups + row / 8, row % 8 * 4 + k % step / parts, k % parts};
}

Spot spot_of_b(const MmaForm& form, int k, int column) {
  if (form.b == E::f64) return {k / 4, column * 4 + k % 4, 0};
  const int parts = 32 / bits_of(form.b), step = 4 * parts;
  return {k / step, column * 4 + k % step / parts, k % parts};
}

Spot spot_of_c(const MmaForm& form, int row, int column) {
  const int lane = row % 8 * 4 + column / 2;
  if (form.c == E::f16) return {row / 8, lane, column % 2};
  return {row / 8 * 2 + column % 2, lane, 0};
}

std::vector<std::uint32_t> registers_of_a(const MmaForm& f, const Elements& a) {
  return packed(f, f.a_registers(), f.m, f.k, f.a, a, spot_of_a);
}
std::vector<std::uint32_t> registers_of_b(const MmaForm& f, const Elements& b) {
  return packed(f, f.b_registers(), f.k, f.n, f.b, b, spot_of_b);
}
std::vector<std::uint32_t> registers_of_c(const MmaForm& f, const Elements& c) {
  return packed(f, f.c_registers(), f.m, f.n, f.c, c, spot_of_c);
}

Elements elements_of_d(const MmaForm& form, const std::uint32_t* registers) {
  Elements out;
  for (int r = 0; r < form.m; ++r) {
    for (int c = 0; c < form.n; ++c) {
      const Spot s = spot_of_c(form, r, c);
      const int at = s.reg * 32 + s.lane;
      if (form.d == E::f64) {
        out.push_back(registers[2 * at] | std::uint64_t{registers[2 * at + 1]} << 32);
      } else if (form.d == E::f16) {
        out.push_back(registers[at] >> (16 * s.part) & 0xFFFF);
      } else {
        out.push_back(registers[at]);
      }
    }
  }
  return out;
}

std::string mma_kernel(const MmaForm& form) {
  const int bytes = form.register_bytes();
  const std::string type = bytes == 8 ? ".f64" : form.d == E::f32 ? ".f32" : ".b32", in = bytes == 8 ? ".f64" : ".b32";
  const std::string size = std::to_string(bytes);
  std::string text = ".version 8.4\n.target " + form.target() +
                     "\n.address_size 64\n.visible .entry k(.param .u64 pd, .param .u64 pa, .param .u64 pb, .param "
                     ".u64 pc)\n{\n.reg .b32 %tile, %lane, %t;\n.reg .b64 %at;\n.reg " +
                     in + " %a<9>, %b<5>;\n.reg " + type +
                     " %c<5>, %d<5>;\nmov.u32 %tile, %ctaid.x;\nmov.u32 %t, %ntid.x;\nmov.u32 %lane, %tid.x;\n"
                     "mad.lo.u32 %tile, %tile, %t, %lane;\nand.b32 %lane, %lane, 31;\nshr.u32 %tile, %tile, 5;\n";
  const auto move = [&](const std::string& name, int registers, bool store) {
    const std::string kind = store ? type : name == "c" ? type : in;
    text += "ld.param.u64 %at, [p" + name + "];\n";
    text += "mad.lo.u32 %t, %tile, " + std::to_string(32 * registers) + ", %lane;\n";
    text += "mad.wide.u32 %at, %t, " + size + ", %at;\n";
    for (int r = 0; r < registers; ++r) {
      const std::string where = "[%at+" + std::to_string(r * 32 * bytes) + "]", reg = "%" + name + std::to_string(r);
      text += store ? "st.global" + kind + " " + where + ", " + reg + ";\n"
                    : "ld.global" + kind + " " + reg + ", " + where + ";\n";
    }
  };
  const auto vector = [](const std::string& name, int registers) {
    std::string all = "{";
    for (int r = 0; r < registers; ++r) all += (r == 0 ? "%" : ", %") + name + std::to_string(r);
    return all + "}";
  };
  const int na = form.a_registers(), nb = form.b_registers(), nc = form.c_registers();
  move("a", na, false), move("b", nb, false), move("c", nc, false);
  text += form.instruction() + " " + vector("d", nc) + ", " + vector("a", na) + ", " + vector("b", nb) + ", " +
          vector("c", nc) + ";\n";
  move("d", nc, true);
  return text + "ret;\n}\n";
}

}  // namespace tilejit::testing
