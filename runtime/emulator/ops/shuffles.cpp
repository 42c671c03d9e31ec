#include <tilejit/runtime/emulator/execute/absent_lane.h>
#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/lanes.h>

/// shfl.sync for lanes that are together.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

enum class Way { idx, up, down, bfly };

/// PTX's own definition: c holds the clamp in bits 0-4 and the segment mask in bits 8-12. At least 0 where it counts.
template <Way W>
TILEJIT_INLINE int source_lane(int lane, std::uint32_t b, std::uint32_t c) {
  const int offset = static_cast<int>(b & 31), segment = static_cast<int>(c >> 8 & 31);
  if constexpr (W == Way::up) return lane - offset;
  if constexpr (W == Way::down) return lane + offset;
  if constexpr (W == Way::bfly) return lane ^ offset;
  return (lane & segment) | (offset & ~segment);
}

template <Way W>
const Op* shuffle(const Op* op, Warp& w) {
  const auto* a = at<const std::uint32_t>(w, op->a);
  const auto* b = at<const std::uint32_t>(w, op->b);
  const auto* c = at<const std::uint32_t>(w, op->c);
  alignas(64) std::uint32_t value[32];
  alignas(64) int source[32];
  std::uint32_t inside = 0, absent = 0;
  TILEJIT_LANES {
    const int clamp = static_cast<int>(c[i] & 31), segment = static_cast<int>(c[i] >> 8 & 31);
    const int last = (i & segment) | (clamp & ~segment), from = source_lane<W>(i, b[i], c[i]);
    const bool in = W == Way::up ? from >= last : from <= last;
    source[i] = in ? from : i;
    value[i] = a[i];
    inside |= static_cast<std::uint32_t>(in) << i;
    absent |= (~w.mask >> source[i] & 1) << i;
  }
  absent &= w.mask;
  if (absent != 0) fault_absent_lane(op, w, __builtin_ctz(absent), source[__builtin_ctz(absent)]);
  Result<std::uint32_t> d(w, op->d);
  std::uint32_t* out = d.out;
  TILEJIT_LANES out[i] = value[source[i]];
  d.commit(w);
  if (op->list[1] != no_place) set_predicate(w, op->list[1], inside);
  return op + 1;
}

}  // namespace

void register_shuffles(Registry& r) {
  put(r, Row{{"together", "idx", "b32"}, shuffle<Way::idx>, {}});
  put(r, Row{{"together", "up", "b32"}, shuffle<Way::up>, {}});
  put(r, Row{{"together", "down", "b32"}, shuffle<Way::down>, {}});
  put(r, Row{{"together", "bfly", "b32"}, shuffle<Way::bfly>, {}});
}

}  // namespace tilejit::emulator::TILEJIT_ISA
