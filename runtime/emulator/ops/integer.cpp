#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/lanes.h>

/// add, sub, mul.lo, mad.lo, neg, abs, min, max, sad: wrap-around, or saturating where .sat says so.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

template <class T>
using Unsigned = std::make_unsigned_t<T>;

template <class T>
T add(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
}
template <class T>
T sub(T a, T b) {
  return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
}
template <class T>
T mul(T a, T b) {
  return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
template <class T>
T mad(T a, T b, T c) {
  return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b) + static_cast<std::uint64_t>(c));
}
/// 32-bit lanes multiply as 32-bit lanes: the host has no wide vector multiply on every set.
template <>
std::uint32_t mul(std::uint32_t a, std::uint32_t b) {
  return a * b;
}
template <>
std::int32_t mul(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
}
template <>
std::uint32_t mad(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return a * b + c;
}
template <>
std::int32_t mad(std::int32_t a, std::int32_t b, std::int32_t c) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b) +
                                   static_cast<std::uint32_t>(c));
}
template <class T>
T neg(T a) {
  return static_cast<T>(Unsigned<T>{0} - static_cast<Unsigned<T>>(a));
}
template <class T>
T absolute(T a) {
  return a < 0 ? neg(a) : a;
}
template <class T>
T minimum(T a, T b) {
  return a < b ? a : b;
}
template <class T>
T maximum(T a, T b) {
  return a > b ? a : b;
}
template <class T>
T relu(T a) {
  return a > 0 ? a : T{0};
}
template <class T>
T min_relu(T a, T b) {
  return relu(minimum(a, b));
}
template <class T>
T max_relu(T a, T b) {
  return relu(maximum(a, b));
}
template <class T>
T sad(T a, T b, T c) {
  const Unsigned<T> difference = a < b ? static_cast<Unsigned<T>>(b) - static_cast<Unsigned<T>>(a)
                                       : static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b);
  return static_cast<T>(static_cast<Unsigned<T>>(c) + difference);
}

std::int32_t clamp(std::int64_t v) {
  return static_cast<std::int32_t>(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v);
}
std::int32_t add_sat(std::int32_t a, std::int32_t b) { return clamp(std::int64_t{a} + b); }
std::int32_t sub_sat(std::int32_t a, std::int32_t b) { return clamp(std::int64_t{a} - b); }
std::int32_t mad_hi_sat(std::int32_t a, std::int32_t b, std::int32_t c) {
  return clamp((std::int64_t{a} * b >> 32) + std::int64_t{c});
}

template <auto F>
std::uint32_t pair(std::uint32_t a, std::uint32_t b) {
  using T = std::remove_cvref_t<decltype(F(0, 0))>;
  const auto low = static_cast<std::uint16_t>(F(static_cast<T>(a), static_cast<T>(b)));
  const auto high = static_cast<std::uint16_t>(F(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
  return low | static_cast<std::uint32_t>(high) << 16;
}

template <class T>
void any_type(Registry& r, const char* type) {
  row<add<T>>(r, "add", type);
  row<sub<T>>(r, "sub", type);
  row<mul<T>>(r, "mul", "lo", type);
  row<mad<T>>(r, "mad", "lo", type);
  row<minimum<T>>(r, "min", type);
  row<maximum<T>>(r, "max", type);
  row<sad<T>>(r, "sad", type);
}

template <class T>
void signed_type(Registry& r, const char* type) {
  row<neg<T>>(r, "neg", type);
  row<absolute<T>>(r, "abs", type);
}

}  // namespace

void register_integer(Registry& r) {
  any_type<std::uint16_t>(r, "u16");
  any_type<std::int16_t>(r, "s16");
  any_type<std::uint32_t>(r, "u32");
  any_type<std::int32_t>(r, "s32");
  any_type<std::uint64_t>(r, "u64");
  any_type<std::int64_t>(r, "s64");
  signed_type<std::int16_t>(r, "s16");
  signed_type<std::int32_t>(r, "s32");
  signed_type<std::int64_t>(r, "s64");
  row<add_sat>(r, "add", "sat", "s32");
  row<sub_sat>(r, "sub", "sat", "s32");
  row<mad_hi_sat>(r, "mad", "hi", "sat", "s32");
  row<min_relu<std::int32_t>>(r, "min", "relu", "s32");
  row<max_relu<std::int32_t>>(r, "max", "relu", "s32");
  row<pair<add<std::uint16_t>>>(r, "add", "u16x2");
  row<pair<add<std::int16_t>>>(r, "add", "s16x2");
  row<pair<minimum<std::uint16_t>>>(r, "min", "u16x2");
  row<pair<minimum<std::int16_t>>>(r, "min", "s16x2");
  row<pair<maximum<std::uint16_t>>>(r, "max", "u16x2");
  row<pair<maximum<std::int16_t>>>(r, "max", "s16x2");
  row<pair<min_relu<std::int16_t>>>(r, "min", "relu", "s16x2");
  row<pair<max_relu<std::int16_t>>>(r, "max", "relu", "s16x2");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
