#pragma once
// Element types. The narrow ones hold bits only: arithmetic happens in float (block/elementwise.cuh), and cast<To>(x) of
// block/cast.cuh converts.
using i8 = signed char;
using u8 = unsigned char;
using i16 = short;
using u16 = unsigned short;
using i32 = int;
using u32 = unsigned;
using i64 = long long;
using u64 = unsigned long long;

struct f16 { u16 bits; };
struct bf16 { u16 bits; };
struct f8e4m3 { u8 bits; };
struct f8e5m2 { u8 bits; };
struct bool_ { u8 bits; };  // any bit set is true

template <class A, class B>
inline constexpr bool is_same = false;
template <class A>
inline constexpr bool is_same<A, A> = true;

// How To is made from From. Incomplete unless the template's `use` names block/cast.cuh.
template <class To, class From>
struct conversion;

template <class To, class From>
__device__ __forceinline__ To cast(From value) {
  if constexpr (is_same<To, From>) return value;
  else return conversion<To, From>::apply(value);
}
