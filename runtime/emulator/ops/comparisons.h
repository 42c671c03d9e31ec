#pragma once
#include <tilejit/runtime/emulator/ops/lanes.h>

/// setp for one type; set is made of it. A comparison with u at its end holds for a NaN too.
namespace tilejit::emulator::TILEJIT_ISA {

enum class Order { eq, ne, lt, le, gt, ge };

template <Order O, class T>
TILEJIT_INLINE bool ordered(T a, T b) {
  if constexpr (O == Order::eq) return a == b;
  if constexpr (O == Order::ne) return a != b;
  if constexpr (O == Order::lt) return a < b;
  if constexpr (O == Order::le) return a <= b;
  if constexpr (O == Order::gt) return a > b;
  return a >= b;
}

/// For floats: `View` turns the register's bits into something comparable.
template <auto View, Order O, bool Unordered, class T>
bool compare_floats(T x, T y) {
  const auto a = View(x), b = View(y);
  const bool nan = a != a || b != b;
  if constexpr (O == Order::ne) return Unordered ? a != b : a != b && !nan;
  return Unordered ? nan || ordered<O>(a, b) : ordered<O>(a, b);
}
template <auto View, bool Nan, class T>
bool test_nan(T x, T y) {
  const auto a = View(x), b = View(y);
  return (a != a || b != b) == Nan;
}

template <auto View, class T>
TILEJIT_INLINE void float_comparisons(Registry& r, const char* ftz, const char* type) {
  row<compare_floats<View, Order::eq, false, T>>(r, "setp", "eq", ftz, type);
  row<compare_floats<View, Order::ne, false, T>>(r, "setp", "ne", ftz, type);
  row<compare_floats<View, Order::lt, false, T>>(r, "setp", "lt", ftz, type);
  row<compare_floats<View, Order::le, false, T>>(r, "setp", "le", ftz, type);
  row<compare_floats<View, Order::gt, false, T>>(r, "setp", "gt", ftz, type);
  row<compare_floats<View, Order::ge, false, T>>(r, "setp", "ge", ftz, type);
  row<compare_floats<View, Order::eq, true, T>>(r, "setp", "equ", ftz, type);
  row<compare_floats<View, Order::ne, true, T>>(r, "setp", "neu", ftz, type);
  row<compare_floats<View, Order::lt, true, T>>(r, "setp", "ltu", ftz, type);
  row<compare_floats<View, Order::le, true, T>>(r, "setp", "leu", ftz, type);
  row<compare_floats<View, Order::gt, true, T>>(r, "setp", "gtu", ftz, type);
  row<compare_floats<View, Order::ge, true, T>>(r, "setp", "geu", ftz, type);
  row<test_nan<View, false, T>>(r, "setp", "num", ftz, type);
  row<test_nan<View, true, T>>(r, "setp", "nan", ftz, type);
}

}  // namespace tilejit::emulator::TILEJIT_ISA
