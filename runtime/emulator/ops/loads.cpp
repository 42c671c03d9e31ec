#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/lanes.h>

/// From checked host addresses into registers.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

template <class M, class R>
void load(const Op* op, Warp& w, const std::uint64_t* address, bool contiguous) {
  R* d = at<R>(w, op->d);
  if (contiguous) {
    const M* from = reinterpret_cast<const M*>(address[0]);
    TILEJIT_LANES d[i] = static_cast<R>(from[i]);
  } else if (w.mask == ~0u) {
    for (int i = 0; i < 32; ++i) d[i] = static_cast<R>(*reinterpret_cast<const M*>(address[i]));
  } else {
    for (std::uint32_t rest = w.mask; rest != 0; rest &= rest - 1) {
      const int i = __builtin_ctz(rest);
      d[i] = static_cast<R>(*reinterpret_cast<const M*>(address[i]));
    }
  }
}

template <class M, class R, int V>
void load_vector(const Op* op, Warp& w, const std::uint64_t* address, bool contiguous) {
  alignas(64) R sink[32];
  R* d[V];
  for (int k = 0; k < V; ++k) d[k] = op->list[k] == no_place ? sink : at<R>(w, op->list[k]);
  if (contiguous) {
    const M* from = reinterpret_cast<const M*>(address[0]);
    for (int k = 0; k < V; ++k) {
      R* out = d[k];
      TILEJIT_LANES out[i] = static_cast<R>(from[i * V + k]);
    }
    return;
  }
  for (std::uint32_t rest = w.mask; rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    const M* from = reinterpret_cast<const M*>(address[i]);
    for (int k = 0; k < V; ++k) d[k][i] = static_cast<R>(from[k]);
  }
}

template <class M, class R>
void widths(Registry& r) {
  constexpr bool s = std::is_signed_v<M>;
  put(r, MoverRow{load<M, R>, sizeof(M), sizeof(R), s, false, 1});
  put(r, MoverRow{load_vector<M, R, 2>, sizeof(M), sizeof(R), s, false, 2});
  put(r, MoverRow{load_vector<M, R, 4>, sizeof(M), sizeof(R), s, false, 4});
  put(r, MoverRow{load_vector<M, R, 8>, sizeof(M), sizeof(R), s, false, 8});
}

}  // namespace

void register_loads(Registry& r) {
  widths<std::uint8_t, std::uint16_t>(r);
  widths<std::uint8_t, std::uint32_t>(r);
  widths<std::uint8_t, std::uint64_t>(r);
  widths<std::int8_t, std::int16_t>(r);
  widths<std::int8_t, std::int32_t>(r);
  widths<std::int8_t, std::int64_t>(r);
  widths<std::uint16_t, std::uint16_t>(r);
  widths<std::uint16_t, std::uint32_t>(r);
  widths<std::uint16_t, std::uint64_t>(r);
  widths<std::int16_t, std::int32_t>(r);
  widths<std::int16_t, std::int64_t>(r);
  widths<std::uint32_t, std::uint32_t>(r);
  widths<std::uint32_t, std::uint64_t>(r);
  widths<std::int32_t, std::int64_t>(r);
  widths<std::uint64_t, std::uint64_t>(r);
}

}  // namespace tilejit::emulator::TILEJIT_ISA
