#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/lanes.h>

/// and, or, xor, not, cnot, lop3 and shifts, on words and on predicates.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

template <class T>
T both(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
T either(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
T differ(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <class T>
T invert(T a) {
  return static_cast<T>(~a);
}
template <class T>
T is_zero(T a) {
  return static_cast<T>(a == 0 ? 1 : 0);
}

template <class T>
T shift_left(T a, std::uint32_t b) {
  constexpr std::uint32_t bits = 8 * sizeof(T);
  return b >= bits ? T{0} : static_cast<T>(a << (b & (bits - 1)));
}
template <class T>
T shift_right(T a, std::uint32_t b) {
  constexpr std::uint32_t bits = 8 * sizeof(T);
  if constexpr (std::is_signed_v<T>) return static_cast<T>(a >> (b >= bits ? bits - 1 : b));
  return b >= bits ? T{0} : static_cast<T>(a >> (b & (bits - 1)));
}

/// Every function of three bits is a sum of its eight products.
const Op* lop3(const Op* op, Warp& w) {
  const auto* a = at<const std::uint32_t>(w, op->a);
  const auto* b = at<const std::uint32_t>(w, op->b);
  const auto* c = at<const std::uint32_t>(w, op->c);
  std::uint32_t use[8];
  for (int k = 0; k < 8; ++k) use[k] = (op->immediate >> k & 1) != 0 ? ~0u : 0;
  Result<std::uint32_t> d(w, op->d);
  std::uint32_t* out = d.out;
  TILEJIT_LANES {
    const std::uint32_t x = a[i], y = b[i], z = c[i];
    out[i] = (use[0] & ~x & ~y & ~z) | (use[1] & ~x & ~y & z) | (use[2] & ~x & y & ~z) | (use[3] & ~x & y & z) |
             (use[4] & x & ~y & ~z) | (use[5] & x & ~y & z) | (use[6] & x & y & ~z) | (use[7] & x & y & z);
  }
  d.commit(w);
  return op + 1;
}

std::uint32_t value(Warp& w, Place place) { return predicate(w, place); }

template <int Kind>
const Op* on_predicates(const Op* op, Warp& w) {
  const std::uint32_t a = value(w, op->a);
  const std::uint32_t b = Kind < 3 ? value(w, op->b) : 0;
  set_predicate(w, op->d, Kind == 0 ? a & b : Kind == 1 ? a | b : Kind == 2 ? a ^ b : Kind == 3 ? ~a : a);
  return op + 1;
}

template <class T>
void words(Registry& r, const char* type) {
  row<both<T>>(r, "and", type);
  row<either<T>>(r, "or", type);
  row<differ<T>>(r, "xor", type);
  row<invert<T>>(r, "not", type);
  row<is_zero<T>>(r, "cnot", type);
  row<shift_left<T>>(r, "shl", type);
  row<shift_right<T>>(r, "shr", type);
}

}  // namespace

void register_logic(Registry& r) {
  words<std::uint16_t>(r, "b16");
  words<std::uint32_t>(r, "b32");
  words<std::uint64_t>(r, "b64");
  row<shift_right<std::uint16_t>>(r, "shr", "u16");
  row<shift_right<std::uint32_t>>(r, "shr", "u32");
  row<shift_right<std::uint64_t>>(r, "shr", "u64");
  row<shift_right<std::int16_t>>(r, "shr", "s16");
  row<shift_right<std::int32_t>>(r, "shr", "s32");
  row<shift_right<std::int64_t>>(r, "shr", "s64");
  const Width p = Width::predicate, n = Width::none, w = Width::b32;
  put(r, Row{{"lop3", "b32"}, lop3, {w, w, w, w}});
  put(r, Row{{"and", "pred"}, on_predicates<0>, {p, p, p, n}});
  put(r, Row{{"or", "pred"}, on_predicates<1>, {p, p, p, n}});
  put(r, Row{{"xor", "pred"}, on_predicates<2>, {p, p, p, n}});
  put(r, Row{{"not", "pred"}, on_predicates<3>, {p, p, n, n}});
  put(r, Row{{"mov", "pred"}, on_predicates<4>, {p, p, n, n}});
}

}  // namespace tilejit::emulator::TILEJIT_ISA
