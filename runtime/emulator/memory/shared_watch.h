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
  WarpClock* clocks = nullptr;                    ///< by warp
  KeptAccess* kept = nullptr;                     ///< of this interval, those that are nowhere else
  std::uint32_t kept_count = 0, kept_most = 0;
  std::uint32_t stamped = 0;   ///< of the kept, as many are in `stamps`
  std::uint32_t accesses = 0;  ///< so far
  std::uint32_t interval = 0;  ///< the one that `chunks`, `stamps` and `kept` are of
  /// Bits for 64-byte chunks that were touched in this interval, by Touching, `chunk_words` each.
  std::uint64_t* chunks = nullptr;
  std::uint32_t chunk_words = 0;
  /// What touched each granule, exactly: bits by Touching, above them the interval's epoch. Only up to `stamped`.
  std::uint16_t* stamps = nullptr;
  std::uint16_t epoch = 0;
  int granule_bits = 2;  ///< 2^that bytes: what the kernel's narrowest access touches
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

template <class F>
[[gnu::always_inline]] inline void each_granule(const SharedWatch& s, std::uint32_t address, std::uint32_t bytes, F f) {
  const std::uint32_t last = (address + bytes - 1) >> s.granule_bits;
  for (std::uint32_t at = address >> s.granule_bits; at <= last; ++at) f(at);
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

TILEJIT_QUICK void stamp(SharedWatch& s, std::uint32_t mask, const std::uint32_t* address, std::uint32_t bytes,
                         Touching kind) {
  const std::uint16_t fresh = static_cast<std::uint16_t>(s.epoch << 4);
  const auto bit = static_cast<std::uint16_t>(1u << static_cast<int>(kind));
  each_lane(mask, [&](int lane) {
    each_granule(s, address[lane], bytes, [&](std::uint32_t at) {
      const std::uint16_t before = s.stamps[at];
      s.stamps[at] = static_cast<std::uint16_t>((before >> 4 == s.epoch ? before : fresh) | bit);
    });
  });
}
TILEJIT_QUICK void stamp_kept(SharedWatch& s) {
  for (; s.stamped < s.kept_count; ++s.stamped) {
    const KeptAccess& one = s.kept[s.stamped];
    stamp(s, one.mask, one.address, one.bytes, one.kind);
  }
}
TILEJIT_QUICK bool stamps_meet(const SharedWatch& s, const SharedAccess& a) {
  const std::uint32_t others = rivals(a.kind);
  std::uint32_t any = 0;
  each_lane(a.mask, [&](int lane) {
    each_granule(s, a.address[lane], a.bytes, [&](std::uint32_t at) {
      const std::uint16_t one = s.stamps[at];
      any |= one >> 4 == s.epoch ? one & others : 0;
    });
  });
  return any != 0;
}

/// Whether nothing that the access must not meet touched its bytes in this interval, and there is room to keep it.
TILEJIT_QUICK bool is_apart(SharedWatch& s, const SharedAccess& a) {
  if (s.kept_count == s.kept_most) return false;
  if (!chunks_meet(s, a)) return true;
  stamp_kept(s);
  return !stamps_meet(s, a);
}

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
