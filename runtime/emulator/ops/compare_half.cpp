#include <tilejit/runtime/emulator/ops/comparisons.h>
#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/half_functions.h>

/// setp of f16 and bf16; of pairs it gives two predicates.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

template <class H, bool Ftz>
float view(std::uint16_t a) {
  return H::widen(flush_half<H, Ftz>(a));
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

template <auto Compare>
void one(Registry& r, HalfNames types, const char* order, const char* ftz) {
  row<Compare>(r, "setp", order, ftz, types.single);
  put(r, Row{{"setp", order, ftz, types.pair},
             pair_predicates<Compare>,
             {Width::predicate, Width::b32, Width::b32, Width::none}});
}

template <class H, bool Ftz>
void all(Registry& r, HalfNames types, const char* ftz) {
  using T = std::uint16_t;
  constexpr auto v = view<H, Ftz>;
  one<compare_floats<v, Order::eq, false, T>>(r, types, "eq", ftz);
  one<compare_floats<v, Order::ne, false, T>>(r, types, "ne", ftz);
  one<compare_floats<v, Order::lt, false, T>>(r, types, "lt", ftz);
  one<compare_floats<v, Order::le, false, T>>(r, types, "le", ftz);
  one<compare_floats<v, Order::gt, false, T>>(r, types, "gt", ftz);
  one<compare_floats<v, Order::ge, false, T>>(r, types, "ge", ftz);
  one<compare_floats<v, Order::eq, true, T>>(r, types, "equ", ftz);
  one<compare_floats<v, Order::ne, true, T>>(r, types, "neu", ftz);
  one<compare_floats<v, Order::lt, true, T>>(r, types, "ltu", ftz);
  one<compare_floats<v, Order::le, true, T>>(r, types, "leu", ftz);
  one<compare_floats<v, Order::gt, true, T>>(r, types, "gtu", ftz);
  one<compare_floats<v, Order::ge, true, T>>(r, types, "geu", ftz);
  one<test_nan<v, false, T>>(r, types, "num", ftz);
  one<test_nan<v, true, T>>(r, types, "nan", ftz);
}

}  // namespace

void register_compare_half(Registry& r) {
  all<F16, false>(r, {"f16", "f16x2"}, nullptr);
  all<F16, true>(r, {"f16", "f16x2"}, "ftz");
  all<BF16, false>(r, {"bf16", "bf16x2"}, nullptr);
}

}  // namespace tilejit::emulator::TILEJIT_ISA
