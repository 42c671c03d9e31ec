#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/lanes.h>
#include <tilejit/runtime/emulator/report/raise.h>

/// div and rem of integers. A zero divisor in an active lane is a fault.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

template <class T>
T quotient(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return static_cast<T>(std::make_unsigned_t<T>{0} - static_cast<std::make_unsigned_t<T>>(a));
  }
  return static_cast<T>(a / b);
}
template <class T>
T remainder(T a, T b) {
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
  }
  return static_cast<T>(a % b);
}

template <auto F, class T>
const Op* divide(const Op* op, Warp& w) {
  const T* a = at<const T>(w, op->a);
  const T* b = at<const T>(w, op->b);
  T* d = at<T>(w, op->d);
  for (std::uint32_t rest = w.mask; rest != 0; rest &= rest - 1) {
    const int i = __builtin_ctz(rest);
    if (b[i] == 0) fault_division(op, w, i);
    d[i] = F(a[i], b[i]);
  }
  return op + 1;
}

/// 32-bit operands: a quotient of doubles, cut, is the integers' quotient; the host divides doubles four at a time.
template <bool Remainder, class T>
const Op* divide_small(const Op* op, Warp& w) {
  const T* a = at<const T>(w, op->a);
  const T* b = at<const T>(w, op->b);
  std::uint32_t zero = 0;
  TILEJIT_LANES zero |= static_cast<std::uint32_t>(b[i] == 0) << i;
  zero &= w.mask;
  if (zero != 0) fault_division(op, w, __builtin_ctz(zero));
  Result<T> d(w, op->d);
  T* out = d.out;
  TILEJIT_LANES {
    const T divisor = b[i] == 0 ? T{1} : b[i];
    const double exact = static_cast<double>(a[i]) / static_cast<double>(divisor);
    const auto q = static_cast<T>(static_cast<std::int64_t>(exact));
    const auto product = static_cast<std::uint32_t>(q) * static_cast<std::uint32_t>(divisor);
    out[i] = Remainder ? static_cast<T>(static_cast<std::uint32_t>(a[i]) - product) : q;
  }
  d.commit(w);
  return op + 1;
}

void put_row(Registry& r, const char* name, const char* type, Handler run, Width width) {
  put(r, Row{{name, type}, run, {width, width, width, Width::none}});
}

template <class T>
void any_type(Registry& r, const char* type) {
  put_row(r, "div", type, divide<quotient<T>, T>, width_of<T>);
  put_row(r, "rem", type, divide<remainder<T>, T>, width_of<T>);
}
template <class T>
void small_type(Registry& r, const char* type) {
  put_row(r, "div", type, divide_small<false, T>, width_of<T>);
  put_row(r, "rem", type, divide_small<true, T>, width_of<T>);
}

}  // namespace

void register_division(Registry& r) {
  any_type<std::uint16_t>(r, "u16");
  any_type<std::int16_t>(r, "s16");
  small_type<std::uint32_t>(r, "u32");
  small_type<std::int32_t>(r, "s32");
  any_type<std::uint64_t>(r, "u64");
  any_type<std::int64_t>(r, "s64");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
