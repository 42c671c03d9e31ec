#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "numbers.h"

/// The forms of mma.sync and where their elements lie in a warp's registers.
namespace tilejit::testing {

enum class Element : std::uint8_t { f16, bf16, tf32, f32, f64, e4m3, e5m2, s8, u8, s32 };

const char* name_of(Element element);
int bits_of(Element element);
bool is_whole(Element element);
const Format& format_of(Element element);  ///< of floating-point ones; tf32 has 19 bits here

/// One form of mma.sync: D = A * B + C. Rows of A by columns of B.
struct MmaForm {
  int m, n, k;
  Element d, a, b, c;
  bool saturates = false;

  std::string instruction() const;  ///< "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
  std::string target() const;       ///< "sm_80"
  int register_bytes() const { return a == Element::f64 ? 8 : 4; }
  int a_registers() const;
  int b_registers() const;
  int c_registers() const;  ///< of D too
};

/// All forms that the emulated device has.
const std::vector<MmaForm>& mma_forms();

/// Where an element lies: register, lane, and which of the register's elements from the lowest bits up.
struct Spot {
  int reg, lane, part;
};
Spot spot_of_a(const MmaForm& form, int row, int k);
Spot spot_of_b(const MmaForm& form, int k, int column);
Spot spot_of_c(const MmaForm& form, int row, int column);

/// A matrix by rows, as bits of its elements.
using Elements = std::vector<std::uint64_t>;

/// The 32-bit words of a warp's registers: register after register, 32 lanes each (twice as many of 64 bits).
std::vector<std::uint32_t> registers_of_a(const MmaForm& form, const Elements& a);
std::vector<std::uint32_t> registers_of_b(const MmaForm& form, const Elements& b);
std::vector<std::uint32_t> registers_of_c(const MmaForm& form, const Elements& c);
Elements elements_of_d(const MmaForm& form, const std::uint32_t* registers);

/// A kernel `k` (d, a, b, c): each warp one tile, registers as above, tile after tile.
std::string mma_kernel(const MmaForm& form);

}  // namespace tilejit::testing
