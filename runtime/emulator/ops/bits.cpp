#include <tilejit/runtime/emulator/ops/families.h>
#include <tilejit/runtime/emulator/ops/lanes.h>

/// Counting, finding and moving single bits and fields: popc, clz, bfind, brev, bfe, bfi, bmsk, szext, fns.
namespace tilejit::emulator::TILEJIT_ISA {
namespace {

template <class T>
std::uint32_t ones(T a) {
  return static_cast<std::uint32_t>(sizeof(T) == 8 ? __builtin_popcountll(a) : __builtin_popcount(a));
}
template <class T>
std::uint32_t leading_zeros(T a) {
  if (a == 0) return 8 * sizeof(T);
  return static_cast<std::uint32_t>(sizeof(T) == 8 ? __builtin_clzll(a) : __builtin_clz(a));
}
/// Position of the highest bit that differs from the sign; ~0: none.
template <class T, bool ShiftAmount>
std::uint32_t find(T a) {
  using U = std::make_unsigned_t<T>;
  const U u = std::is_signed_v<T> && a < 0 ? static_cast<U>(~a) : static_cast<U>(a);
  if (u == 0) return ~0u;
  const std::uint32_t zeros = leading_zeros(u);
  return ShiftAmount ? zeros : 8 * sizeof(T) - 1 - zeros;
}
template <class T>
T reverse(T a) {
  if constexpr (sizeof(T) == 8) {
    a = (a >> 1 & 0x5555555555555555u) | (a & 0x5555555555555555u) << 1;
    a = (a >> 2 & 0x3333333333333333u) | (a & 0x3333333333333333u) << 2;
    a = (a >> 4 & 0x0F0F0F0F0F0F0F0Fu) | (a & 0x0F0F0F0F0F0F0F0Fu) << 4;
    return __builtin_bswap64(a);
  } else {
    a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
    a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
    a = (a >> 4 & 0x0F0F0F0Fu) | (a & 0x0F0F0F0Fu) << 4;
    return __builtin_bswap32(a);
  }
}

template <class T>
T extract(T a, std::uint32_t position, std::uint32_t length) {
  using U = std::make_unsigned_t<T>;
  constexpr std::uint32_t bits = 8 * sizeof(T);
  position &= 0xFF;
  length &= 0xFF;
  if (length == 0) return 0;
  const std::uint32_t top = position + length - 1 < bits - 1 ? position + length - 1 : bits - 1;
  const U sign = std::is_signed_v<T> ? static_cast<U>(a) >> top & 1 : 0;
  const U field = position < bits ? static_cast<U>(a) >> position : 0;
  const std::uint32_t kept = position < bits ? (length < bits - position ? length : bits - position) : 0;
  const U mask = kept >= bits ? ~U{0} : (U{1} << kept) - 1;
  return static_cast<T>((field & mask) | (sign != 0 ? ~mask : 0));
}

template <class T>
const Op* insert(const Op* op, Warp& w) {
  constexpr std::uint32_t bits = 8 * sizeof(T);
  const T* a = at<const T>(w, op->a);
  const T* b = at<const T>(w, op->b);
  const auto* c = at<const std::uint32_t>(w, op->c);
  const auto* e = at<const std::uint32_t>(w, op->list[0]);
  Result<T> d(w, op->d);
  T* out = d.out;
  for (int i = 0; i < 32; ++i) {
    const std::uint32_t position = c[i] & 0xFF, length = e[i] & 0xFF;
    const T ones_ = length >= bits ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << length) - 1);
    const T mask = position >= bits ? T{0} : static_cast<T>(ones_ << position);
    const T field = position >= bits ? T{0} : static_cast<T>(a[i] << position);
    out[i] = static_cast<T>((b[i] & ~mask) | (field & mask));
  }
  d.commit(w);
  return op + 1;
}

template <bool Wrap>
std::uint32_t bit_mask(std::uint32_t from, std::uint32_t count) {
  if (Wrap) {
    from &= 31;
    count &= 31;
  }
  if (from >= 32) return 0;
  const std::uint32_t ones_ = count >= 32 ? ~0u : (1u << count) - 1;
  return ones_ << from;
}

/// The low `bits` bits, extended.
template <class T, bool Wrap>
T size_extend(T a, std::uint32_t bits) {
  if (Wrap) bits &= 31;
  if (bits >= 32) return a;
  if (bits == 0) return 0;
  const std::uint32_t up = 32 - bits;
  return static_cast<T>(static_cast<std::uint32_t>(a) << up) >> up;
}

std::uint32_t find_nth_set(std::uint32_t mask, std::uint32_t base, std::int32_t offset) {
  if (base > 31) return ~0u;
  if (offset == 0) return (mask >> base & 1) != 0 ? base : ~0u;
  const int step = offset > 0 ? 1 : -1;
  int left = offset > 0 ? offset : -offset;
  for (int at_bit = static_cast<int>(base); at_bit >= 0 && at_bit < 32; at_bit += step) {
    if ((mask >> at_bit & 1) != 0 && --left == 0) return static_cast<std::uint32_t>(at_bit);
  }
  return ~0u;
}

template <class T, class S>
void size(Registry& r, const char* b, const char* u, const char* s) {
  row<ones<T>>(r, "popc", b);
  row<leading_zeros<T>>(r, "clz", b);
  row<reverse<T>>(r, "brev", b);
  row<find<T, false>>(r, "bfind", u);
  row<find<S, false>>(r, "bfind", s);
  row<find<T, true>>(r, "bfind", "shiftamt", u);
  row<find<S, true>>(r, "bfind", "shiftamt", s);
  row<extract<T>>(r, "bfe", u);
  row<extract<S>>(r, "bfe", s);
  put(r, Row{{"bfi", b}, insert<T>, {width_of<T>, width_of<T>, width_of<T>, Width::b32}});
}

}  // namespace

void register_bits(Registry& r) {
  size<std::uint32_t, std::int32_t>(r, "b32", "u32", "s32");
  size<std::uint64_t, std::int64_t>(r, "b64", "u64", "s64");
  row<bit_mask<true>>(r, "bmsk", "wrap", "b32");
  row<bit_mask<false>>(r, "bmsk", "clamp", "b32");
  row<size_extend<std::uint32_t, true>>(r, "szext", "wrap", "u32");
  row<size_extend<std::uint32_t, false>>(r, "szext", "clamp", "u32");
  row<size_extend<std::int32_t, true>>(r, "szext", "wrap", "s32");
  row<size_extend<std::int32_t, false>>(r, "szext", "clamp", "s32");
  row<find_nth_set>(r, "fns", "b32");
}

}  // namespace tilejit::emulator::TILEJIT_ISA
