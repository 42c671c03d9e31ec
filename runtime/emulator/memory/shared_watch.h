#pragma once
#include <cstdint>

/// What the checks of shared memory keep of a block, as plain data, and the quick way through them that nearly every
/// access takes. Inline and of internal linkage: compiled for several instruction sets.
namespace tilejit::emulator {

/// How an access may conflict with others: numbers of bits.
enum class Touching : std::uint8_t { weak_read, strong_read, weak_write, strong_write };

/// A chunk is 64 bytes, and a bit of a word.
constexpr std::uint64_t bytes_a_chunk_word = 64 * 64;

constexpr Touching touching(bool store, bool strong) {
  return static_cast<Touching>((store ? 2 : 0) + (strong ? 1 : 0));
}
/// Kinds that one of this kind must not meet within a barrier interval: reads meet writes, strong ones weak ones only.
constexpr std::uint32_t rivals(Touching kind) {
  constexpr std::uint32_t all[4] = {0b1100, 0b0100, 0b1111, 0b0101};
  return all[static_cast<int>(kind)];
}

/// A warp's access that met nothing in its barrier interval: kept as it is, and only looked at granule by granule once
/// something meets it.
struct KeptAccess {
  std::uint32_t when, site, mask;
  std::uint16_t warp;
  std::uint8_t bytes;  ///< a lane's
  Touching kind;
  std::uint32_t address[32];
};

/// When a warp last passed something that orders memory, in accesses of the block.
struct WarpClock {
  std::uint32_t syncs = 0;   ///< __syncwarps seen
  std::uint32_t synced = 0;  ///< accesses before are ordered among the warp's lanes
  std::uint32_t fenced = 0;  ///< those before lie before a fence
};

/// Pointers are into the block's BlockChecks.
struct SharedWatch {
  bool unwritten = false, races = false;
  bool copies = false;                            ///< cp.async was issued: nothing goes the quick way
  const std::uint32_t* block_interval = nullptr;  ///< grows with every barrier
  std::uint8_t* written = nullptr;                ///< by byte from shared address 0: 1, it was
  std::int64_t unwritten_bytes = 0;               ///< of them at most as many were not
  WarpClock* clocks = nullptr;                    ///< by warp
  KeptAccess* kept = nullptr;                     ///< of this interval, those that are nowhere else
  std::uint32_t kept_count = 0, kept_most = 0;
  std::uint32_t stamped = 0;   ///< of the kept, as many are in `stamps`
  std::uint32_t accesses = 0;  ///< so far
  std::uint32_t interval = 0;  ///< the one that `chunks`, `stamps` and `kept` are of
  /// Bits for 64-byte chunks that were touched in this interval, by Touching, `chunk_words` each.
  std::uint64_t* chunks = nullptr;
  std::uint32_t chunk_words = 0;
  std::uint32_t seen = 0;  ///< in this interval: bits by Touching
  /// By granule, what touched it in this interval, exactly: a Stamp. Only up to `stamped`.
  std::uint32_t* stamps = nullptr;
  std::uint32_t epoch = 0;  ///< of this interval
  int granule_bits = 2;     ///< 2^that bytes: what the kernel's narrowest access touches
};

/// What touched a granule in the interval of its epoch: one thread, or several, and how.
struct Stamp {
  static constexpr std::uint32_t several = 1u << 10, kinds = 0xF800u;  // below: the thread
  static constexpr std::uint32_t of_epoch(std::uint32_t epoch) { return epoch << 16; }
  static constexpr std::uint32_t of_kinds(std::uint32_t bits) { return bits << 11; }
  static constexpr std::uint32_t epochs = 1u << 16;
};

/// A warp's access: where its lanes are, and all of them between `low` and below `high`.
struct SharedAccess {
  std::uint32_t site, mask;
  int warp;
  std::uint8_t bytes;
  Touching kind;
  std::uint64_t low, high;
  const std::uint32_t* address;
};

#define TILEJIT_QUICK [[maybe_unused, gnu::always_inline]] static inline

template <class F>
[[gnu::always_inline]] inline void each_lane(std::uint32_t mask, F f) {
  if (mask == ~0u) {
    for (int lane = 0; lane < 32; ++lane) f(lane);
  } else {
    for (; mask != 0; mask &= mask - 1) f(__builtin_ctz(mask));
  }
}

/// Accesses are aligned, and no narrower than a granule.
template <class F>
[[gnu::always_inline]] inline void each_granule(const SharedWatch& s, std::uint32_t address, std::uint32_t bytes, F f) {
  const std::uint32_t first = address >> s.granule_bits, count = bytes >> s.granule_bits;
  for (std::uint32_t k = 0; k < count; ++k) f(first + k);
}

/// f(word, bits) for the chunks of [low, high).
template <class F>
[[gnu::always_inline]] inline void each_chunk_word(std::uint64_t low, std::uint64_t high, F f) {
  const std::uint64_t first = low >> 6, last = (high - 1) >> 6;
  for (std::uint64_t word = first / 64; word <= last / 64; ++word) {
    const std::uint64_t from = word == first / 64 ? first % 64 : 0, to = word == last / 64 ? last % 64 : 63;
    f(word, (~std::uint64_t{0} >> (63 - (to - from))) << from);
  }
}

TILEJIT_QUICK bool chunks_meet(const SharedWatch& s, const SharedAccess& a) {
  const std::uint32_t others = rivals(a.kind);
  std::uint64_t any = 0;
  each_chunk_word(a.low, a.high, [&](std::uint64_t word, std::uint64_t bits) {
    for (std::uint32_t k = 0; k < 4; ++k) any |= (others >> k & 1) != 0 ? s.chunks[k * s.chunk_words + word] & bits : 0;
  });
  return any != 0;
}
TILEJIT_QUICK void add_chunks(SharedWatch& s, const SharedAccess& a) {
  std::uint64_t* const mine = s.chunks + static_cast<std::uint32_t>(a.kind) * s.chunk_words;
  each_chunk_word(a.low, a.high, [&](std::uint64_t word, std::uint64_t bits) { mine[word] |= bits; });
}

/// Puts the lanes into the stamps. What other threads had done there before: kinds, a bit each. Lanes of one access
/// are others to each other.
TILEJIT_QUICK std::uint32_t stamp(SharedWatch& s, std::uint32_t mask, int warp, const std::uint32_t* address,
                                  std::uint32_t bytes, Touching kind) {
  const std::uint32_t epoch = Stamp::of_epoch(s.epoch);
  const std::uint32_t fresh = epoch | Stamp::of_kinds(1u << static_cast<int>(kind));
  std::uint32_t met = 0;
  const auto one = [&](int lane, std::uint32_t at) {
    const std::uint32_t me = static_cast<std::uint32_t>(warp) * 32 + static_cast<std::uint32_t>(lane);
    const std::uint32_t since = s.stamps[at] ^ epoch;
    const std::uint32_t before = since < Stamp::epochs ? since : 0;
    const bool others = before != 0 && ((before ^ me) & (2 * Stamp::several - 1)) != 0;
    met |= others ? before : 0;
    s.stamps[at] = fresh | me | (before & Stamp::kinds) | (others ? Stamp::several : 0);
  };
  if (bytes >> s.granule_bits == 1) {
    each_lane(mask, [&](int lane) { one(lane, address[lane] >> s.granule_bits); });
  } else {
    each_lane(mask, [&](int lane) { each_granule(s, address[lane], bytes, [&](std::uint32_t at) { one(lane, at); }); });
  }
  return met / Stamp::of_kinds(1);
}
TILEJIT_QUICK void stamp_kept(SharedWatch& s) {
  for (; s.stamped < s.kept_count; ++s.stamped) {
    const KeptAccess& one = s.kept[s.stamped];
    stamp(s, one.mask, one.warp, one.address, one.bytes, one.kind);
  }
}

/// Whether an access is far from all that it must not meet: its chunks, no granule looked at.
TILEJIT_QUICK bool is_far(const SharedWatch& s, const SharedAccess& a) {
  return (s.seen & rivals(a.kind)) == 0 || !chunks_meet(s, a);
}

/// Notes where an access is. True: nothing that it must not meet touched its bytes in this interval but the same
/// threads, and there is room to keep it.
TILEJIT_QUICK bool is_apart(SharedWatch& s, const SharedAccess& a) {
  const bool far = is_far(s, a), room = s.kept_count < s.kept_most;
  s.seen |= 1u << static_cast<int>(a.kind);
  add_chunks(s, a);
  if (far && room) return true;
  stamp_kept(s);
  const bool apart = (stamp(s, a.mask, a.warp, a.address, a.bytes, a.kind) & rivals(a.kind)) == 0;
  s.stamped += apart && room ? 1 : 0;  // which is kept next
  return apart && room;
}

/// After is_apart.
TILEJIT_QUICK void keep(SharedWatch& s, const SharedAccess& a) {
  KeptAccess& one = s.kept[s.kept_count++];
  one.when = s.accesses;
  one.site = a.site;
  one.mask = a.mask;
  one.warp = static_cast<std::uint16_t>(a.warp);
  one.bytes = a.bytes;
  one.kind = a.kind;
  for (int lane = 0; lane < 32; ++lane) one.address[lane] = a.address[lane];
}

/// Counts an access, in an interval that has begun, and brings its warp's clock up to what the warp passed.
TILEJIT_QUICK void count_access(SharedWatch& s, int warp, std::uint32_t syncs) {
  ++s.accesses;
  WarpClock& clock = s.clocks[warp];
  if (clock.syncs == syncs) return;
  clock.syncs = syncs;
  clock.synced = s.accesses;
}

}  // namespace tilejit::emulator
