#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <string_view>
#include <type_traits>

#include <tilejit/runtime/emulator/execute/half_add.h>
#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/execute/lane_places.h>
#include <tilejit/runtime/emulator/execute/worker.h>
#include <tilejit/runtime/emulator/memory/access.h>
#include <tilejit/runtime/emulator/report/access_faults.h>

/// atom and red: lane after lane, each atomic on the host too, since other blocks run beside this one.
namespace tilejit::emulator {
namespace {

/// Host addresses of the running lanes, checked and counted. True: in the block's shared memory, all of them.
bool resolve_generic(const Op* op, Warp& w, const Site& site, std::byte** host) {
  const std::uint64_t* a = lanes_at<const std::uint64_t>(w, op->a);
  const int first = __builtin_ctz(w.mask);
  const Space space = space_of(a[first] + static_cast<std::uint64_t>(op->immediate));
  bool one = space == Space::global || space == Space::shared;
  for_lanes(w.mask, [&](int lane) { one &= space_of(a[lane] + static_cast<std::uint64_t>(op->immediate)) == space; });
  if (one) {
    Op flat = *op;
    if (space == Space::shared) flat.immediate -= static_cast<std::int64_t>(shared_window);
    w.worker->program->check[space == Space::shared ? 1 : 0][1](&flat, w);
  }
  for_lanes(w.mask, [&](int lane) {
    const std::uint64_t address = a[lane] + static_cast<std::uint64_t>(op->immediate);
    if (address % site.bytes != 0) fault_misaligned(op, w, lane, Space::generic, address);
    host[lane] = host_of(op, w, lane, address, site.bytes);
  });
  return one && space == Space::shared;
}

bool resolve(const Op* op, Warp& w, std::byte** host) {
  const Site& site = w.worker->program->sites[op->site];
  if (site.space == Space::generic) return resolve_generic(op, w, site, host);
  const bool shared = site.space == Space::shared;
  const bool wide = reinterpret_cast<std::uintptr_t>(op->extra) == 8;
  w.worker->program->check[shared ? 1 : 0][wide ? 1 : 0](op, w);
  const std::uint64_t from =
      (shared ? reinterpret_cast<std::uint64_t>(w.shared) : 0) + static_cast<std::uint64_t>(op->immediate);
  if (wide) {
    const std::uint64_t* a = lanes_at<const std::uint64_t>(w, op->a);
    for (int lane = 0; lane < 32; ++lane) host[lane] = reinterpret_cast<std::byte*>(from + a[lane]);
  } else {
    const std::uint32_t* a = lanes_at<const std::uint32_t>(w, op->a);
    for (int lane = 0; lane < 32; ++lane) host[lane] = reinterpret_cast<std::byte*>(from + a[lane]);
  }
  return shared;
}

float flushed(float v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v; }

template <class T>
using BitsOf =
    std::conditional_t<sizeof(T) == 2, std::uint16_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

/// In memory that other blocks use at the same time; returns what was there.
template <class T, auto F>
BitsOf<T> update_global(BitsOf<T>* at, T operand) {
  using U = BitsOf<T>;
  U old = __atomic_load_n(at, __ATOMIC_RELAXED);
  for (;;) {
    T next;
    if constexpr (std::is_same_v<T, float>) {  // the hardware flushes subnormals here
      next = flushed(F(flushed(std::bit_cast<T>(old)), flushed(operand)));
    } else {
      next = F(std::bit_cast<T>(old), operand);
    }
    if (__atomic_compare_exchange_n(at, &old, std::bit_cast<U>(next), false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
      return old;
    }
  }
}

/// In shared memory, whose block runs on one host thread.
template <class T, auto F>
BitsOf<T> update_shared(BitsOf<T>* at, T operand) {
  const BitsOf<T> old = *at;
  *at = std::bit_cast<BitsOf<T>>(F(std::bit_cast<T>(old), operand));
  return old;
}

/// F(old, b) is the new value; bits travel as unsigned integers of T's size.
template <class T, auto F>
const Op* update(const Op* op, Warp& w) {
  using U = BitsOf<T>;
  std::byte* host[32];
  const bool all_shared = resolve(op, w, host);
  T operand[32];
  std::memcpy(operand, lanes_at<const T>(w, op->b), sizeof(operand));  // d may lie where b does
  U old[32];
  if (all_shared) {
    for_lanes(w.mask, [&](int i) { old[i] = update_shared<T, F>(reinterpret_cast<U*>(host[i]), operand[i]); });
  } else {
    for_lanes(w.mask, [&](int i) {
      const bool shared = host[i] >= w.shared && host[i] < w.shared + w.shared_end;
      old[i] = (shared ? update_shared<T, F> : update_global<T, F>)(reinterpret_cast<U*>(host[i]), operand[i]);
    });
  }
  if (op->d == no_place) return op + 1;
  U* d = lanes_at<U>(w, op->d);
  for_lanes(w.mask, [&](int i) { d[i] = old[i]; });
  return op + 1;
}

template <class U>
const Op* compare_and_swap(const Op* op, Warp& w) {
  std::byte* host[32];
  resolve(op, w, host);
  U compare[32], swap[32];
  std::memcpy(compare, lanes_at<const U>(w, op->b), sizeof(compare));
  std::memcpy(swap, lanes_at<const U>(w, op->c), sizeof(swap));
  U* d = op->d == no_place ? nullptr : lanes_at<U>(w, op->d);
  for_lanes(w.mask, [&](int lane) {
    U old = compare[lane];
    __atomic_compare_exchange_n(reinterpret_cast<U*>(host[lane]), &old, swap[lane], false, __ATOMIC_ACQ_REL,
                                __ATOMIC_RELAXED);
    if (d != nullptr) d[lane] = old;
  });
  return op + 1;
}

template <class T>
T add(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
  else
    return a + b;
}
template <class T>
T least(T a, T b) {
  return b < a ? b : a;
}
template <class T>
T most(T a, T b) {
  return b > a ? b : a;
}
template <class T>
T both(T a, T b) {
  return a & b;
}
template <class T>
T either(T a, T b) {
  return a | b;
}
template <class T>
T differ(T a, T b) {
  return a ^ b;
}
template <class T>
T exchange(T, T b) {
  return b;
}
std::uint32_t increase(std::uint32_t a, std::uint32_t b) { return a >= b ? 0 : a + 1; }
std::uint32_t decrease(std::uint32_t a, std::uint32_t b) { return a == 0 || a > b ? b : a - 1; }

using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;
using S32 = std::int32_t;
using S64 = std::int64_t;

}  // namespace

Handler atomic_handler(const char* name) {
  static const std::map<std::string_view, Handler> all = {
      {"add.u32", update<U32, add<U32>>},       {"add.s32", update<U32, add<U32>>},
      {"add.u64", update<U64, add<U64>>},       {"add.s64", update<U64, add<U64>>},
      {"add.f32", update<float, add<float>>},   {"add.f64", update<double, add<double>>},
      {"add.f16", update<U16, add_f16>},        {"add.bf16", update<U16, add_bf16>},
      {"add.f16x2", update<U32, add_f16x2>},    {"add.bf16x2", update<U32, add_bf16x2>},
      {"min.u32", update<U32, least<U32>>},     {"min.s32", update<S32, least<S32>>},
      {"min.u64", update<U64, least<U64>>},     {"min.s64", update<S64, least<S64>>},
      {"max.u32", update<U32, most<U32>>},      {"max.s32", update<S32, most<S32>>},
      {"max.u64", update<U64, most<U64>>},      {"max.s64", update<S64, most<S64>>},
      {"and.b32", update<U32, both<U32>>},      {"and.b64", update<U64, both<U64>>},
      {"or.b32", update<U32, either<U32>>},     {"or.b64", update<U64, either<U64>>},
      {"xor.b32", update<U32, differ<U32>>},    {"xor.b64", update<U64, differ<U64>>},
      {"exch.b32", update<U32, exchange<U32>>}, {"exch.b64", update<U64, exchange<U64>>},
      {"inc.u32", update<U32, increase>},       {"dec.u32", update<U32, decrease>},
      {"cas.b16", compare_and_swap<U16>},       {"cas.b32", compare_and_swap<U32>},
      {"cas.b64", compare_and_swap<U64>},
  };
  const auto found = all.find(name);
  return found == all.end() ? nullptr : found->second;
}

}  // namespace tilejit::emulator
