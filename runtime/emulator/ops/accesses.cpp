#include <tilejit/runtime/emulator/memory/access.h>
#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/lanes.h>

/// ld and st in global, constant and shared memory: check, count, move. An access whose lanes lie as they did last
/// time, in the same allocation, is checked and counted by comparing its addresses with that pattern.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

template <class A>
TILEJIT_INLINE const A* pattern_of(const SiteState& s) {
  if constexpr (sizeof(A) == 8)
    return s.pattern.wide;
  else
    return s.pattern.narrow;
}

template <class A, bool Shared>
TILEJIT_INLINE bool as_before(const Op* op, const Warp& w, const SiteState& s, const A* a, int first) {
  if (s.mask != w.mask) return false;
  const A base = a[first];
  const A* pattern = pattern_of<A>(s);
  A different = 0;
  if (w.mask == ~0u) {
    TILEJIT_LANES different |= static_cast<A>(a[i] - base) ^ pattern[i];
  } else {
    TILEJIT_LANES different |= (w.mask >> i & 1) != 0 ? static_cast<A>(static_cast<A>(a[i] - base) ^ pattern[i]) : A{0};
  }
  const std::int64_t address = static_cast<std::int64_t>(base) + op->immediate;
  const std::int64_t low = Shared ? w.shared_begin : s.low, high = Shared ? w.shared_end : s.high;
  return different == 0 && (static_cast<std::uint32_t>(address) & phase_bits(Shared)) == s.phase &&
         address + s.below >= low && address + s.beyond <= high;
}

template <class A, bool Shared>
const Op* access(const Op* op, Warp& w) {
  SiteState& s = w.sites[op->site];
  const A* a = at<const A>(w, op->a);
  const int first = __builtin_ctz(w.mask);
  if (!as_before<A, Shared>(op, w, s, a, first)) renew_pattern(op, w, sizeof(A), Shared);
  ++s.hits;
  if (w.checking) inspect_access(op, w, sizeof(A), Shared);
  const std::uint64_t base =
      (Shared ? reinterpret_cast<std::uint64_t>(w.shared) : 0) + static_cast<std::uint64_t>(op->immediate);
  alignas(64) std::uint64_t address[32];
  if (s.contiguous != 0) {
    address[0] = base + a[0];
    op->move(op, w, address, true);
  } else {
    TILEJIT_LANES address[i] = base + a[i];
    op->move(op, w, address, false);
  }
  return op + 1;
}

void put_row(Registry& r, const char* space, const char* width, Handler run) {
  put(r, Row{{"access", space, width}, run, {}});
}

}  // namespace

void register_accesses(Registry& r) {
  put_row(r, "global", "b32", access<std::uint32_t, false>);
  put_row(r, "global", "b64", access<std::uint64_t, false>);
  put_row(r, "shared", "b32", access<std::uint32_t, true>);
  put_row(r, "shared", "b64", access<std::uint64_t, true>);
}

}  // namespace tilejit::emulator::TILEJIT_ISA
