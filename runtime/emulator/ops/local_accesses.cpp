#include <tilejit/runtime/emulator/memory/access.h>
#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/lanes.h>

/// ld and st in local memory. Word k of the 32 lanes lies side by side, so lanes that agree on an address move whole
/// registers.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

TILEJIT_INLINE std::byte* host(Warp& w, std::uint64_t offset, int lane) {
  return w.local + (offset >> 2) * 128 + static_cast<std::uint64_t>(lane) * 4 + (offset & 3);
}

template <class M>
TILEJIT_INLINE M get(Warp& w, std::uint64_t offset, int lane) {
  if constexpr (sizeof(M) == 8) {
    const auto low = *reinterpret_cast<const std::uint32_t*>(host(w, offset, lane));
    const auto high = *reinterpret_cast<const std::uint32_t*>(host(w, offset + 4, lane));
    return static_cast<M>(std::uint64_t{high} << 32 | low);
  } else {
    return *reinterpret_cast<const M*>(host(w, offset, lane));
  }
}
template <class M>
TILEJIT_INLINE void set(Warp& w, std::uint64_t offset, int lane, M value) {
  if constexpr (sizeof(M) == 8) {
    *reinterpret_cast<std::uint32_t*>(host(w, offset, lane)) = static_cast<std::uint32_t>(value);
    *reinterpret_cast<std::uint32_t*>(host(w, offset + 4, lane)) = static_cast<std::uint32_t>(value >> 32);
  } else {
    *reinterpret_cast<M*>(host(w, offset, lane)) = value;
  }
}

/// Where the lanes' words lie side by side, an element of whole words at one offset.
template <class M>
TILEJIT_INLINE std::uint32_t* words(Warp& w, std::uint64_t offset, int k) {
  return reinterpret_cast<std::uint32_t*>(host(w, offset + static_cast<std::uint64_t>(k) * sizeof(M), 0));
}

template <class M, class R, int V>
void load(const Op* op, Warp& w, const std::uint64_t* offset, bool alike) {
  alignas(64) R sink[32];
  for (int k = 0; k < V; ++k) {
    const Place place = V == 1 ? op->d : op->list[k];
    R* d = place == no_place ? sink : at<R>(w, place);
    if (sizeof(M) >= 4 && alike) {
      const std::uint32_t* low = words<M>(w, offset[0], k);
      if constexpr (sizeof(M) == 4) {
        TILEJIT_LANES d[i] = static_cast<R>(static_cast<M>(low[i]));
      } else {
        TILEJIT_LANES d[i] = static_cast<R>(std::uint64_t{low[i + 32]} << 32 | low[i]);
      }
      continue;
    }
    for (std::uint32_t rest = w.mask; rest != 0; rest &= rest - 1) {
      const int i = __builtin_ctz(rest);
      d[i] = static_cast<R>(get<M>(w, offset[i] + static_cast<std::uint64_t>(k) * sizeof(M), i));
    }
  }
}
template <class M, class R, int V>
void store(const Op* op, Warp& w, const std::uint64_t* offset, bool alike) {
  for (int k = 0; k < V; ++k) {
    const R* d = at<const R>(w, V == 1 ? op->d : op->list[k]);
    if (sizeof(M) >= 4 && alike) {
      std::uint32_t* low = words<M>(w, offset[0], k);
      TILEJIT_LANES low[i] = static_cast<std::uint32_t>(d[i]);
      if constexpr (sizeof(M) == 8) {
        TILEJIT_LANES low[i + 32] = static_cast<std::uint32_t>(d[i] >> 32);
      }
      continue;
    }
    for (std::uint32_t rest = w.mask; rest != 0; rest &= rest - 1) {
      const int i = __builtin_ctz(rest);
      set<M>(w, offset[i] + static_cast<std::uint64_t>(k) * sizeof(M), i, static_cast<M>(d[i]));
    }
  }
}

template <class A>
const Op* access(const Op* op, Warp& w) {
  SiteState& s = w.sites[op->site];
  const A* a = at<const A>(w, op->a);
  const auto end = static_cast<std::uint64_t>(w.local_bytes);
  const std::uint64_t start = static_cast<std::uint64_t>(op->immediate) + a[__builtin_ctz(w.mask)];
  alignas(64) std::uint64_t offset[32];
  std::uint64_t odd = 0, highest = 0, different = 0;
  TILEJIT_LANES {
    const std::uint64_t at_lane = static_cast<std::uint64_t>(op->immediate) + a[i];
    const std::uint64_t v = (w.mask >> i & 1) != 0 ? at_lane : start;
    offset[i] = v;
    odd |= v & (s.bytes - 1);
    highest = v > highest ? v : highest;
    different |= v ^ start;
  }
  if (odd == 0 && highest < end && s.bytes <= end - highest) {
    ++s.counts.requests;
    s.counts.lanes += static_cast<std::uint64_t>(__builtin_popcount(w.mask));
    if (w.checking) inspect_local(op, w, offset);
  } else {
    check_local(op, w, offset);
  }
  op->move(op, w, offset, different == 0 && whole(w));
  return op + 1;
}

template <class M, class R>
void loads(Registry& r) {
  constexpr bool s = std::is_signed_v<M>;
  put(r, MoverRow{load<M, R, 1>, sizeof(M), sizeof(R), s, false, 1, true});
  put(r, MoverRow{load<M, R, 2>, sizeof(M), sizeof(R), s, false, 2, true});
  put(r, MoverRow{load<M, R, 4>, sizeof(M), sizeof(R), s, false, 4, true});
}
template <class M, class R>
void both(Registry& r) {
  loads<M, R>(r);
  put(r, MoverRow{store<M, R, 1>, sizeof(M), sizeof(R), false, true, 1, true});
  put(r, MoverRow{store<M, R, 2>, sizeof(M), sizeof(R), false, true, 2, true});
  put(r, MoverRow{store<M, R, 4>, sizeof(M), sizeof(R), false, true, 4, true});
}

}  // namespace

void register_local_accesses(Registry& r) {
  put(r, Row{{"access", "local", "b32"}, access<std::uint32_t>, {}});
  put(r, Row{{"access", "local", "b64"}, access<std::uint64_t>, {}});
  both<std::uint8_t, std::uint16_t>(r);
  both<std::uint8_t, std::uint32_t>(r);
  both<std::uint8_t, std::uint64_t>(r);
  loads<std::int8_t, std::int16_t>(r);
  loads<std::int8_t, std::int32_t>(r);
  loads<std::int8_t, std::int64_t>(r);
  both<std::uint16_t, std::uint16_t>(r);
  both<std::uint16_t, std::uint32_t>(r);
  both<std::uint16_t, std::uint64_t>(r);
  loads<std::int16_t, std::int32_t>(r);
  loads<std::int16_t, std::int64_t>(r);
  both<std::uint32_t, std::uint32_t>(r);
  both<std::uint32_t, std::uint64_t>(r);
  loads<std::int32_t, std::int64_t>(r);
  both<std::uint64_t, std::uint64_t>(r);
}

}  // namespace tilejit::emulator::TILEJIT_ISA
