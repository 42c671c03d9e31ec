#include <tilejit/runtime/emulator/memory/access.h>
#include <tilejit/runtime/emulator/memory/shared_watch.h>
#include <tilejit/runtime/emulator/ops/cost.h>
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
  return different == 0 && (static_cast<std::uint32_t>(address) & s.phase_bits) == s.phase &&
         address + s.below >= low && address + s.beyond <= high;
}

/// Another pattern, or the old one elsewhere: checks it, measures it, keeps it.
template <class A, bool Shared>
[[gnu::noinline]] void renew(const Op* op, Warp& w, SiteState& s, const A* a, int first) {
  const std::uint32_t mask = w.mask;
  alignas(64) std::uint64_t address[32];
  const std::uint64_t start = static_cast<std::uint64_t>(op->immediate) + a[first];
  std::int64_t lowest = static_cast<std::int64_t>(start), highest = lowest;
  std::uint64_t bits = 0;
  TILEJIT_LANES {
    const std::uint64_t at_lane = static_cast<std::uint64_t>(op->immediate) + a[i];
    const std::uint64_t v = (mask >> i & 1) != 0 ? at_lane : start;
    address[i] = v;
    const auto signed_v = static_cast<std::int64_t>(v);
    lowest = signed_v < lowest ? signed_v : lowest;
    highest = signed_v > highest ? signed_v : highest;
    bits |= v;
  }
  const std::int64_t low = Shared ? w.shared_begin : s.low, high = Shared ? w.shared_end : s.high;
  const auto bytes = static_cast<std::int64_t>(s.bytes);
  const bool good = (bits & (s.bytes - 1)) == 0 && lowest >= low && highest <= high - bytes;
  const bool together = good || check_lanes(op, w, address, Shared);

  s.settle();
  s.mask = together ? mask : 0;
  s.phase_bits = (s.bytes - 1) | (Shared ? 3u : lowest == highest ? 0u : 31u);
  s.phase = static_cast<std::uint32_t>(start) & s.phase_bits;
  s.below = lowest - static_cast<std::int64_t>(start);
  s.beyond = highest - static_cast<std::int64_t>(start) + bytes;
  A* pattern = const_cast<A*>(pattern_of<A>(s));
  std::uint64_t scattered = mask == ~0u ? 0 : 1;
  TILEJIT_LANES {
    pattern[i] = static_cast<A>(address[i] - start);
    scattered |= address[i] - start - static_cast<std::uint64_t>(i) * s.bytes;
  }
  s.contiguous = scattered == 0;
  const auto span = static_cast<std::uint64_t>(highest) - static_cast<std::uint64_t>(lowest);
  if constexpr (Shared) {
    s.cost = shared_cost(address, mask, s.bytes, static_cast<std::uint64_t>(lowest), span);
  } else {
    s.cost = s.contiguous != 0 || span == 0
                 ? gapless_cost(start, mask, static_cast<std::uint32_t>(span) + s.bytes)
                 : global_cost(address, mask, s.bytes, static_cast<std::uint64_t>(lowest), span);
  }
}

/// Whether bytes of shared memory that lie together were all written.
TILEJIT_INLINE bool are_written(const std::uint8_t* at, std::uint64_t bytes) {
  using Words [[gnu::vector_size(64), gnu::aligned(1), gnu::may_alias]] = std::uint64_t;
  constexpr std::uint64_t ones = 0x0101010101010101;
  std::uint64_t all = ones, word;
  if (bytes >= 64) {
    Words together = *reinterpret_cast<const Words*>(at);
    for (at += 64, bytes -= 64; bytes >= 64; at += 64, bytes -= 64) together &= *reinterpret_cast<const Words*>(at);
    for (int i = 0; i < 8; ++i) all &= together[i];
  }
  for (; bytes >= 8; at += 8, bytes -= 8) {
    __builtin_memcpy(&word, at, 8);
    all &= word;
  }
  for (; bytes > 0; ++at, --bytes) all &= *at * ones;
  return all == ones;
}

/// The same of each lane's bytes: `T` is the access, or a part of it.
template <class T>
TILEJIT_INLINE bool lanes_written(const std::uint8_t* written, const std::uint32_t* address, std::uint32_t mask,
                                  std::uint32_t bytes) {
  T together = static_cast<T>(0x0101010101010101);
  each_lane(mask, [&](int i) {
    for (std::uint32_t k = 0; k < bytes; k += sizeof(T))
      together &= *reinterpret_cast<const T*>(written + address[i] + k);
  });
  return together == static_cast<T>(0x0101010101010101);
}
/// How many bytes were not.
template <class T>
TILEJIT_INLINE std::int64_t write_lanes(std::uint8_t* written, const std::uint32_t* address, std::uint32_t mask,
                                        std::uint32_t bytes) {
  std::int64_t before = 0, all = 0;
  each_lane(mask, [&](int i) {
    for (std::uint32_t k = 0; k < bytes; k += sizeof(T)) {
      T* const at = reinterpret_cast<T*>(written + address[i] + k);
      before += __builtin_popcountll(*at);
      all += sizeof(T);
      *at = static_cast<T>(0x0101010101010101);
    }
  });
  return all - before;
}
TILEJIT_INLINE std::int64_t write_together(std::uint8_t* at, std::uint64_t bytes) {
  std::uint32_t before = 0;
  for (std::uint64_t k = 0; k < bytes; ++k) {
    before += at[k];
    at[k] = 1;
  }
  return static_cast<std::int64_t>(bytes) - before;
}

/// Wider than this, lanes are looked at one by one.
constexpr std::uint64_t widest_together = 512;

/// Whether the lanes read what was written, or need not.
TILEJIT_INLINE bool reads_written(const SharedWatch& watch, const SiteState& s, const std::uint32_t* address,
                                  std::uint32_t mask) {
  if (s.reads == 0) return true;
  if (s.bytes == 4) return lanes_written<std::uint32_t>(watch.written, address, mask, 4);
  if (s.bytes >= 8) return lanes_written<std::uint64_t>(watch.written, address, mask, s.bytes);
  return lanes_written<std::uint8_t>(watch.written, address, mask, s.bytes);
}
TILEJIT_INLINE std::int64_t write(SharedWatch& watch, const SiteState& s, const std::uint32_t* address,
                                  std::uint32_t mask) {
  if (s.contiguous != 0) return write_together(watch.written + address[0], std::uint64_t{32} * s.bytes);
  if (s.bytes == 4) return write_lanes<std::uint32_t>(watch.written, address, mask, 4);
  if (s.bytes >= 8) return write_lanes<std::uint64_t>(watch.written, address, mask, s.bytes);
  return write_lanes<std::uint8_t>(watch.written, address, mask, s.bytes);
}

/// The quick way through the checks of shared memory. False: there is more to look at.
template <class A>
[[gnu::noinline]] bool passes(const Op* op, Warp& w, const SiteState& s, const A* a) {
  SharedWatch& watch = *w.watch;
  const std::uint32_t mask = w.mask;
  if (watch.copies || s.mask != mask) return false;
  alignas(64) std::uint32_t address[32];
  TILEJIT_LANES address[i] = static_cast<std::uint32_t>(a[i]) + static_cast<std::uint32_t>(op->immediate);
  const std::int64_t first = address[__builtin_ctz(mask)];
  const auto low = static_cast<std::uint64_t>(first + s.below), high = static_cast<std::uint64_t>(first + s.beyond);

  const bool known = !watch.unwritten || watch.unwritten_bytes == 0 ||
                     (high - low <= widest_together && are_written(watch.written + low, high - low));
  if (!known && !reads_written(watch, s, address, mask)) return false;
  if (watch.races) {
    if (watch.interval != *watch.block_interval) begin_interval(w);
    const SharedAccess access{
        op->site, mask, w.index, static_cast<std::uint8_t>(s.bytes), static_cast<Touching>(s.touching),
        low,      high, address};
    if (!is_apart(watch, access)) return false;
    count_access(watch, w.index, w.syncs);
    keep(watch, access);
  }
  if (!known && s.touching >= static_cast<std::uint8_t>(Touching::weak_write))
    watch.unwritten_bytes -= write(watch, s, address, mask);
  return true;
}

template <class A, bool Shared>
const Op* check(const Op* op, Warp& w) {
  SiteState& s = w.sites[op->site];
  const A* a = at<const A>(w, op->a);
  const int first = __builtin_ctz(w.mask);
  if (!as_before<A, Shared>(op, w, s, a, first)) renew<A, Shared>(op, w, s, a, first);
  ++s.hits;
  if (w.checking && !(Shared ? passes(op, w, s, a) : s.whole == Whole::yes)) inspect_access(op, w, sizeof(A), Shared);
  return op + 1;
}

template <class A, bool Shared>
const Op* access(const Op* op, Warp& w) {
  check<A, Shared>(op, w);
  const SiteState& s = w.sites[op->site];
  const A* a = at<const A>(w, op->a);
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

template <class A, bool Shared>
void rows(Registry& r, const char* space, const char* width) {
  put(r, Row{{"access", space, width}, access<A, Shared>, {}});
  put(r, Row{{"check", space, width}, check<A, Shared>, {}});
}

}  // namespace

void register_accesses(Registry& r) {
  rows<std::uint32_t, false>(r, "global", "b32");
  rows<std::uint64_t, false>(r, "global", "b64");
  rows<std::uint32_t, true>(r, "shared", "b32");
  rows<std::uint64_t, true>(r, "shared", "b64");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
