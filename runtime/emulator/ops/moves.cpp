#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/lanes.h>

/// mov, selp, slct, packing and unpacking, and the resizing that loads, stores and conversions allow.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

template <class T>
T copy(T a) {
  return a;
}
template <class T>
T select(T a, T b, bool c) {
  return c ? a : b;
}
template <class T>
T select_sign(T a, T b, std::int32_t c) {
  return c >= 0 ? a : b;
}
/// A NaN selects b, as it is not at least zero.
template <class T, bool Ftz>
T select_sign_float(T a, T b, float c) {
  return c >= 0.0f || (Ftz && (__builtin_bit_cast(std::uint32_t, c) & 0x7F800000) == 0) ? a : b;
}
template <class D, class A>
D resize(A a) {
  return static_cast<D>(a);
}

template <class D, class A>
const Op* pack(const Op* op, Warp& w) {
  constexpr int parts = sizeof(D) / sizeof(A);
  Result<D> d(w, op->d);
  D* out = d.out;
  const A* from[parts];
  for (int k = 0; k < parts; ++k) from[k] = at<const A>(w, op->list[k]);
  for (int i = 0; i < 32; ++i) {
    D all = 0;
    for (int k = 0; k < parts; ++k) all |= static_cast<D>(static_cast<D>(from[k][i]) << 8 * sizeof(A) * k);
    out[i] = all;
  }
  d.commit(w);
  return op + 1;
}

template <class D, class A>
const Op* unpack(const Op* op, Warp& w) {
  constexpr int parts = sizeof(A) / sizeof(D);
  A copy_of_a[32];
  const A* a = at<const A>(w, op->a);
  TILEJIT_LANES copy_of_a[i] = a[i];
  for (int k = 0; k < parts; ++k) {
    if (op->list[k] == no_place) continue;
    Result<D> d(w, op->list[k]);
    D* out = d.out;
    TILEJIT_LANES out[i] = static_cast<D>(copy_of_a[i] >> 8 * sizeof(D) * k);
    d.commit(w);
  }
  return op + 1;
}

template <class T>
void words(Registry& r, const char* const (&types)[4]) {
  for (const char* type : types) {
    if (type == nullptr) continue;
    row<copy<T>>(r, "mov", type);
    row<select<T>>(r, "selp", type);
    row<select_sign<T>>(r, "slct", type, "s32");
    row<select_sign_float<T, false>>(r, "slct", type, "f32");
    row<select_sign_float<T, true>>(r, "slct", "ftz", type, "f32");
  }
}

/// "resize.to.from": the low bits, or zeros or the sign above.
template <class D, class A>
void resizing(Registry& r, const char* to, const char* from) {
  row<resize<D, A>>(r, "resize", to, from);
}

template <class D, class A>
void packing(Registry& r, const char* to, const char* from) {
  put(r, Row{{"pack", to, from}, pack<D, A>, {width_of<D>, Width::none, Width::none, Width::none}});
  put(r, Row{{"unpack", from, to}, unpack<A, D>, {Width::none, width_of<D>, Width::none, Width::none}});
}

}  // namespace

void register_moves(Registry& r) {
  words<std::uint16_t>(r, {"b16", "u16", "s16", "f16"});
  words<std::uint32_t>(r, {"b32", "u32", "s32", "f32"});
  words<std::uint64_t>(r, {"b64", "u64", "s64", "f64"});
  row<copy<std::uint16_t>>(r, "mov", "bf16");
  row<select<std::uint16_t>>(r, "selp", "bf16");
  row<copy<std::uint32_t>>(r, "mov", "f16x2");
  row<copy<std::uint32_t>>(r, "mov", "bf16x2");
  resizing<std::uint32_t, std::uint16_t>(r, "b32", "u16");
  resizing<std::uint64_t, std::uint16_t>(r, "b64", "u16");
  resizing<std::uint64_t, std::uint32_t>(r, "b64", "u32");
  resizing<std::uint32_t, std::int16_t>(r, "b32", "s16");
  resizing<std::uint64_t, std::int16_t>(r, "b64", "s16");
  resizing<std::uint64_t, std::int32_t>(r, "b64", "s32");
  resizing<std::uint16_t, std::uint32_t>(r, "b16", "u32");
  resizing<std::uint16_t, std::uint64_t>(r, "b16", "u64");
  resizing<std::uint32_t, std::uint64_t>(r, "b32", "u64");
  packing<std::uint32_t, std::uint16_t>(r, "b32", "b16");
  packing<std::uint64_t, std::uint32_t>(r, "b64", "b32");
  packing<std::uint64_t, std::uint16_t>(r, "b64", "b16");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
