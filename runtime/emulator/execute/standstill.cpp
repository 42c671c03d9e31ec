#include <tilejit/runtime/emulator/execute/standstill.h>

#include <algorithm>

namespace tilejit::emulator {
namespace {

/// Turns of each block without a change until its worker is quiet.
constexpr std::uint64_t turns_a_block = 20;
constexpr std::uint64_t always = ~std::uint64_t{0};

}  // namespace

void Standstill::change(Watch& w) {
  w.turns = 0;
  quiet_[static_cast<std::size_t>(w.worker)] = 0;
  w.seen_changes = ++changes_;
}

bool Standstill::stay(Watch& w, std::size_t blocks) {
  if (ended_) return true;
  const std::uint64_t now = changes_;
  if (now != w.seen_changes) {
    w.seen_changes = now;
    w.turns = 0;
    quiet_[static_cast<std::size_t>(w.worker)] = 0;
  }
  if (++w.turns < turns_a_block * blocks) return false;
  quiet_[static_cast<std::size_t>(w.worker)] = now;
  const bool all = std::all_of(quiet_.begin(), quiet_.end(), [now](const auto& q) { return q == now || q == always; });
  if (!all || changes_ != now) return false;
  ended_ = true;
  return true;
}

void Standstill::leave(Watch& w) {
  change(w);
  quiet_[static_cast<std::size_t>(w.worker)] = always;
}

}  // namespace tilejit::emulator
