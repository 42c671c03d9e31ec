#include <algorithm>
#include <array>

#include <tilejit/generator/ptx/module.h>

namespace tilejit::ptx {

namespace {

struct Sized {
  std::string_view type;
  int bytes;
};

constexpr std::array sizes = {
    Sized{"b8", 1},     Sized{"u8", 1},      Sized{"s8", 1},         Sized{"e4m3", 1},   Sized{"e5m2", 1},
    Sized{"b16", 2},    Sized{"u16", 2},     Sized{"s16", 2},        Sized{"f16", 2},    Sized{"bf16", 2},
    Sized{"e4m3x2", 2}, Sized{"e5m2x2", 2},  Sized{"b32", 4},        Sized{"u32", 4},    Sized{"s32", 4},
    Sized{"f32", 4},    Sized{"tf32", 4},    Sized{"f16x2", 4},      Sized{"bf16x2", 4}, Sized{"b64", 8},
    Sized{"u64", 8},    Sized{"s64", 8},     Sized{"f64", 8},        Sized{"f32x2", 8},  Sized{"b128", 16},
    Sized{"texref", 8}, Sized{"surfref", 8}, Sized{"samplerref", 8},
};

}  // namespace

int bytes_of(std::string_view type) {
  const auto* found = std::find_if(sizes.begin(), sizes.end(), [&](const Sized& row) { return row.type == type; });
  return found == sizes.end() ? 0 : found->bytes;
}

std::int64_t bytes_of(const Variable& variable) {
  return std::int64_t{bytes_of(variable.type)} * variable.vector * variable.elements;
}

}  // namespace tilejit::ptx
