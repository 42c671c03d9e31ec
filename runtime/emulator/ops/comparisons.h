#pragma once
#include <tilejit/runtime/emulator/ops/lanes.h>

/// setp and set for one type. A comparison with u at its end holds for a NaN too. set gives all ones or 1.0.
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

/// set: `One` is what true looks like in the destination.
template <auto Compare, class D, D One, class T>
D as_value(T a, T b) {
  return Compare(a, b) ? One : D{0};
}

template <auto Compare, class T>
TILEJIT_INLINE void comparison(Registry& r, const char* order, const char* ftz, const char* type) {
  row<Compare>(r, "setp", order, ftz, type);
  row<as_value<Compare, std::uint32_t, ~0u, T>>(r, "set", order, ftz, "u32", type);
  row<as_value<Compare, std::uint32_t, ~0u, T>>(r, "set", order, ftz, "s32", type);
  row<as_value<Compare, std::uint32_t, 0x3F800000u, T>>(r, "set", order, ftz, "f32", type);
}

template <auto View, class T>
TILEJIT_INLINE void float_comparisons(Registry& r, const char* ftz, const char* type) {
  comparison<compare_floats<View, Order::eq, false, T>, T>(r, "eq", ftz, type);
  comparison<compare_floats<View, Order::ne, false, T>, T>(r, "ne", ftz, type);
  comparison<compare_floats<View, Order::lt, false, T>, T>(r, "lt", ftz, type);
  comparison<compare_floats<View, Order::le, false, T>, T>(r, "le", ftz, type);
  comparison<compare_floats<View, Order::gt, false, T>, T>(r, "gt", ftz, type);
  comparison<compare_floats<View, Order::ge, false, T>, T>(r, "ge", ftz, type);
  comparison<compare_floats<View, Order::eq, true, T>, T>(r, "equ", ftz, type);
  comparison<compare_floats<View, Order::ne, true, T>, T>(r, "neu", ftz, type);
  comparison<compare_floats<View, Order::lt, true, T>, T>(r, "ltu", ftz, type);
  comparison<compare_floats<View, Order::le, true, T>, T>(r, "leu", ftz, type);
  comparison<compare_floats<View, Order::gt, true, T>, T>(r, "gtu", ftz, type);
  comparison<compare_floats<View, Order::ge, true, T>, T>(r, "geu", ftz, type);
  comparison<test_nan<View, false, T>, T>(r, "num", ftz, type);
  comparison<test_nan<View, true, T>, T>(r, "nan", ftz, type);
}

}  // namespace tilejit::emulator::TILEJIT_ISA
