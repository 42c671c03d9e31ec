#include <tilejit/runtime/emulator/ops/comparisons.h>
#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/half_functions.h>

/// setp and set of f16 and bf16; of pairs, set gives a pair of 1.0 or all ones, setp two predicates.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

template <class H, bool Ftz>
float view(std::uint16_t a) {
  return H::widen(flush_half<H, Ftz>(a));
}
template <auto Single, std::uint16_t One>
std::uint32_t pair_value(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t low = Single(static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b)) ? One : 0;
  const std::uint32_t high = Single(static_cast<std::uint16_t>(a >> 16), static_cast<std::uint16_t>(b >> 16)) ? One : 0;
  return low | high << 16;
}

/// The second predicate, of the high halves, is list[0].
template <auto Single>
const Op* pair_predicates(const Op* op, Warp& w) {
  const auto* a = at<const std::uint32_t>(w, op->a);
  const auto* b = at<const std::uint32_t>(w, op->b);
  std::uint32_t low = 0, high = 0;
  TILEJIT_LANES low |=
      static_cast<std::uint32_t>(Single(static_cast<std::uint16_t>(a[i]), static_cast<std::uint16_t>(b[i]))) << i;
  TILEJIT_LANES high |=
      static_cast<std::uint32_t>(Single(static_cast<std::uint16_t>(a[i] >> 16), static_cast<std::uint16_t>(b[i] >> 16)))
      << i;
  set_predicate(w, op->d, low);
  set_predicate(w, op->list[0], high);
  return op + 1;
}

template <class H, auto Compare>
void one(Registry& r, HalfNames types, const char* order, const char* ftz) {
  comparison<Compare, std::uint16_t>(r, order, ftz, types.single);
  row<as_value<Compare, std::uint16_t, H::one, std::uint16_t>>(r, "set", order, ftz, types.single, types.single);
  row<pair_value<Compare, H::one>>(r, "set", order, ftz, types.pair, types.pair);
  row<pair_value<Compare, 0xFFFF>>(r, "set", order, ftz, "u32", types.pair);
  put(r, Row{{"setp", order, ftz, types.pair},
             pair_predicates<Compare>,
             {Width::predicate, Width::b32, Width::b32, Width::none}});
}

template <class H, bool Ftz>
void all(Registry& r, HalfNames types, const char* ftz) {
  using T = std::uint16_t;
  constexpr auto v = view<H, Ftz>;
  one<H, compare_floats<v, Order::eq, false, T>>(r, types, "eq", ftz);
  one<H, compare_floats<v, Order::ne, false, T>>(r, types, "ne", ftz);
  one<H, compare_floats<v, Order::lt, false, T>>(r, types, "lt", ftz);
  one<H, compare_floats<v, Order::le, false, T>>(r, types, "le", ftz);
  one<H, compare_floats<v, Order::gt, false, T>>(r, types, "gt", ftz);
  one<H, compare_floats<v, Order::ge, false, T>>(r, types, "ge", ftz);
  one<H, compare_floats<v, Order::eq, true, T>>(r, types, "equ", ftz);
  one<H, compare_floats<v, Order::ne, true, T>>(r, types, "neu", ftz);
  one<H, compare_floats<v, Order::lt, true, T>>(r, types, "ltu", ftz);
  one<H, compare_floats<v, Order::le, true, T>>(r, types, "leu", ftz);
  one<H, compare_floats<v, Order::gt, true, T>>(r, types, "gtu", ftz);
  one<H, compare_floats<v, Order::ge, true, T>>(r, types, "geu", ftz);
  one<H, test_nan<v, false, T>>(r, types, "num", ftz);
  one<H, test_nan<v, true, T>>(r, types, "nan", ftz);
}

}  // namespace

void register_compare_half(Registry& r) {
  all<F16, false>(r, {"f16", "f16x2"}, nullptr);
  all<F16, true>(r, {"f16", "f16x2"}, "ftz");
  all<BF16, false>(r, {"bf16", "bf16x2"}, nullptr);
}

}  // namespace tilejit::emulator::TILEJIT_ISA
