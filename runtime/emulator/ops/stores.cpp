#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/lanes.h>

/// From registers to checked host addresses. Where lanes write the same place, the highest wins.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

template <class M, class R>
void store(const Op* op, Warp& w, const std::uint64_t* address, bool contiguous) {
  const R* d = at<const R>(w, op->d);
  if (contiguous) {
    M* to = reinterpret_cast<M*>(address[0]);
    TILEJIT_LANES to[i] = static_cast<M>(d[i]);
    return;
  }
  for (std::uint32_t rest = w.mask; rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    *reinterpret_cast<M*>(address[i]) = static_cast<M>(d[i]);
  }
}

template <class M, class R, int V>
void store_vector(const Op* op, Warp& w, const std::uint64_t* address, bool contiguous) {
  const R* d[V];
  for (int k = 0; k < V; ++k) d[k] = at<const R>(w, op->list[k]);
  if (contiguous) {
    M* to = reinterpret_cast<M*>(address[0]);
    TILEJIT_LANES {
      for (int k = 0; k < V; ++k) to[i * V + k] = static_cast<M>(d[k][i]);
    }
    return;
  }
  for (std::uint32_t rest = w.mask; rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    M* to = reinterpret_cast<M*>(address[i]);
    for (int k = 0; k < V; ++k) to[k] = static_cast<M>(d[k][i]);
  }
}

template <class M, class R>
void widths(Registry& r) {
  put(r, MoverRow{store<M, R>, sizeof(M), sizeof(R), false, true, 1});
  put(r, MoverRow{store_vector<M, R, 2>, sizeof(M), sizeof(R), false, true, 2});
  put(r, MoverRow{store_vector<M, R, 4>, sizeof(M), sizeof(R), false, true, 4});
  put(r, MoverRow{store_vector<M, R, 8>, sizeof(M), sizeof(R), false, true, 8});
}

}  // namespace

void register_stores(Registry& r) {
  widths<std::uint8_t, std::uint16_t>(r);
  widths<std::uint8_t, std::uint32_t>(r);
  widths<std::uint8_t, std::uint64_t>(r);
  widths<std::uint16_t, std::uint16_t>(r);
  widths<std::uint16_t, std::uint32_t>(r);
  widths<std::uint16_t, std::uint64_t>(r);
  widths<std::uint32_t, std::uint32_t>(r);
  widths<std::uint32_t, std::uint64_t>(r);
  widths<std::uint64_t, std::uint64_t>(r);
}

}  // namespace tilejit::emulator::TILEJIT_ISA
