#include <tilejit/runtime/emulator/driver/resources.h>

#include <algorithm>

namespace tilejit::emulator {

int registers_of(const Program& program) {
  return std::clamp((program.live_words + 7) / 8 * 8, 16, std::max(program.most_registers, 16));
}

int threads_of(const Facts& facts, const Program& program) {
  const int by_registers = facts.registers_per_block / ((registers_of(program) + 7) / 8 * 8) / 32 * 32;
  return std::min(program.max_threads, std::max(by_registers, 32));
}

int blocks_per_sm(const Facts& facts, const Program& program, int threads, std::size_t dynamic_shared) {
  const int warps = (threads + 31) / 32;
  if (warps == 0) return 0;
  const int a_warp = (registers_of(program) * 32 + 255) / 256 * 256;
  const auto shared = static_cast<std::size_t>(program.shared_bytes) + dynamic_shared;
  const std::size_t a_block = (shared + 1024 + 127) / 128 * 128;
  if (threads > program.max_threads || shared > static_cast<std::size_t>(facts.shared_optin)) return 0;
  return std::min({facts.blocks_per_sm, facts.threads_per_sm / 32 / warps, facts.registers_per_sm / a_warp / warps,
                   static_cast<int>(static_cast<std::size_t>(facts.shared_per_sm) / a_block)});
}

}  // namespace tilejit::emulator
