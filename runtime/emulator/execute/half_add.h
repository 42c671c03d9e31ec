#pragma once
#include <cstdint>

namespace tilejit::emulator {

/// a + b rounded once, as the atomics on these types add.
std::uint16_t add_f16(std::uint16_t a, std::uint16_t b);
std::uint16_t add_bf16(std::uint16_t a, std::uint16_t b);
std::uint32_t add_f16x2(std::uint32_t a, std::uint32_t b);
std::uint32_t add_bf16x2(std::uint32_t a, std::uint32_t b);

}  // namespace tilejit::emulator
